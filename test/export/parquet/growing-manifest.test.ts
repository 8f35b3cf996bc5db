import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  GrowingManifest,
  manifestPath,
  readManifest,
  type WrittenDay,
} from '../../../src/export/parquet/manifest.ts';
import { HistoryFolder } from '../../support/history-folder.ts';

const terms = { timezone: 'UTC', personal: false };
const dayOf = (index: number): WrittenDay => ({
  ...{ account: 'main', day: `day ${index}`, from: '2026-10-01T00:00:00Z', until: '2026-10-02T00:00:00Z' },
  files: [{ table: 'projects', path: `projects/${index}.parquet`, rows: index, bytes: 7, sha256: '0' }],
});

test('a manifest that takes long to write is written now and then, and holds each day once when it is saved', () => {
  using folder = new HistoryFolder();
  let now = 0;
  let inode: number | undefined;
  let writings = 0;
  /** A clock by which each writing takes 10 ms: it goes on whenever it is asked. */
  const clock = () => {
    const found = statSync(manifestPath(folder.path), { throwIfNoEntry: false })?.ino;
    if (found !== inode) {
      inode = found;
      writings += 1;
      now += 10;
    }
    return now;
  };
  const manifest = new GrowingManifest(folder.path, readManifest(folder.path, terms), clock);
  const days = 500;
  for (let index = 0; index < days; index += 1) {
    manifest.add(dayOf(index));
    now += 1;
  }
  // A twentieth of the time, and no more, goes into it.
  expect(writings).toBeGreaterThan(1);
  expect(writings * 10).toBeLessThanOrEqual(days / 20 + 10);
  expect(readManifest(folder.path, terms).days.length).toBeLessThan(days);
  manifest.save();
  expect(readManifest(folder.path, terms).days).toEqual(Array.from({ length: days }, (_, n) => dayOf(n)));
  const { ino } = statSync(manifestPath(folder.path));
  manifest.save();
  expect(statSync(manifestPath(folder.path)).ino).toBe(ino);
});

test('a day that is added again takes the place of the former one', () => {
  using folder = new HistoryFolder();
  const manifest = new GrowingManifest(folder.path, readManifest(folder.path, terms));
  expect(manifest.has(dayOf(1))).toBe(false);
  for (const index of [1, 2]) manifest.add(dayOf(index));
  manifest.add({ ...dayOf(1), files: [] });
  manifest.save();
  const read = readManifest(folder.path, terms);
  expect(read.days).toEqual([dayOf(2), { ...dayOf(1), files: [] }]);
  expect(new GrowingManifest(folder.path, read).has(dayOf(1))).toBe(true);
});
