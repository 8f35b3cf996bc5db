import { expect, test } from 'vitest';
import type { Reading } from '../../src/resources/reading.ts';
import {
  lookAt,
  refused,
  restart,
  type Step,
  ToldHistory,
  testExposition,
} from '../support/exposition-table.ts';
import { HistoryFolder, viewOf } from '../support/history-folder.ts';
import {
  apiKeysReading,
  day,
  failedReading,
  instant,
  minute,
  projectReading,
  projectsReading,
  second,
  startAt,
  wireEndpoint,
  wireKey,
  wireOperation,
  wireProject,
} from '../support/reading-builder.ts';

const two = [wireProject('a', { cpu_used_sec: 10 }), wireProject('b', { cpu_used_sec: 20 })];
const read = { endpoints: [wireEndpoint('ep-1')], operations: [wireOperation('o')] };
const list = (at: number, projects: readonly unknown[] = two, complete = true) =>
  projectsReading(at, projects, { complete });
const unchanged = (at: number) =>
  ({ ...projectReading(at, 'a', { operations: [] }), unchanged: true }) as const;
/** What comes of an account at one instant: its list, its keys and a project. */
const everything = (at: number) => [
  list(at),
  apiKeysReading(at, [wireKey(1)]),
  projectReading(at, 'a', read),
];

const a = 'dbpm_project_cpu_used_seconds_total{project_id="a"} 10';
const b = 'dbpm_project_cpu_used_seconds_total{project_id="b"} 20';
const endpointOf = (id: string) =>
  `dbpm_endpoint_state{project_id="${id}",endpoint_id="ep-1",state="idle"} 1`;
const startOf = (id: string) =>
  `dbpm_operations_total{project_id="${id}",action="start_compute",status="finished"} 1`;
const key = 'dbpm_api_key_created_timestamp_seconds{key_id="1"} 1793491200';

/** What an account shows until just before an instant, and from then on. */
const until = (at: number, before: string, after: string): readonly Step[] => [
  lookAt(at - 1),
  before,
  lookAt(at),
  after,
];
const refuseWrites =
  (action: string): Step =>
  told => {
    refusals.set(told, told.folder.refuseWrites(action));
  };
const acceptWrites: Step = told => refusals.get(told)?.end();
const refusals = new WeakMap<ToldHistory, { end(): void }>();
const unwritten = (reading: Reading) => refused(reading, /could not be written/);
const locked =
  (work: (told: ToldHistory) => void): Step =>
  told =>
    told.whileLocked(() => work(told));

const unwrittenAt = startAt + minute;
const failedAt = startAt + minute;

/** A restart knows of no failure: it serves all there is, with its age. */
const setting = { isKept: false };

testExposition(
  'dbpm_project_cpu_used_seconds_total dbpm_endpoint_state',
  {
    'what could not be refreshed vanishes too when it was read but could not be written, and returns once it is':
      [
        list(startAt),
        locked(told => expect(() => told.tell(list(unwrittenAt))).toThrow(/could not be written/)),
        ...until(unwrittenAt + 10 * minute, `${a}\n${b}`, ''),
        list(unwrittenAt + 11 * minute),
        `${a}\n${b}`,
      ],
    'what could not be refreshed vanishes also when it is the failed readings that cannot be written': [
      list(startAt),
      refuseWrites('ABORT'),
      unwritten(failedReading(failedAt, 'projects', 'unavailable')),
      unwritten(failedReading(failedAt + 9 * minute, 'projects', 'unavailable')),
      ...until(failedAt + 10 * minute, `${a}\n${b}`, ''),
      acceptWrites,
    ],
    'endpoints vanish when a reading that finds them unchanged cannot be written, and return with the next': [
      list(startAt),
      projectReading(startAt, 'a', read),
      refuseWrites('ABORT'),
      unwritten(unchanged(startAt + minute)),
      ...until(startAt + 11 * minute, [a, b, endpointOf('a')].join('\n'), `${a}\n${b}`),
      acceptWrites,
      unchanged(startAt + 12 * minute),
      lookAt(startAt + 60 * minute),
      [a, b, endpointOf('a')].join('\n'),
    ],
    'endpoints that the service does not give stay away when only operations are read': [
      list(startAt),
      projectReading(startAt, 'a', { endpoints: [wireEndpoint('ep-1')], operations: [] }),
      failedReading(startAt, 'endpoints', 'timeout', 'a'),
      unchanged(startAt + minute),
      lookAt(startAt + 10 * minute),
      `${a}\n${b}`,
    ],
    'an account vanishes once its list failed for drop_after, but for what it used, and returns with it': [
      list(startAt),
      failedReading(failedAt, 'projects', 'unavailable'),
      failedReading(failedAt + 5 * minute, 'projects', 'timeout'),
      ...until(
        failedAt + 10 * minute,
        `${a}
       ${b}
       dbpm_account_cpu_used_seconds_total 30`,
        'dbpm_account_cpu_used_seconds_total 30',
      ),
      list(failedAt + 11 * minute),
      lookAt(failedAt + 60 * minute),
      `${a}
     ${b}
     dbpm_account_cpu_used_seconds_total 30`,
    ],
    'drop_after counts from when the first attempt began, however long it hung': [
      list(startAt),
      failedReading(startAt + 5 * minute, 'projects', 'timeout', undefined, 4 * minute),
      ...until(startAt + 11 * minute, `${a}\n${b}`, ''),
    ],
    'a project vanishes alone when a partial list leaves it out for drop_after': [
      list(startAt),
      list(startAt + minute, two.slice(0, 1), false),
      list(startAt + 2 * minute, two.slice(0, 1), false),
      ...until(startAt + 11 * minute, `${a}\n${b}`, a),
    ],
    'endpoints and operations of one project vanish without the others, each on their own': [
      list(startAt),
      projectReading(startAt, 'a', read),
      projectReading(startAt, 'b', read),
      failedReading(startAt, 'endpoints', 'timeout', 'a'),
      failedReading(startAt, 'operations', 'timeout', 'b'),
      lookAt(startAt + 10 * minute),
      `${a}
     ${b}
     ${endpointOf('b')}
     ${startOf('a')}
     dbpm_endpoint_starts_total{project_id="b",endpoint_id="ep-1"} absent`,
      projectReading(startAt + 11 * minute, 'a', { endpoints: [wireEndpoint('ep-1')] }),
      lookAt(startAt + 30 * minute),
      `${a}
     ${b}
     ${endpointOf('a')}
     ${endpointOf('b')}
     ${startOf('a')}
     dbpm_endpoint_starts_total{project_id="a",endpoint_id="ep-1"} 1
     dbpm_endpoint_starts_total{project_id="b",endpoint_id="ep-1"} absent`,
    ],
  },
  setting,
);

testExposition(
  'dbpm_project_cpu_used_seconds_total',
  {
    ...Object.fromEntries(
      ['ABORT', 'ROLLBACK'].map(action => [
        `what cannot be written vanishes however often writing fails again (${action}), and returns once it is written`,
        [
          ({ history }) => history.commit(everything(startAt)),
          refuseWrites(action),
          ...Array.from({ length: 10 }, (_, index) => unwrittenAt + index * minute).flatMap(
            (at): readonly Step[] => [
              ({ history }) =>
                expect(history.commit(everything(at)).map(recorded => 'error' in recorded)).toEqual([
                  true,
                  true,
                  true,
                ]),
              lookAt(at),
              [a, b, key, endpointOf('a')].join('\n'),
            ],
          ),
          lookAt(unwrittenAt + 10 * minute),
          '',
          acceptWrites,
          ({ history }) => history.commit(everything(unwrittenAt + 120 * minute)),
          lookAt(unwrittenAt + 180 * minute),
          [a, b, key, endpointOf('a')].join('\n'),
        ] satisfies readonly Step[],
      ]),
    ),
    'keys that could not be listed for drop_after vanish, alone': [
      list(startAt),
      apiKeysReading(startAt, [wireKey(1)]),
      failedReading(startAt, 'api_keys', 'timeout'),
      ...until(startAt + 10 * minute, [a, b, key].join('\n'), `${a}\n${b}`),
    ],
    "a key is stale by the service's clock, also while the service cannot be reached": [
      apiKeysReading(startAt, [wireKey(1, { last_used_at: instant(startAt) })], {
        servedAt: startAt + 50 * day,
      }),
      failedReading(startAt + second, 'api_keys', 'network'),
      'dbpm_api_key_stale{key_id="1"} 1',
    ],
  },
  setting,
);

test('with its list what is still read of a project vanishes but for what names it and its own readings', () => {
  const told = new ToldHistory();
  told.tell(list(startAt, [wireProject('a', { name: 'shop', cpu_used_sec: 10, locked: true })]));
  told.tell(failedReading(startAt, 'projects', 'unavailable'));
  const lostAt = startAt + 10 * minute;
  told.tell(projectReading(lostAt - minute, 'a', read));
  told.now = lostAt;
  const names = new Set(told.allLines().map(line => line.split('{')[0] ?? ''));
  const namesOf = (prefix: string) => [...names].filter(name => name.startsWith(prefix));
  expect(namesOf('dbpm_project_')).toEqual([
    'dbpm_project_info',
    'dbpm_project_last_refresh_timestamp_seconds',
  ]);
  expect(namesOf('dbpm_operations_')).toEqual(['dbpm_operations_total']);
  expect(namesOf('dbpm_endpoint_info')).toEqual(['dbpm_endpoint_info']);
  expect(told.view(lostAt + 9 * minute).projects).toEqual([]);
});

test('a restart serves all with its true age, before the first reading', () => {
  const told = new ToldHistory();
  told.tell(...everything(startAt));
  const before = told.view(startAt);
  told.restart();
  expect(told.view(startAt + 60 * minute)).toEqual(before);
  expect(told.allLines()).toContain(
    `dbpm_project_last_refresh_timestamp_seconds{project_id="a"} ${startAt / 1000}`,
  );
});

const projectIds = (told: ToldHistory) => told.view().projects.map(({ project_id }) => project_id);

test('what changed is not forgotten when the history could not be looked at', () => {
  const told = new ToldHistory();
  told.tell(list(startAt));
  expect(projectIds(told)).toEqual(['a', 'b']);
  told.tell(list(startAt + minute, two.slice(1)));
  told.change('ALTER TABLE collector RENAME TO away');
  expect(() => told.history.snapshot(startAt)).toThrow(/no such table/);
  told.change('ALTER TABLE away RENAME TO collector');
  told.history.showAgain();
  expect(projectIds(told)).toEqual(['b']);
});

test('what did not get onto the page is told again', () => {
  const told = new ToldHistory();
  told.tell(list(startAt));
  const changed = () => told.history.snapshot(startAt).flatMap(({ projects }) => [...projects.keys()]);
  expect(changed()).toEqual(['a', 'b']);
  expect(changed()).toEqual([]);
  told.history.showAgain();
  expect(changed()).toEqual(['a', 'b']);
  told.tell(list(startAt + minute, two.slice(1)));
  expect(changed()).toEqual(['a']);
  told.history.showAgain();
  expect(changed().toSorted()).toEqual(['a', 'b']);
});

/** How all collectors of an account stand, and when each last succeeded. */
const outcome = (success: 0 | 1, minutes: number) =>
  ['projects', 'endpoints', 'operations', 'api_keys']
    .flatMap(collector => [
      `dbpm_collector_success{collector="${collector}"} ${success}`,
      `dbpm_collector_last_success_timestamp_seconds{collector="${collector}"} ${startAt / 1000 + minutes * 60}`,
    ])
    .concat(`dbpm_up ${success}`)
    .join('\n');

testExposition('dbpm_up dbpm_collector_success', {
  ...Object.fromEntries(
    ['ABORT', 'ROLLBACK'].map(action => [
      `a collector whose readings cannot be written does not succeed, and is of the age of what is written (${action})`,
      [
        ({ history }) => history.commit(everything(startAt)),
        outcome(1, 0),
        refuseWrites(action),
        ({ history }) => history.commit(everything(startAt + minute)),
        lookAt(startAt + minute),
        outcome(0, 0),
        acceptWrites,
        ({ history }) => history.commit(everything(startAt + 2 * minute)),
        lookAt(startAt + 2 * minute),
        outcome(1, 2),
      ] satisfies readonly Step[],
    ]),
  ),
  'a collector whose readings cannot be written fails from the first one on, also of a list of many pages': [
    locked(({ history }) => {
      const { kind, rejected, complete, ...page } = list(startAt);
      history.commit([{ kind: 'project_page', ...page }]);
    }),
    `dbpm_up 0
     dbpm_collector_success{collector="projects"} 0
     dbpm_collector_success{collector="endpoints"} absent`,
    restart(),
  ],
  'the key is refused though that could not be written either': [
    list(startAt),
    `dbpm_up 1
     dbpm_auth_ok 1
     dbpm_collector_success{collector="projects"} 1`,
    refuseWrites('ROLLBACK'),
    ({ history }) => history.commit([failedReading(startAt + minute, 'projects', 'unauthorized')]),
    lookAt(startAt + minute),
    `dbpm_up 0
     dbpm_auth_ok 0`,
    acceptWrites,
  ],
  'a collector is well though a project is missing in a list that was written': [
    list(startAt),
    list(startAt + minute, two.slice(1), false),
    `dbpm_up 1
     dbpm_collector_success{collector="projects"} 1`,
  ],
});

test('what is too old to be shown as metrics is still known, with its age, also after a restart', () => {
  using folder = new HistoryFolder();
  const counted = (history: ReturnType<HistoryFolder['open']>) =>
    history.snapshot(startAt + day).map(({ overview: { summary: _, ...counts } }) => counts);
  const known = [{ projects: 2, endpoints: 1, oldestReadAt: startAt }];
  const history = folder.open();
  for (const reading of [...everything(startAt), failedReading(startAt + minute, 'projects', 'unavailable')])
    history.commitOne(reading);
  expect(viewOf(history, startAt + day).projects).toEqual([]);
  expect(counted(history)).toEqual(known);
  history.close();
  expect(counted(folder.open())).toEqual(known);
});
