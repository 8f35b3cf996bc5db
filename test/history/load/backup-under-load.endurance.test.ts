import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { examineHistory } from '../../../src/history/soundness/examination.ts';
import { writePast } from '../../bench/fleet/past.ts';
import { startProgram } from '../../support/daemon-process.ts';
import { findDifferences } from '../../support/history-difference.ts';
import { HistoryFolder } from '../../support/history-folder.ts';
import { lastReading, listSteady, steadyFrom, steadyReading } from './steady-reading.ts';
import type { WriterLook } from './steady-writer.ts';

vi.setConfig({ testTimeout: 120_000 });

const program = fileURLToPath(new URL('steady-writer.ts', import.meta.url));
/** As many bytes as are copied in one step. */
const copiedAtOnce = 1000 * 4096;
/** A reading waits no longer for its commit, on a machine that does other things, too. */
const longestDelayMs = 2000;
/** Enough rows that they are copied in many steps. */
const past = {
  projects: 100,
  days: 30,
  busyShare: 0.3,
  now: steadyFrom - 3_600_000,
  sampleIntervalMs: 60_000,
};

async function startWriter(file: string) {
  const child: ChildProcess = fork(program, [file], { stdio: ['ignore', 2, 2, 'ipc'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'message');
  const ask = async (message: 'look' | 'end'): Promise<WriterLook> => {
    child.send(message);
    const [look] = await once(child, 'message');
    return look;
  };
  return {
    look: () => ask('look'),
    async end() {
      const exited = once(child, 'exit');
      const look = await ask('end');
      expect(await exited).toEqual([0, null]);
      return look;
    },
  };
}

test('a backup beside a thousand readings a second ends, hinders no reading, and is exactly what was written until one of them', async () => {
  using folder = new HistoryFolder();
  const base = join(folder.path, 'base.sqlite');
  writePast({ ...past, file: base });
  copyFileSync(base, folder.file);
  const writer = await startWriter(folder.file);
  await pause(1000);
  const before = await writer.look();
  const to = join(folder.path, 'copy.sqlite');
  const backup = startProgram(['backup', '--history.file', folder.file, '--to', to]);
  expect(await backup.exited, backup.stderr()).toEqual({ code: 0, signal: null });
  const beside = await writer.look();
  await pause(500);
  const after = await writer.end();
  expect(beside.latestMs).toBeLessThan(longestDelayMs);
  expect(after.written).toBeGreaterThan(after.at * 1000 - longestDelayMs);
  expect(statSync(to).size).toBeGreaterThan(7 * copiedAtOnce);
  const copied = examineHistory(to);
  expect(copied.flaws).toEqual([]);
  const count = countReadings(to);
  expect(count).toBeGreaterThanOrEqual(before.written);
  expect(count).toBeLessThanOrEqual(beside.written);
  // A history that is given the same readings up to that one.
  const replayed = folder.open({ file: base, dropAfterMs: 86_400_000, staleAfterMs: 86_400_000 });
  replayed.commit([listSteady(), ...Array.from({ length: count }, (_, number) => steadyReading(number))]);
  folder.close(replayed);
  expect(findDifferences(to, base)).toEqual([]);
});

function countReadings(file: string): number {
  const database = new Database(file, { readonly: true });
  try {
    return lastReading(database) + 1;
  } finally {
    database.close();
  }
}
