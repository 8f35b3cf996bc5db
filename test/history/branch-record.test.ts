import { expect, test } from 'vitest';
import type { History } from '../../src/history/history.ts';
import { HistoryFolder, viewOf } from '../support/history-folder.ts';
import {
  branchesReading,
  instant,
  minute,
  projectReading,
  projectsReading,
  startAt,
  type WireItem,
  wireEndpoint,
} from '../support/reading-builder.ts';
import { linesOf } from '../support/sample-line.ts';

const collectors = ['projects', 'endpoints', 'operations', 'branches'] as const;

function list(history: History, wire: readonly WireItem[], { at = startAt, complete = true } = {}): void {
  history.record(branchesReading(at, 'p', wire, { complete }));
}

const shown = (history: History) =>
  linesOf(viewOf(history, startAt), 'dbpm_project_').filter(line => line.includes('branch'));
const line = (name: string, value: number) => `dbpm_project_${name}{project_id="p"} ${value}`;

const root = { id: 'br-0', default: true, created_at: instant(startAt - 99 * minute), logical_size: 100 };
const old = {
  id: 'br-1',
  default: false,
  created_at: instant(startAt - 60 * minute),
  expires_at: instant(startAt - minute),
  logical_size: 5,
  active_time_seconds: 0,
};
const used = {
  id: 'br-2',
  created_at: instant(startAt),
  parent_id: 'br-0',
  logical_size: 7,
  compute_time_seconds: 3,
};

function open(folder: HistoryFolder): History {
  const history = folder.open({ collectors });
  history.record(projectsReading(startAt, [{ id: 'p' }]));
  return history;
}

test('branches are counted, with the oldest, those never used, those expired and what they hold', () => {
  using folder = new HistoryFolder();
  const history = open(folder);
  expect(shown(history)).toEqual([]);
  list(history, [root, old, used]);
  const lines = [
    line('branches', 3),
    line('oldest_branch_timestamp_seconds', startAt / 1000 - 3600),
    line('never_used_branches', 1),
    line('expired_branches', 1),
    line('child_branches_logical_bytes', 12),
  ];
  expect(shown(history)).toEqual(lines);
  folder.close(history);
  expect(shown(folder.open({ collectors }))).toEqual(lines);
});

test('a root alone has no others to tell of', () => {
  using folder = new HistoryFolder();
  const history = open(folder);
  list(history, [root]);
  expect(shown(history)).toEqual([line('branches', 1), line('expired_branches', 0)]);
});

test('a branch that was used once stays so in the next period, and by an endpoint too', () => {
  using folder = new HistoryFolder();
  const history = open(folder);
  const unused = { ...used, compute_time_seconds: 0 };
  list(history, [root, used]);
  list(history, [root, unused]);
  expect(shown(history)).toContain(line('never_used_branches', 0));
  list(history, [root, { ...unused, id: 'br-3' }]);
  expect(shown(history)).toContain(line('never_used_branches', 1));
  const endpoints = [wireEndpoint('ep-1', { branch_id: 'br-3', last_active: instant(startAt - minute) })];
  history.record(projectReading(startAt, 'p', { endpoints, operations: [] }));
  expect(shown(history)).toContain(line('never_used_branches', 0));
});

test('what is not told of is absent: use of branches, and what an incomplete list leaves out', () => {
  using folder = new HistoryFolder();
  const history = open(folder);
  list(history, [root, { id: 'br-1', parent_id: 'br-0' }]);
  expect(shown(history)).toEqual([line('branches', 2), line('expired_branches', 0)]);
  list(history, [root], { complete: false });
  expect(shown(history)).toContain(line('branches', 2));
  list(history, [root]);
  expect(shown(history)).toContain(line('branches', 1));
});

test('fields that cannot be used are counted, and lose no branch', () => {
  using folder = new HistoryFolder();
  const history = open(folder);
  list(history, [root, { id: 'br-1', default: 'no', parent_id: 'br-0', logical_size: -1 }]);
  expect(shown(history)).toContain(line('branches', 2));
  expect(linesOf(viewOf(history, startAt), 'dbpm_account_lost_fields_total')).toEqual([
    'dbpm_account_lost_fields_total{field="default"} 1',
    'dbpm_account_lost_fields_total{field="logical_size"} 1',
  ]);
});
