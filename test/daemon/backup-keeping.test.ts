import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { BackupKeeping } from '../../src/daemon/backup-keeping.ts';
import { examineHistory } from '../../src/history/soundness/examination.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import { wireProject } from '../support/reading-builder.ts';

const now = Date.parse('2026-11-22T09:25:00Z');
const hour = 3_600_000;
const day = 24 * hour;

/** The keeping of backups of a history that is being written, and how each ended. */
function keepBackups(keep: number, makeDirectory: (folder: string) => string = () => '') {
  const folder = new HistoryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  folder.openListed([wireProject('p', { cpu_used_sec: 70 })]);
  const outcomes: (number | string)[] = [];
  let settle = () => {};
  const end = (outcome: number | string) => {
    outcomes.push(outcome);
    settle();
  };
  const plan = { everyMs: day, keep, directory: makeDirectory(folder.path) };
  const keeping = new BackupKeeping(
    folder.file,
    plan,
    { onMade: end, onFailed: ({ message }) => end(message) },
    0,
  );
  onTestFinished(() => keeping.close());
  /** Keeps up at an instant and waits for the backup that this begins. */
  const makeAt = async (at: number, nowMs: number) => {
    const ended = new Promise<void>(resolve => {
      settle = resolve;
    });
    keeping.keepUp(at, nowMs);
    await ended;
    // The thread ends after it.
    await keeping.close();
  };
  const backups = () => readdirSync(folder.path).filter(name => /\.backup-/.test(name));
  return { folder, keeping, outcomes, makeAt, backups };
}

test('the first backup is made an hour after the start, the next when that is old enough, and older ones go', async () => {
  const { folder, keeping, outcomes, makeAt, backups } = keepBackups(1);
  keeping.keepUp(now, hour - 1);
  expect(keeping.newestAt()).toBeUndefined();
  await makeAt(now, hour);
  expect(keeping.newestAt()).toBe(now);
  expect(backups()).toEqual(['dbpm.sqlite.backup-20261122T092500Z']);
  expect(examineHistory(join(folder.path, 'dbpm.sqlite.backup-20261122T092500Z')).flaws).toEqual([]);
  keeping.keepUp(now + day - 1, hour + day);
  await makeAt(now + day, hour + day);
  expect(outcomes).toEqual([now, now + day]);
  expect(backups()).toEqual(['dbpm.sqlite.backup-20261123T092500Z']);
});

test('a backup of the future, by a clock that was set back, keeps nobody from the next one', async () => {
  const { makeAt, backups } = keepBackups(2);
  await makeAt(now + 365 * day, hour);
  await makeAt(now, 2 * hour);
  expect(backups().length).toBe(2);
});

test('none is made where none is to be kept', () => {
  const { keeping } = keepBackups(0);
  keeping.keepUp(now, 10 * day);
  expect(keeping.isBusy).toBe(false);
});

test('one that fails says why, and is tried again an hour later', async () => {
  const { keeping, outcomes, makeAt, backups } = keepBackups(1, folder => {
    const file = join(folder, 'no-folder');
    writeFileSync(file, '');
    return file;
  });
  await makeAt(now, hour);
  expect(outcomes).toEqual([expect.stringMatching(/EEXIST|ENOTDIR/)]);
  keeping.keepUp(now + 1, 2 * hour - 1);
  expect(keeping.isBusy).toBe(false);
  await makeAt(now + hour, 2 * hour);
  expect(outcomes.length).toBe(2);
  expect(backups()).toEqual([]);
});
