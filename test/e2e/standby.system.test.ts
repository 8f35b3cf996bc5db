import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { findStoppedWriter } from '../../src/history/file/owner.ts';
import type { DaemonProcess } from '../support/daemon-process.ts';
import { readSamples, sampleValue } from '../support/exposition-reader.ts';
import { patience } from '../support/patience.ts';
import { isLong, testSeed } from '../support/seed.ts';
import { asStandby, runPair, untilTrue } from './pair-run.ts';
import { type SimulatedWorld, startWorld } from './simulated-world.ts';

// Two hundred takeovers take five minutes, and three times as long on a busy machine.
vi.setConfig({ testTimeout: 1_800_000 });

const seed = testSeed(20261122);
const pairs = isLong ? 4 : 1;
const takeoversOfPair = (isLong ? 200 : 6) / pairs;
const longestMs = 10_000;

test('a standby shows what the active daemon wrote with its age, asks the service nothing, and says what it is', async () => {
  const world = await startWorld({ projects: 2, historyDays: 1 });
  onTestFinished(() => world.close());
  const active = await world.startDaemon().untilServing();
  await untilTrue(world, active);
  const standby = world.startDaemon(asStandby);
  const url = await standby.untilServing();
  const read = async (path: string) => (await fetch(url + path)).text();
  expect(await read('/-/ready')).toBe('dbpm-exporter is a standby: another one has the history.\n');
  expect((await fetch(`${url}/-/ready`)).status).toBe(503);
  expect(await read('/-/healthy')).toBe('dbpm-exporter is healthy, as a standby.\n');
  await untilTrue(world, url);
  const before = await readSamples(url);
  expect(sampleValue(before, 'dbpm_exporter_standby', {})).toBe(1);
  expect(sampleValue(before, 'dbpm_exporter_takeovers_total', {})).toBe(0);
  expect(before.filter(({ name }) => name === 'dbpm_exporter_api_requests_total')).toEqual([]);
  expect(await read('/health')).toMatch(
    /This is a standby: it shows what the daemon that has the history wrote/,
  );
  expect(JSON.parse(await read('/api/v1/health'))).toMatchObject({
    standby: { is_standby: true, takeovers: 0 },
  });
  // A newer moment follows as soon as the other one writes.
  const shownAt = sampleValue(before, 'dbpm_exporter_published_timestamp_seconds', {}) ?? 0;
  await vi.waitFor(async () => {
    const newer = sampleValue(await readSamples(url), 'dbpm_exporter_published_timestamp_seconds', {});
    expect(newer).toBeGreaterThan(shownAt);
  }, patience);
  await standby.untilWritten('stderr', /msg="standing by: another daemon has the history"/);
  expect(await standby.stop('SIGTERM')).toEqual({ code: 0, signal: null });
});

test('a daemon without --standby that was stopped ends with one sentence when it goes on', async () => {
  const world = await startWorld({ projects: 2, historyDays: 1 });
  onTestFinished(() => world.close());
  const first = world.startDaemon();
  const firstUrl = await first.untilServing();
  const second = world.startDaemon(asStandby);
  const url = await second.untilServing();
  await untilTrue(world, firstUrl);
  await stopAtRest(world, first);
  await vi.waitFor(async () => expect((await fetch(`${url}/-/ready`)).status).toBe(200), patience);
  first.signal('SIGCONT');
  // Its page of before is older than that of the other one.
  const page = await fetch(`${firstUrl}/metrics`).catch(() => undefined);
  expect(page?.ok ?? false).toBe(false);
  expect(await first.exited).toEqual({ code: 1, signal: null });
  expect(first.stderr()).toMatch(
    /^dbpm-exporter: the history was taken over by another dbpm-exporter \(process \d+ on .+\): this one stops, as both would count the same$/m,
  );
});

test(`one of two daemons always writes, never both, over ${pairs * takeoversOfPair} takeovers (TEST_SEED=${seed})`, async () => {
  const seen = await Promise.all(Array.from({ length: pairs }, (_, index) => takeOverAgain(index)));
  const takeovers = seen.flat().toSorted((a, b) => a.afterMs - b.afterMs);
  const slowest = takeovers.at(-1)?.afterMs ?? 0;
  const middle = takeovers[Math.floor(takeovers.length / 2)]?.afterMs ?? 0;
  console.log(
    `${takeovers.length} takeovers, half within ${Math.round(middle)} ms, the slowest ${Math.round(slowest)} ms`,
  );
  expect(takeovers.length).toBe(pairs * takeoversOfPair);
  // Many at once keep each other from the processors: one in twenty may take longer.
  const late = takeovers.filter(({ afterMs }) => afterMs > longestMs);
  if (isLong) expect(late.length).toBeLessThanOrEqual(takeovers.length / 20);
});

/** One pair. Its active daemon is taken out again and again. */
async function takeOverAgain(index: number) {
  const { pair, audit } = await runPair({ seed, index }, async ({ pair, random }) => {
    while (pair.takeovers.length < takeoversOfPair) {
      await pair.takeOver();
      await pause(random.integer(0, 800));
    }
  });
  expect(audit.takeovers()).toBeGreaterThanOrEqual(takeoversOfPair);
  return pair.takeovers;
}

/** Stops a daemon, but not in the midst of a write: one that holds the file has to be killed. */
async function stopAtRest(world: SimulatedWorld, daemon: DaemonProcess): Promise<void> {
  for (;;) {
    daemon.signal('SIGSTOP');
    const isStopped = () => expect(readFileSync(`/proc/${daemon.pid}/stat`, 'utf8')).toMatch(/\) T /);
    await vi.waitFor(isStopped, patience);
    if (findStoppedWriter(join(world.folder, 'history.sqlite')) === undefined) return;
    daemon.signal('SIGCONT');
    await pause(50);
  }
}
