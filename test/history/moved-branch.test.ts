import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { History } from '../../src/history/history.ts';
import { readReportHistories } from '../../src/history/merge/report-reading.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import {
  branchesReading,
  day,
  instant,
  projectReading,
  projectsReading,
  startAt,
  type WireItem,
  wireEndpoint,
  wireProject,
} from '../support/reading-builder.ts';

const branches = (at: number, used: number): readonly WireItem[] =>
  ['deleted-endpoint', 'no-endpoint', 'never', 'used-since'].map(id => ({
    ...{ id, name: id, parent_id: 'root', created_at: instant(startAt - 90 * day) },
    compute_time_seconds: id === 'never' ? 0 : id === 'used-since' && at > startAt ? used + 1 : used,
  }));

function readAll(histories: readonly History[], at: number, endpoints: readonly WireItem[]): void {
  for (const history of histories) {
    history.record(projectsReading(at, [wireProject('p')]));
    history.record(projectReading(at, 'p', { endpoints, operations: [] }));
    history.record(branchesReading(at, 'p', branches(at, 7)));
  }
}

test('branches of a moved project are unused since the last use that any of its shards saw', () => {
  using folder = new HistoryFolder();
  const files = ['whole', 'before', 'after'].map(name => join(folder.path, `${name}.sqlite`));
  const [whole, before, after] = files.map(file =>
    folder.open({ file, collectors: ['projects', 'endpoints', 'operations', 'branches'] }),
  );
  if (whole === undefined || before === undefined || after === undefined) throw new Error('not opened');
  const last_active = instant(startAt - 40 * day);
  readAll([whole, before], startAt, [wireEndpoint('ep-1', { branch_id: 'deleted-endpoint', last_active })]);
  before.record(projectsReading(startAt + day, []));
  readAll([whole, after], startAt + 20 * day, []);
  const [wholeFile = '', ...parts] = files;
  expectSame(wholeFile, parts, startAt + 20 * day, [
    { branch_id: 'deleted-endpoint', unusedSinceAt: startAt - 40 * day },
    { branch_id: 'never', isNeverUsed: true },
    { branch_id: 'no-endpoint', unusedSinceAt: startAt },
    { branch_id: 'used-since', unusedSinceAt: startAt + 20 * day },
  ]);
  // It comes back.
  readAll([whole, before], startAt + 40 * day, []);
  expectSame(wholeFile, parts, startAt + 40 * day, [
    { branch_id: 'deleted-endpoint', unusedSinceAt: startAt - 40 * day },
    { branch_id: 'never', isNeverUsed: true },
    { branch_id: 'no-endpoint', unusedSinceAt: startAt },
    { branch_id: 'used-since', unusedSinceAt: startAt + 20 * day },
  ]);
});

function expectSame(whole: string, parts: readonly string[], at: number, branches: readonly object[]): void {
  const read = (files: readonly string[]) =>
    readReportHistories(
      files,
      known => known,
      history => history.branches.read('main', at),
    )?.map(({ project_ref: _own, ...found }) => found);
  expect(read([whole])).toMatchObject([{ branches }]);
  expect(read(parts)).toEqual(read([whole]));
}
