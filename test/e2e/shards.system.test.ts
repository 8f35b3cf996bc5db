import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isOfShard } from '../../src/resources/shard.ts';
import type { DaemonProcess } from '../support/daemon-process.ts';
import { readSamples, type Sample, sampleValue } from '../support/exposition-reader.ts';
import { patience } from '../support/patience.ts';
import { differences } from '../support/truth.ts';
import { type SimulatedWorld, startWorld } from './simulated-world.ts';

/** A shard as users start it, on the history of its number. */
function startShard(world: SimulatedWorld, index: number, count: number): DaemonProcess {
  const file = join(world.folder, `shard-${index}.sqlite`);
  return world.startDaemon({ ...settingsOf(index, count, 60_000), DBPM_HISTORY_FILE: file });
}

function settingsOf(index: number, count: number, requestsPerMinute: number) {
  return {
    DBPM_SHARD: `${index}/${count}`,
    DBPM_REQUESTS_PER_MINUTE: `${requestsPerMinute}`,
    DBPM_COLLECT_SCHEDULE: '*/2 * * * * *',
    DBPM_COLLECT_IDLE_REFRESH: '20s',
  };
}

const scrape = async (daemon: DaemonProcess): Promise<readonly Sample[]> =>
  readSamples(await daemon.untilServing());

/** The samples of all shards. No project is there twice. */
async function scrapeAll(shards: readonly DaemonProcess[]): Promise<readonly Sample[]> {
  const pages = await Promise.all(shards.map(scrape));
  for (const [index, samples] of pages.entries()) {
    const ids = samples.map(({ labels }) => labels.project_id).filter(id => id !== undefined);
    expect(ids.every(id => isOfShard(id, { index, count: shards.length }))).toBe(true);
  }
  return pages.flat();
}

const untilTrue = (world: SimulatedWorld, shards: readonly DaemonProcess[]) =>
  vi.waitFor(
    async () => expect(differences(await world.truth(), await scrapeAll(shards), 1)).toEqual([]),
    patience,
  );

test('three shards of one account say together what is true, over kills and a fourth one', async () => {
  const world = await startWorld({
    projects: 60,
    historyDays: 1,
    frozenAt: Math.floor(Date.now() / 1000) * 1000,
  });
  onTestFinished(() => world.close());
  const shards = [0, 1, 2].map(index => startShard(world, index, 3));
  await untilTrue(world, shards);
  for (const [index, shard] of shards.entries()) {
    // Keys are read apart from projects.
    const samples = await vi.waitFor(async () => {
      const shown = await scrape(shard);
      expect(shown.some(({ name }) => name === 'dbpm_api_key_info')).toBe(index === 0);
      return shown;
    }, patience);
    expect(sampleValue(samples, 'dbpm_exporter_shard_info', { shard: `${index}`, shards: '3' })).toBe(1);
    expect(sampleValue(samples, 'dbpm_exporter_request_budget_per_minute')).toBe(20_000);
  }

  // Something happens, and one of them is killed meanwhile.
  await shards[1]?.stop('SIGKILL');
  await world.call('POST', '/advance', { seconds: 600 });
  await world.call('POST', '/projects', { name: 'late', branches: 2 });
  shards[1] = startShard(world, 1, 3);
  await untilTrue(world, shards);

  await Promise.all(shards.map(shard => shard.stop('SIGTERM')));
  const four = [0, 1, 2, 3].map(index => startShard(world, index, 4));
  await vi.waitFor(async () => {
    const lines = differences(await world.truth(), await scrapeAll(four), 1);
    // Use and time awake of a project begin anew on the shard that it moved to.
    expect(lines.filter(line => !/cpu_used_seconds_total|state_seconds_total/.test(line))).toEqual([]);
  }, patience);
  await Promise.all(four.map(shard => shard.stop('SIGTERM')));
});

test('a shard on the history of another one ends with one sentence', async () => {
  const world = await startWorld({ projects: 2, historyDays: 1 });
  onTestFinished(() => world.close());
  const file = join(world.folder, 'shard-0.sqlite');
  const refusal = `dbpm-exporter: ${file} is the history of shard 0/2: give shard 1/2 another history.file\n`;
  const first = startShard(world, 0, 2);
  await first.untilServing();
  for (const isRunning of [true, false]) {
    if (!isRunning) await first.stop('SIGTERM');
    const other = world.startDaemon({ DBPM_SHARD: '1/2', DBPM_HISTORY_FILE: file });
    expect(await other.exited).toEqual({ code: 1, signal: null });
    if (isRunning) expect(other.stderr()).not.toContain('msg=serving');
    else expect(other.stderr()).toContain(refusal);
  }
});
