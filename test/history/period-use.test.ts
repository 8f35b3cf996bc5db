import { expect, test } from 'vitest';
import { decodeProjectUsage } from '../../src/resources/project-usage.ts';
import { HistoryFolder, viewOf } from '../support/history-folder.ts';
import {
  branchesReading,
  instant,
  minute,
  projectsReading,
  startAt,
  usageReading,
  type WireItem,
} from '../support/reading-builder.ts';
import { linesOf } from '../support/sample-line.ts';

const collectors = ['projects', 'endpoints', 'operations', 'branches'] as const;
const quota = {
  active_time_seconds: 1000,
  compute_time_seconds: 1000,
  written_data_bytes: 1000,
  data_transfer_bytes: 1000,
  logical_size_bytes: 1000,
};
const listed = { id: 'p', settings: { quota } };
const answer = {
  compute_time_seconds: 100,
  active_time_seconds: 200,
  written_data_bytes: 300,
  data_transfer_bytes: 400,
  consumption_period_start: instant(startAt - minute),
  consumption_period_end: instant(startAt + 10 * minute),
};
const share = (limit: string, value: number) =>
  `dbpm_project_quota_used_ratio{project_id="p",quota="${limit}"} ${value}`;
const ofPeriod = [
  share('active_time', 0.2),
  share('compute_time', 0.1),
  share('written_data', 0.3),
  share('data_transfer', 0.4),
];

/** An account whose list tells no compute, with its project as one answer for it told of it. */
function open(usage?: WireItem) {
  const folder = new HistoryFolder();
  let history = folder.open({ collectors });
  const list = (minutes: number, fields: WireItem = {}, cpuSource: 'list' | 'project' = 'project') =>
    history.record({
      ...projectsReading(startAt + minutes * minute, [{ ...listed, ...fields }]),
      cpuSource,
    });
  list(0);
  if (usage !== undefined) history.record(usageReading(startAt + minute, 'p', usage));
  return {
    list,
    shares: () => linesOf(viewOf(history, startAt + 2 * minute), 'dbpm_project_quota_used'),
    restart: () => {
      history = folder.reopen(history, { collectors });
    },
    branches: (wire: readonly WireItem[]) => history.record(branchesReading(startAt, 'p', wire)),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

test('where each project is read for itself, the parts used of limits of a period are known, also after a restart', () => {
  using account = open(answer);
  expect(account.shares()).toEqual(ofPeriod);
  account.list(2);
  expect(account.shares()).toEqual(ofPeriod);
  account.restart();
  expect(account.shares()).toEqual(ofPeriod);
  account.list(3, { active_time: 500 });
  expect(account.shares()).toEqual([share('active_time', 0.5), ...ofPeriod.slice(1)]);
});

test('once the period is over nothing is known, until the project is read again', () => {
  using account = open(answer);
  account.list(10);
  expect(account.shares()).toEqual([]);
});

test('of a period whose end is not told nothing is known', () => {
  using account = open({ ...answer, consumption_period_end: null });
  expect(account.shares()).toEqual([]);
});

test('once the list tells compute again, what an answer said before is not shown any more', () => {
  using account = open(answer);
  account.list(2, { cpu_used_sec: 50 }, 'list');
  expect(account.shares()).toEqual([share('compute_time', 0.05)]);
  account.restart();
  expect(account.shares()).toEqual([share('compute_time', 0.05)]);
});

test('the part used of the logical size is that of the largest branch, the root too', () => {
  using account = open();
  expect(account.shares()).toEqual([]);
  account.branches([
    { id: 'br-0', default: true, logical_size: 700 },
    { id: 'br-1', default: false, logical_size: 20 },
    { id: 'br-2', default: false },
  ]);
  expect(account.shares()).toEqual([share('logical_size', 0.7)]);
  account.branches([{ id: 'br-0', default: true }]);
  expect(account.shares()).toEqual([]);
});

test.each(['compute_time_seconds', 'active_time_seconds', 'written_data_bytes', 'data_transfer_bytes'])(
  '%s that is absent, null or of another type is none',
  field => {
    const read = (value: unknown) => decodeProjectUsage({ project: { [field]: value } });
    expect(read(7)).toEqual({ [field]: 7 });
    expect([read(undefined), read(null)]).toEqual([{}, {}]);
    expect([read(-1), read({})]).toEqual([{ lostFields: [field] }, { lostFields: [field] }]);
  },
);
