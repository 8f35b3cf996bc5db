import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { DaemonProcess } from '../support/daemon-process.ts';
import { damagePage, damageTable, listLogPages, listPages, overwrite } from '../support/damaged-history.ts';
import { readExposition, type Sample, sampleValue } from '../support/exposition-reader.ts';
import { differences } from '../support/truth.ts';
import { type SimulatedWorld, startWorld } from './simulated-world.ts';

vi.setConfig({ testTimeout: 240_000 });

const setAsideAt = 'dbpm_exporter_history_set_aside_timestamp_seconds';

async function scrape(daemon: DaemonProcess): Promise<readonly Sample[]> {
  const url = await daemon.untilServing();
  return readExposition(await (await fetch(`${url}/metrics`)).text());
}

/** Waits until all that a daemon shows is true, but for what is told to be less. */
async function untilTrue(
  world: SimulatedWorld,
  daemon: DaemonProcess,
  less: RegExp = /^$/,
): Promise<readonly Sample[]> {
  const read = async () => {
    const samples = await scrape(daemon);
    const wrong = differences(await world.truth(), samples, 0).filter(line => !less.test(line));
    expect(wrong).toEqual([]);
    expect(sampleValue(samples, 'dbpm_up')).toBe(1);
    return samples;
  };
  return vi.waitFor(read, { timeout: 60_000, interval: 100 });
}

function moveLogIntoFile(file: string): void {
  const database = new Database(file);
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
}

test('after a kill and damage all that was saved goes on as it is true, and what begins anew is named', async () => {
  const world = await startWorld({ projects: 4, historyDays: 3, seed: 5, frozenAt: Date.now() });
  onTestFinished(() => world.close());
  const file = join(world.folder, 'history.sqlite');
  do {
    const first = world.startDaemon();
    await untilTrue(world, first);
    moveLogIntoFile(file);
    await world.call('POST', '/advance', { seconds: 600 });
    // This is in the write-ahead log alone.
    await untilTrue(world, first);
    await first.stop('SIGKILL');
    // A log with a header of its own, as when the file grew, takes the place of a damaged one.
  } while (listLogPages(file).includes(1));
  overwrite(file, 0, 100);

  const second = world.startDaemon();
  const samples = await untilTrue(world, second);
  expect(sampleValue(samples, setAsideAt)).toBeGreaterThan(0);
  expect(second.stderr()).toMatch(/set aside, and all of it saved into a new one/);
  await world.call('POST', '/advance', { seconds: 3600 });
  await untilTrue(world, second);
  await second.stop('SIGTERM');

  const operations = listPages(file).filter(({ name, isLeaf }) => name === 'operation' && isLeaf);
  for (const page of operations.slice(2, 5)) damagePage(file, page);
  damageTable(file, 'operation_duration');
  overwrite(file, 0, 100);
  const third = world.startDaemon();
  await third.untilServing();
  await world.call('POST', '/advance', { seconds: 3600 });
  const lost = /^dbpm_operation_attempt_failures_total .*: (\d+) instead of (\d+)$/;
  const last = await untilTrue(world, third, lost);
  const untold = differences(await world.truth(), last, 0).map(line => lost.exec(line));
  expect(untold.filter(line => Number(line?.[1]) > Number(line?.[2]))).toEqual([]);
  const line =
    third
      .stderr()
      .split('\n')
      .find(each => each.includes('what could be read of it saved')) ?? '';
  expect(line).toMatch(/ lost="[^"]*operation_duration: all that there was; operation: about \d+, between /);
  expect(line).toMatch(/ begun_anew="[^"]*dbpm_operation_attempt_failures_total of main\//);
  expect(line).toMatch(/dbpm_operation_duration_seconds of main/);
  expect(sampleValue(last, setAsideAt)).toBeGreaterThanOrEqual(sampleValue(samples, setAsideAt) ?? 0);
});
