import { renameSync } from 'node:fs';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ExportHistory } from '../../../src/export/backfill/export-history.ts';
import { RenewedLook } from '../../../src/export/backfill/renewed-look.ts';
import type { History } from '../../../src/history/history.ts';
import { layInstants } from '../../../src/resources/backfill.ts';
import { catalog } from '../../../src/resources/catalog.ts';
import { HistoryFolder } from '../../support/history-folder.ts';
import {
  day,
  minute,
  projectReading,
  projectsReading,
  startAt,
  wireEndpoint,
  wireOperation,
  wireProject,
} from '../../support/reading-builder.ts';
import { usualUsage } from '../../support/usage-options.ts';

const project = (used: number, name = 'one') => wireProject('p', { cpu_used_sec: used, name });
const starts = 'dbpm_endpoint_starts_total';
const used = 'dbpm_project_cpu_used_seconds_total';
const info = 'dbpm_project_info';

let folder: HistoryFolder;
let history: History;
let look: RenewedLook;
/** Looks beside the first that were taken. */
let renewed: number;
beforeEach(() => {
  folder = new HistoryFolder();
  history = folder.openListed([project(10)]);
  const endpoints = [wireEndpoint('ep-1')];
  history.commitOne(projectReading(startAt, 'p', { endpoints, operations: [wireOperation('a')] }));
  history.commitOne(projectsReading(startAt + 10 * minute, [project(70)]));
  renewed = 0;
  const open = () => {
    renewed += 1;
    return new ExportHistory([folder.file]);
  };
  look = new RenewedLook(new ExportHistory([folder.file]), open, {
    ...{ groups: catalog.filter(({ unit }) => unit !== 'usage'), metrics: [starts, used, info], labels: {} },
    usage: usualUsage,
    staleAfterMs: 45 * day,
  });
});
afterEach(() => {
  look[Symbol.dispose]();
  folder[Symbol.dispose]();
});

const rowAt = (at: number) => [layInstants(at, at, minute)];
const renewAt = (at: number) => look.renew(rowAt(at));

/** Series that are shown at an instant, with their values. */
function shownAt(at: number) {
  return [...look.read(rowAt(at))].flatMap(({ track }) =>
    [...(track?.runs(1) ?? [])].map(({ values }) => {
      const { name, labels } = track?.series[0] ?? { name: '', labels: [] };
      const called = labels.find(([label]) => label === 'project_name')?.[1];
      return [called === undefined ? name : `${name} of ${called}`, ...values];
    }),
  );
}

/** Pages of the log that a checkpoint can move into the file. */
function checkpoint(): { readonly log: number; readonly checkpointed: number } {
  const database = new Database(folder.file);
  const [found] = database.pragma('wal_checkpoint(PASSIVE)') as { log: number; checkpointed: number }[];
  database.close();
  if (found === undefined) throw new Error('a checkpoint answers a row');
  return found;
}

test('what was written since is seen after it, and the log can be moved into the file', () => {
  const at = startAt + 5 * minute;
  const before = shownAt(at);
  expect(before.map(([name]) => name)).toEqual([`${info} of one`, used, starts]);
  history.commitOne(projectsReading(startAt + 20 * minute, [project(100)]));
  const { log, checkpointed } = checkpoint();
  expect(checkpointed).toBeLessThan(log);
  renewAt(at);
  expect(shownAt(at)).toEqual(before);
  expect(shownAt(startAt + 20 * minute)).toContainEqual([used, 100]);
  const after = checkpoint();
  expect(after.checkpointed).toBe(after.log);
});

test('a project that has another name by now keeps the one it was sent with', () => {
  history.commitOne(projectsReading(startAt + 20 * minute, [project(100, 'two')]));
  renewAt(startAt + 5 * minute);
  expect(renewed).toBe(1);
  expect(shownAt(startAt + 5 * minute)[0]).toEqual([`${info} of one`, 1]);
  // What was recorded since stays unseen with it.
  expect(shownAt(startAt + 20 * minute)).toContainEqual([used, 70]);
});

test('a counter that would fall, as less is known of the past by now, goes on by what was known', () => {
  const other = new Database(folder.file);
  const at = startAt + 5 * minute;
  const [, , [, begun] = []] = shownAt(at);
  expect(begun).toBe(1);
  other.exec('DELETE FROM operation; DELETE FROM operation_count');
  other.close();
  renewAt(at);
  expect(renewed).toBe(1);
  expect(shownAt(at)).toContainEqual([starts, 1]);
});

test('what comes between series that were there hides none of them', () => {
  history.commitOne(
    projectsReading(startAt + 20 * minute, [
      wireProject('a', { created_at: '2026-11-21T10:00:00Z' }),
      project(100),
      wireProject('z', { created_at: '2026-11-21T10:00:00Z' }),
    ]),
  );
  renewAt(startAt + 5 * minute);
  expect(shownAt(startAt + 5 * minute)).toHaveLength(7);
});

test('a history that cannot be opened any more is read to the end as it was', () => {
  const at = startAt + 5 * minute;
  const before = shownAt(at);
  folder.close(history);
  renameSync(folder.file, `${folder.file}.away`);
  renewAt(at);
  expect(renewed).toBe(1);
  expect(shownAt(at)).toEqual(before);
});
