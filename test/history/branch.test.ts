import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { History } from '../../src/history/history.ts';
import { readReportHistories } from '../../src/history/merge/report-reading.ts';
import { ToldHistory, testExposition } from '../support/exposition-table.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import {
  branchesReading,
  day,
  instant,
  minute,
  projectReading,
  projectsReading,
  startAt,
  type WireItem,
  wireEndpoint,
  wireProject,
} from '../support/reading-builder.ts';

const collectors = ['projects', 'endpoints', 'operations', 'branches'] as const;
const branches = (...wire: readonly WireItem[]) => branchesReading(startAt, 'p', wire);
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
const unused = { ...used, compute_time_seconds: 0 };
const lines = (values: Readonly<Record<string, number | 'absent'>>) =>
  Object.entries(values)
    .map(([name, value]) => `dbpm_project_${name}{project_id="p"} ${value}`)
    .join('\n');
const allThree = lines({
  branches: 3,
  oldest_branch_timestamp_seconds: startAt / 1000 - 3600,
  never_used_branches: 1,
  expired_branches: 1,
  child_branches_logical_bytes: 12,
});
const oneUsed = {
  branches: 2,
  oldest_branch_timestamp_seconds: startAt / 1000,
  child_branches_logical_bytes: 7,
};

testExposition(
  `dbpm_project_branches dbpm_project_oldest_branch_timestamp_seconds dbpm_project_never_used_branches
   dbpm_project_expired_branches dbpm_project_child_branches_logical_bytes dbpm_account_lost_fields_total`,
  {
    'branches are counted, with the oldest, those never used, those expired and what they hold': [
      '',
      branches(root, old, used),
      allThree,
    ],
    'a root alone has no others to tell of': [
      branches(root),
      lines({ branches: 1, expired_branches: 0, never_used_branches: 'absent' }),
    ],
    'a branch that was used once stays so in the next period, and by an endpoint too': [
      branches(root, used),
      branches(root, unused),
      lines({ ...oneUsed, never_used_branches: 0 }),
      branches(root, { ...unused, id: 'br-3' }),
      lines({ ...oneUsed, never_used_branches: 1 }),
      projectReading(startAt, 'p', {
        endpoints: [wireEndpoint('ep-1', { branch_id: 'br-3', last_active: instant(startAt - minute) })],
        operations: [],
      }),
      lines({ ...oneUsed, never_used_branches: 0 }),
    ],
    'what is not told of is absent: use of branches, and what an incomplete list leaves out': [
      branches(root, { id: 'br-1', parent_id: 'br-0' }),
      lines({ branches: 2, expired_branches: 0, never_used_branches: 'absent' }),
      branchesReading(startAt, 'p', [root], { complete: false }),
      lines({ branches: 2 }),
      branches(root),
      lines({ branches: 1 }),
    ],
    'fields that cannot be used are counted, and lose no branch': [
      branches(root, { id: 'br-1', default: 'no', parent_id: 'br-0', logical_size: -1 }),
      `${lines({ branches: 2 })}
       dbpm_account_lost_fields_total{field="default"} 1
       dbpm_account_lost_fields_total{field="logical_size"} 1`,
    ],
  },
  { options: { collectors }, first: [projectsReading(startAt, [{ id: 'p' }])] },
);

const createdAt = startAt - 50 * day;
const child = (id: string, more: WireItem = {}) => ({
  ...{ id, name: id, parent_id: 'root', created_at: instant(createdAt), compute_time_seconds: 0 },
  ...more,
});
const later = (days: number) => startAt + days * day;

/** A history of the projects `p` and `q`, and what reports read of their branches. */
function openBranches() {
  const told = new ToldHistory({ collectors });
  told.tell(projectsReading(startAt, [{ id: 'p' }, { id: 'q' }]));
  const read = (at = startAt) => {
    const found = readReportHistories(
      [told.file],
      known => known,
      ({ branches }) => ({ extent: branches.extent('main', at), listed: branches.read('main', at) }),
    );
    if (found === undefined) throw new Error('there is no history');
    return found;
  };
  const unusedSince = (at = startAt) =>
    Object.fromEntries(
      read(at).listed.flatMap(({ branches }) =>
        branches.map(({ branch_id, unusedSinceAt, isNeverUsed }) => [
          branch_id,
          isNeverUsed ? ['never', unusedSinceAt] : unusedSinceAt,
        ]),
      ),
    );
  return { told, read, unusedSince };
}

test('a branch is unused since the last use of its endpoints, and one never used since it was made', () => {
  const { told, unusedSince } = openBranches();
  const usedAt = startAt - 20 * day;
  told.tell(
    branches(
      { id: 'root', default: true },
      child('never'),
      child('by-endpoint', { compute_time_seconds: 5 }),
      child('nothing-told', { compute_time_seconds: undefined }),
    ),
    projectReading(startAt, 'p', {
      endpoints: [
        wireEndpoint('ep-1', { branch_id: 'by-endpoint', last_active: instant(usedAt) }),
        wireEndpoint('ep-2', { branch_id: 'by-endpoint', last_active: instant(usedAt - day) }),
        wireEndpoint('ep-3', { branch_id: 'never', last_active: '2000-01-01T00:00:00Z' }),
      ],
      operations: [],
    }),
  );
  expect(unusedSince()).toEqual({
    never: ['never', createdAt],
    'by-endpoint': usedAt,
    'nothing-told': undefined,
  });
  // An endpoint that is gone tells it still.
  told.tell(projectReading(startAt + 1000, 'p', { endpoints: [], operations: [] }));
  expect(unusedSince()).toMatchObject({ 'by-endpoint': usedAt });
});

test('without an endpoint it is the reading that found more use, also after a new period began', () => {
  const { told, unusedSince } = openBranches();
  const used = (compute_time_seconds: number | undefined, days: number) => {
    told.tell(branchesReading(later(days), 'p', [child('b', { compute_time_seconds })]));
    return unusedSince(later(days)).b;
  };
  expect(used(7, 0)).toBe(startAt);
  expect(used(7, 1)).toBe(startAt);
  expect(used(9, 2)).toBe(later(2));
  expect(used(0, 3)).toBe(later(2));
  expect(used(undefined, 4)).toBe(later(2));
  expect(used(3, 5)).toBe(later(5));
});

test('a list is good for three days, and of no other time', () => {
  const { told, read } = openBranches();
  expect(read()).toEqual({ extent: 'none', listed: [] });
  told.tell(branches(child('b')));
  expect(read()).toMatchObject({ extent: 'some', listed: [{ listedAt: startAt }] });
  told.tell(branchesReading(startAt, 'q', [{ id: 'root', default: true }]));
  expect(read()).toMatchObject({ extent: 'all', listed: [{ listedAt: startAt }] });
  expect(read(later(3)).listed).toHaveLength(1);
  expect(read(later(3) + 1)).toEqual({ extent: 'none', listed: [] });
  expect(read(later(-1))).toEqual({ extent: 'none', listed: [] });
});

test('branches of a moved project are unused since the last use that any of its shards saw', () => {
  using folder = new HistoryFolder();
  const files = ['whole', 'before', 'after'].map(name => join(folder.path, `${name}.sqlite`));
  const [whole, before, after] = files.map(file => folder.open({ file, collectors }));
  if (whole === undefined || before === undefined || after === undefined) throw new Error('not opened');
  const readAll = (histories: readonly History[], at: number, endpoints: readonly WireItem[]) => {
    const wire = ['deleted-endpoint', 'no-endpoint', 'never', 'used-since'].map(id =>
      child(id, {
        created_at: instant(startAt - 90 * day),
        compute_time_seconds: id === 'never' ? 0 : id === 'used-since' && at > startAt ? 8 : 7,
      }),
    );
    for (const history of histories) {
      history.commitOne(projectsReading(at, [wireProject('p')]));
      history.commitOne(projectReading(at, 'p', { endpoints, operations: [] }));
      history.commitOne(branchesReading(at, 'p', wire));
    }
  };
  const expectSame = (at: number) => {
    const read = (files: readonly string[]) =>
      readReportHistories(
        files,
        known => known,
        history => history.branches.read('main', at),
      )?.map(({ project_ref: _own, ...found }) => found);
    const [wholeFile = '', ...parts] = files;
    expect(read([wholeFile])).toMatchObject([
      {
        branches: [
          { branch_id: 'deleted-endpoint', unusedSinceAt: later(-40) },
          { branch_id: 'never', isNeverUsed: true },
          { branch_id: 'no-endpoint', unusedSinceAt: startAt },
          { branch_id: 'used-since', unusedSinceAt: later(20) },
        ],
      },
    ]);
    expect(read(parts)).toEqual(read([wholeFile]));
  };
  const last_active = instant(later(-40));
  readAll([whole, before], startAt, [wireEndpoint('ep-1', { branch_id: 'deleted-endpoint', last_active })]);
  before.commitOne(projectsReading(later(1), []));
  readAll([whole, after], later(20), []);
  expectSame(later(20));
  // It comes back.
  readAll([whole, before], later(40), []);
  expectSame(later(40));
});
