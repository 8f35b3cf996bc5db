import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { backupHistory, nameBackup } from '../../src/history/file/backup.ts';
import type { DaemonProcess } from '../support/daemon-process.ts';
import { overwrite } from '../support/damaged-history.ts';
import { readSamples, type Sample, sampleValue } from '../support/exposition-reader.ts';
import { patience } from '../support/patience.ts';
import { differences } from '../support/truth.ts';
import { type SimulatedWorld, startWorld } from './simulated-world.ts';

/** Waits until all that a daemon shows is true. */
async function untilTrue(world: SimulatedWorld, daemon: DaemonProcess): Promise<readonly Sample[]> {
  const url = await daemon.untilServing();
  const read = async () => {
    const samples = await readSamples(url);
    expect(differences(await world.truth(), samples, 0)).toEqual([]);
    expect(sampleValue(samples, 'dbpm_up')).toBe(1);
    return samples;
  };
  return vi.waitFor(read, patience);
}

test('after damage the newest backup goes on, and all that the service still tells is true again', async () => {
  const world = await startWorld({ projects: 4, historyDays: 3, seed: 5, frozenAt: Date.now() });
  onTestFinished(() => world.close());
  const file = join(world.folder, 'history.sqlite');
  const first = world.startDaemon();
  await untilTrue(world, first);
  const to = nameBackup(file, '', Date.now());
  await backupHistory({ from: file, to });
  await world.call('POST', '/advance', { seconds: 3600 });
  await untilTrue(world, first);
  await first.stop('SIGTERM');
  overwrite(file, 0, 100);

  const second = world.startDaemon();
  await world.call('POST', '/advance', { seconds: 3600 });
  const samples = await untilTrue(world, second);
  expect(sampleValue(samples, 'dbpm_exporter_history_set_aside_timestamp_seconds')).toBeGreaterThan(0);
  expect(sampleValue(samples, 'dbpm_exporter_history_backup_timestamp_seconds')).toBeGreaterThan(0);
  expect(second.stderr()).toMatch(/set aside, and the newest backup goes on in its place/);
  expect(second.stderr()).toContain(to);
});
