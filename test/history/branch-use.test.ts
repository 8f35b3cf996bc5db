import { expect, test } from 'vitest';
import type { History } from '../../src/history/history.ts';
import { readReportHistory } from '../../src/history/usage/report-history.ts';
import { dayMs } from '../../src/resources/duration.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import {
  branchesReading,
  instant,
  projectReading,
  projectsReading,
  startAt,
  type WireItem,
  wireEndpoint,
} from '../support/reading-builder.ts';

const createdAt = startAt - 50 * dayMs;
const child = (id: string, more: WireItem = {}) => ({
  ...{ id, name: id, parent_id: 'root', created_at: instant(createdAt), compute_time_seconds: 0 },
  ...more,
});

function open(folder: HistoryFolder): History {
  const history = folder.open({ collectors: ['projects', 'endpoints', 'operations', 'branches'] });
  history.record(projectsReading(startAt, [{ id: 'p' }, { id: 'q' }]));
  return history;
}

function list(history: History, wire: readonly WireItem[], at = startAt, project_id = 'p'): void {
  history.record(branchesReading(at, project_id, wire));
}

function read(folder: HistoryFolder, at = startAt) {
  const found = readReportHistory(
    folder.file,
    known => known,
    ({ branches }) => ({ extent: branches.extent('main', at), listed: branches.read('main', at) }),
  );
  if (found === undefined) throw new Error('there is no history');
  return found;
}

const sinceOf = (folder: HistoryFolder, at = startAt) =>
  Object.fromEntries(
    read(folder, at).listed.flatMap(({ branches }) =>
      branches.map(({ branch_id, unusedSinceAt, isNeverUsed }) => [
        branch_id,
        isNeverUsed ? ['never', unusedSinceAt] : unusedSinceAt,
      ]),
    ),
  );

test('a branch is unused since the last use of its endpoints, and one never used since it was made', () => {
  using folder = new HistoryFolder();
  const history = open(folder);
  const root = { id: 'root', default: true };
  list(history, [
    root,
    child('never'),
    child('by-endpoint', { compute_time_seconds: 5 }),
    child('nothing-told', { compute_time_seconds: undefined }),
  ]);
  const usedAt = startAt - 20 * dayMs;
  const endpoints = [
    wireEndpoint('ep-1', { branch_id: 'by-endpoint', last_active: instant(usedAt) }),
    wireEndpoint('ep-2', { branch_id: 'by-endpoint', last_active: instant(usedAt - dayMs) }),
    wireEndpoint('ep-3', { branch_id: 'never', last_active: '2000-01-01T00:00:00Z' }),
  ];
  history.record(projectReading(startAt, 'p', { endpoints, operations: [] }));
  expect(sinceOf(folder)).toEqual({
    never: ['never', createdAt],
    'by-endpoint': usedAt,
    'nothing-told': undefined,
  });
  // An endpoint that is gone tells it still.
  history.record(projectReading(startAt + 1000, 'p', { endpoints: [], operations: [] }));
  expect(sinceOf(folder)).toMatchObject({ 'by-endpoint': usedAt });
});

test('without an endpoint it is the reading that found more use, also after a new period began', () => {
  using folder = new HistoryFolder();
  const history = open(folder);
  const later = (days: number) => startAt + days * dayMs;
  const used = (compute_time_seconds: number | undefined, days: number) => {
    list(history, [child('b', { compute_time_seconds })], later(days));
    return sinceOf(folder, later(days)).b;
  };
  expect(used(7, 0)).toBe(startAt);
  expect(used(7, 1)).toBe(startAt);
  expect(used(9, 2)).toBe(later(2));
  expect(used(0, 3)).toBe(later(2));
  expect(used(undefined, 4)).toBe(later(2));
  expect(used(3, 5)).toBe(later(5));
});

test('a list is good for three days, and of no other time', () => {
  using folder = new HistoryFolder();
  const history = open(folder);
  expect(read(folder)).toEqual({ extent: 'none', listed: [] });
  list(history, [child('b')]);
  expect(read(folder)).toMatchObject({ extent: 'some', listed: [{ listedAt: startAt }] });
  list(history, [{ id: 'root', default: true }], startAt, 'q');
  expect(read(folder)).toMatchObject({ extent: 'all', listed: [{ listedAt: startAt }] });
  expect(read(folder, startAt + 3 * dayMs).listed).toHaveLength(1);
  expect(read(folder, startAt + 3 * dayMs + 1)).toEqual({ extent: 'none', listed: [] });
  expect(read(folder, startAt - dayMs)).toEqual({ extent: 'none', listed: [] });
});
