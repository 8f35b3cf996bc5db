import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AccountView } from '../../src/resources/account.ts';
import { CounterWatch } from '../support/counter-watch.ts';
import { HistoryFolder, viewAll, viewOf } from '../support/history-folder.ts';
import {
  apiKeysReading,
  minute,
  projectReading,
  projectsReading,
  startAt,
  wireEndpoint,
  wireKey,
  wireOperation,
  wireProject,
} from '../support/reading-builder.ts';
import { samplesOf } from '../support/sample-line.ts';
import { runs } from '../support/seed.ts';

const names = {
  'a 10 kB name': 'x'.repeat(10_000),
  quotes: 'say "hi" \\ \'ho\'',
  newlines: 'two\nlines\r\n',
  emoji: '🐘🧑‍💻',
  'a byte of zero': 'be\u0000fore',
  'SQL in it': "'; DROP TABLE project; --",
};

test.each(Object.entries(names))('%s passes through the history as it came', (_, name) => {
  using folder = new HistoryFolder();
  const history = folder.openListed([wireProject(name, { name })]);
  const read = {
    endpoints: [wireEndpoint(name, { host: name, current_state: name })],
    operations: [wireOperation(name, { action: name, endpoint_id: name })],
  };
  history.commitOne(projectReading(startAt, name, read));
  history.commitOne(apiKeysReading(startAt, [wireKey(1, { name })]));
  const { projects, api_keys } = viewOf(folder.reopen(history), startAt);
  expect(projects).toMatchObject([
    {
      project_id: name,
      project_name: name,
      endpoints: [{ endpoint_id: name, host: name, current_state: name }],
      operations: { ended: [{ action: name, status: 'finished', count: 1 }] },
    },
  ]);
  expect(api_keys).toMatchObject([{ key_name: name }]);
});

test('a lone surrogate becomes the replacement character', () => {
  using folder = new HistoryFolder();
  const history = folder.openListed([wireProject('p', { name: 'a\ud800b' })]);
  expect(viewOf(history, startAt).projects.map(({ project_name }) => project_name)).toEqual(['a\ufffdb']);
});

test('an id that repeats within a list is one project, one endpoint, one key', () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  const project = wireProject('p', { cpu_used_sec: 50 });
  history.commitOne(projectsReading(startAt, [project, project]));
  const endpoint = wireEndpoint('ep-1');
  history.commitOne(projectReading(startAt, 'p', { endpoints: [endpoint, endpoint], operations: [] }));
  history.commitOne(apiKeysReading(startAt, [wireKey(1), wireKey(1)]));
  const { projects, api_keys, cpuUsedSeconds } = viewOf(history, startAt);
  expect([projects.length, projects[0]?.endpoints.length, api_keys.length, cpuUsedSeconds]).toEqual([
    1, 1, 1, 50,
  ]);
});

const value = fc.oneof(
  fc.anything(),
  fc.string({ unit: 'binary' }),
  fc.double(),
  fc.constantFrom(
    ...Object.values(names),
    '\ud800',
    -1,
    -0,
    0.5,
    2 ** 31,
    2 ** 53,
    2 ** 63,
    1e308,
    true,
    null,
  ),
  fc.constantFrom(
    '0001-01-01T00:00:00Z',
    '1969-12-31T23:59:59Z',
    '1970-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
  ),
  fc.date({ noInvalidDate: true }).map(date => date.toISOString()),
);
const id = fc.constantFrom('a', 'b', '\u0000', '🐘');
const project = fc.oneof(
  value,
  fc.record({
    id,
    name: value,
    locked: value,
    cpu_used_sec: value,
    branch_logical_size_limit: value,
    created_at: value,
  }),
);
const endpoint = fc.oneof(
  value,
  fc.record({
    id,
    current_state: value,
    pending_state: value,
    autoscaling_limit_max_cu: value,
    created_at: value,
    updated_at: value,
    last_active: value,
  }),
);
const operation = fc.oneof(
  value,
  fc.record({
    id,
    action: fc.oneof(value, fc.constantFrom('start_compute', 'suspend_compute')),
    status: fc.oneof(value, fc.constantFrom('finished', 'running', 'failed')),
    endpoint_id: fc.oneof(value, id),
    failures_count: value,
    created_at: value,
    updated_at: value,
  }),
);
const key = fc.oneof(
  value,
  fc.record({
    id: fc.nat(2),
    name: value,
    created_at: value,
    last_used_at: value,
    last_used_from_addr: value,
  }),
);
const list = <Item>(item: fc.Arbitrary<Item>) => fc.array(item, { maxLength: 6 });

test('nothing a service may send stops the history, makes a value that is no number or a counter go down', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(list(project), list(endpoint), list(operation), list(key)), {
        minLength: 1,
        maxLength: 4,
      }),
      rounds => {
        using folder = new HistoryFolder();
        const watch = new CounterWatch();
        let history = folder.open();
        for (const [round, [projects, endpoints, operations, keys]] of rounds.entries()) {
          const at = startAt + round * minute;
          history.commitOne(projectsReading(at, [...projects, { id: 'a' }]));
          history.commitOne(projectReading(at, 'a', { endpoints, operations }));
          history.commitOne(apiKeysReading(at, keys));
          watch.see(viewAll(history, at));
          const before = byId(viewOf(history, at));
          history = folder.reopen(history);
          expect(byId(viewOf(history, at))).toEqual(before);
          for (const sample of samplesOf(viewOf(history, at)))
            expect(sample.value, sample.series).toBeTypeOf('number');
          expect(samplesOf(viewOf(history, at)).filter(sample => Number.isNaN(sample.value))).toEqual([]);
        }
      },
    ),
    { numRuns: runs(10) },
  );
});

/** Projects that went and returned are last until a restart. */
function byId(view: AccountView): AccountView {
  return { ...view, projects: view.projects.toSorted((a, b) => (a.project_id < b.project_id ? -1 : 1)) };
}
