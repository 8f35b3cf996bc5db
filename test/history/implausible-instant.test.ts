import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { History } from '../../src/history/history.ts';
import { HistoryFolder, viewOf } from '../support/history-folder.ts';
import {
  apiKeysReading,
  day,
  instant,
  minute,
  projectReading,
  projectsReading,
  startAt,
  wireEndpoint,
  wireKey,
  wireOperation,
  wireProject,
} from '../support/reading-builder.ts';
import { linesOf } from '../support/sample-line.ts';

const farAway = '2099-01-01T00:00:00Z';

/** The instants from which on an endpoint was used. */
function usesIn(file: string): readonly unknown[] {
  const database = new Database(file, { readonly: true });
  try {
    return database.prepare('SELECT from_at FROM endpoint_use ORDER BY from_at').pluck().all();
  } finally {
    database.close();
  }
}

const implausible = (history: History) => viewOf(history, startAt).implausible;

test.each([
  ['still to come', instant(startAt - minute), farAway, { updated_at: 1 }],
  ['before its creation', instant(startAt - minute), instant(startAt - 2 * day), { updated_at: 1 }],
  ['long after a creation still to come', farAway, farAway, { created_at: 1, updated_at: 1 }],
])(
  'an operation that ended %s counts as ended, and its duration for nothing',
  (_, created_at, updated_at, noted) => {
    using folder = new HistoryFolder();
    const history = folder.openListed([wireProject('p')]);
    const sound = { created_at: instant(startAt - minute), updated_at: instant(startAt - minute + 3000) };
    const operations = [wireOperation('odd', { created_at, updated_at }), wireOperation('sound', sound)];
    for (let reading = 0; reading < 3; reading += 1) {
      history.record(projectReading(startAt + reading * minute, 'p', { endpoints: [], operations }));
    }
    const view = viewOf(history, startAt);
    expect(
      linesOf(view, 'dbpm_operation_duration_seconds').filter(line => /(sum|count).*start_comp/.test(line)),
    ).toEqual([
      'dbpm_operation_duration_seconds_count{action="start_compute"} 1',
      'dbpm_operation_duration_seconds_sum{action="start_compute"} 3',
    ]);
    expect(linesOf(view, 'dbpm_operations_total')).toContain(
      'dbpm_operations_total{project_id="p",action="start_compute",status="finished"} 2',
    );
    expect(implausible(history)).toEqual(noted);
  },
);

test('a key used in the future goes on with the use that was known, and with the next one', () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  const read = (at: number, last_used_at: string | null) => {
    history.record(
      apiKeysReading(at, [wireKey(1, { last_used_at, created_at: instant(startAt - 90 * day) })]),
    );
    return viewOf(history, at).api_keys.map(key => ({ lastUsedAt: key.last_used_at, stale: key.stale }));
  };
  expect(read(startAt, farAway)).toEqual([{ lastUsedAt: undefined, stale: true }]);
  const usedAt = startAt - 50 * day;
  expect(read(startAt + minute, instant(usedAt))).toEqual([{ lastUsedAt: usedAt, stale: true }]);
  expect(read(startAt + 2 * minute, farAway)).toEqual([{ lastUsedAt: usedAt, stale: true }]);
  expect(read(startAt + 3 * minute, instant(startAt))).toEqual([{ lastUsedAt: startAt, stale: false }]);
  expect(implausible(history)).toEqual({ last_used_at: 2 });
});

test('an endpoint that was last active in the future shows it, and its later uses are written down', () => {
  using folder = new HistoryFolder();
  const history = folder.openListed([wireProject('p')]);
  const read = (at: number, last_active: string) => {
    const endpoints = [wireEndpoint('ep-1', { last_active })];
    history.record(projectReading(at, 'p', { endpoints, operations: [] }));
  };
  read(startAt, farAway);
  expect(viewOf(history, startAt).projects[0]?.endpoints[0]?.last_active).toBe(Date.parse(farAway));
  expect(implausible(history)).toEqual({ last_active: 1 });
  read(startAt + minute, instant(startAt + minute));
  expect(usesIn(folder.file)).toEqual([startAt + minute]);
});

test('a project created in the future is none that was born under watch', () => {
  using folder = new HistoryFolder();
  const history = folder.openListed([wireProject('p')]);
  history.record(
    projectsReading(startAt + minute, [wireProject('p'), wireProject('q', { created_at: farAway })]),
  );
  const view = viewOf(history, startAt).projects.find(({ project_id }) => project_id === 'q');
  expect(view?.operations).toBeUndefined();
  expect(implausible(history)).toEqual({ created_at: 1 });
});
