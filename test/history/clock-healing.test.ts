import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { History } from '../../src/history/history.ts';
import { UsageQuery } from '../../src/history/usage/usage-query.ts';
import { HistoryFolder, viewOf } from '../support/history-folder.ts';
import {
  day,
  projectReading,
  projectsReading,
  second,
  startAt,
  wireEndpoint,
  wireProject,
} from '../support/reading-builder.ts';

const year = 365 * day;

/** Reads a project with an endpoint that is always active, so many seconds after the start. */
function read(history: History, seconds: number, cpu_used_sec: number, aheadMs = 0): void {
  const at = startAt + seconds * second;
  const servedAt = at + aheadMs;
  history.record(projectsReading(at, [wireProject('p', { cpu_used_sec })], { servedAt }));
  const endpoints = [wireEndpoint('ep-1', { current_state: 'active' })];
  history.record(projectReading(at, 'p', { endpoints, operations: [] }, { servedAt }));
}

function activeSeconds(history: History): number {
  const durations = viewOf(history, startAt).projects[0]?.endpoints[0]?.stateDurations ?? [];
  return (durations.find(({ state }) => state === 'active')?.durationMs ?? 0) / 1000;
}

function query<Answer>(file: string, ask: (database: Database.Database) => Answer): Answer {
  const database = new Database(file, { readonly: true });
  try {
    return ask(database);
  } finally {
    database.close();
  }
}

test.each(['the same daemon', 'the next daemon'])(
  'what a clock a year ahead dated comes back with it, and goes on counting (%s)',
  who => {
    using folder = new HistoryFolder();
    let history = folder.open();
    read(history, 0, 100);
    read(history, 10, 110);
    read(history, 20, 120, year);
    read(history, 30, 130, year);
    if (who === 'the next daemon') history = folder.reopen(history);
    read(history, 40, 140);
    const before = activeSeconds(history);
    read(history, 100, 200);
    read(history, 160, 260);
    expect(activeSeconds(history) - before).toBe(120);
    expect(viewOf(history, startAt).projects[0]?.cpuUsedSeconds).toBe(260);
    const used = (seconds: number) =>
      query(
        folder.file,
        database => new UsageQuery(database).usedUntil(1, startAt + seconds * second) / 1000,
      );
    expect([used(10), used(40), used(100), used(130), used(160), used(400 * 86_400)]).toEqual([
      110, 140, 200, 230, 260, 260,
    ]);
    const laterRows = query(folder.file, database =>
      [
        'cpu_sample.at',
        'state_interval.from_at',
        'compute_interval.from_at',
        'account.projects_listed_at',
      ].map(column => {
        const [table] = column.split('.');
        return database
          .prepare(`SELECT count(*) FROM ${table} WHERE ${column} > ?`)
          .pluck()
          .get(startAt + day);
      }),
    );
    expect(laterRows).toEqual([0, 0, 0, 0]);
    const both = [
      wireProject('p', { cpu_used_sec: 260 }),
      wireProject('q', { created_at: new Date(startAt + 165 * second).toISOString() }),
    ];
    history.record(projectsReading(startAt + 170 * second, both));
    const born = viewOf(history, startAt).projects.find(({ project_id }) => project_id === 'q');
    expect(born?.operations?.ended).toEqual([]);
  },
);

test('a clock that is a year behind that of the host takes nothing back', () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  read(history, 0, 100);
  read(history, 3600, 200);
  read(history, 3610, 200, -year);
  read(history, 3620, 210);
  expect(activeSeconds(history)).toBe(3620);
});

test('a list that is served a little earlier than the one before changes nothing', () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  read(history, 3600, 100);
  read(history, 7200, 200);
  read(history, 3700, 200);
  expect(activeSeconds(history)).toBe(3600);
});
