import { expect, test } from 'vitest';
import type { History } from '../../src/history/history.ts';
import { readReportHistories } from '../../src/history/merge/report-reading.ts';
import { findShard } from '../../src/resources/shard.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import {
  day,
  minute,
  projectReading,
  projectsReading,
  wireEndpoint,
  wireProject,
} from '../support/reading-builder.ts';

const firstDay = Date.UTC(2026, 9, 1);
const [stays = '', moves = ''] = [0, 1].map(shard =>
  Array.from({ length: 50 }, (_, index) => `p-${index}`).find(id => findShard(id, 2) === shard),
);

/** A history that reads projects of an account every six hours. */
function watch(history: History, ids: readonly string[], fromAt: number, untilAt: number): void {
  for (let at = fromAt; at <= untilAt; at += day / 4) {
    const items = [stays, moves].map(id =>
      wireProject(id, { cpu_used_sec: (at - firstDay) / 1000, created_at: '2026-10-01T00:00:00Z' }),
    );
    const { items: listed, ...reading } = projectsReading(at, items);
    const isOwn = ({ project_id }: { readonly project_id: string }) => ids.includes(project_id);
    const leftOut = listed.filter(each => !isOwn(each));
    history.commitOne({ ...reading, items: listed.filter(isOwn), leftOut });
    for (const id of ids)
      history.commitOne(projectReading(at, id, { endpoints: [wireEndpoint(`ep-${id}`)], operations: [] }));
  }
  while (history.upkeep(untilAt));
}

const settled = (...files: readonly string[]) =>
  readReportHistories(
    files,
    known => known,
    history => history.settledUntil('main'),
  );

test('an account goes on to settle after a project of it has moved to another shard', () => {
  using folder = new HistoryFolder();
  const movedAt = firstDay + 2 * day;
  const first = folder.open();
  watch(first, [stays, moves], firstDay, movedAt);
  expect(settled(folder.file)).toBe(movedAt - 60 * minute);
  const shard = folder.reopen(first, { shard: { index: 0, count: 2 } });
  watch(shard, [stays], movedAt, movedAt + day);
  expect(settled(folder.file)).toBe(movedAt + day - 60 * minute);
  const other = `${folder.path}/other.sqlite`;
  const taking = folder.open({ file: other, shard: { index: 1, count: 2 } });
  watch(taking, [moves], movedAt, movedAt + day / 2);
  expect(settled(folder.file, other)).toBe(movedAt + day / 2 - 60 * minute);
});
