import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createRandom } from '../../src/simulator/model/random.ts';
import { readExposition, sampleValue } from '../support/exposition-reader.ts';
import { differences } from '../support/truth.ts';
import { ScrapeWatch } from './scrape-watch.ts';
import { type SimulatedWorld, startWorld } from './simulated-world.ts';
import { StandbyPair } from './standby-pair.ts';
import { createDriver } from './world-driver.ts';

// Two hundred takeovers take five minutes, and three times as long on a busy machine.
vi.setConfig({ testTimeout: 1_800_000 });

const seed = Number(process.env.STANDBY_SEED ?? 20261122);
const pairs = 4;
const takeoversOfPair = Number(process.env.STANDBY_TAKEOVERS ?? 200) / pairs;
const longestMs = 10_000;
const asStandby = { DBPM_STANDBY: 'true' };

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
  }, 30_000);
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
  await untilQuiet(world, firstUrl);
  first.signal('SIGSTOP');
  await vi.waitFor(async () => expect((await fetch(`${url}/-/ready`)).status).toBe(200), longestMs);
  first.signal('SIGCONT');
  // Its page of before is older than that of the other one.
  const page = await fetch(`${firstUrl}/metrics`).catch(() => undefined);
  expect(page?.ok ?? false).toBe(false);
  expect(await first.exited).toEqual({ code: 1, signal: null });
  expect(first.stderr()).toMatch(
    /^dbpm-exporter: the history was taken over by another dbpm-exporter \(process \d+ on .+\): this one stops, as both would count the same$/m,
  );
});

test(`one of two daemons always writes, never both, over ${pairs * takeoversOfPair} takeovers`, async () => {
  const seen = await Promise.all(Array.from({ length: pairs }, (_, index) => runPair(index)));
  const takeovers = seen.flat().toSorted((a, b) => a.afterMs - b.afterMs);
  const slowest = takeovers.at(-1)?.afterMs ?? 0;
  const middle = takeovers[Math.floor(takeovers.length / 2)]?.afterMs ?? 0;
  console.log(
    `${takeovers.length} takeovers, half within ${Math.round(middle)} ms, the slowest ${Math.round(slowest)} ms`,
  );
  expect(takeovers.length).toBe(pairs * takeoversOfPair);
  // So many at once keep each other from the processors: one in twenty may take longer. One alone is looked at above.
  const late = takeovers.filter(({ afterMs }) => afterMs > longestMs);
  expect(late.length).toBeLessThanOrEqual(takeovers.length / 20);
});

/** One pair, in a world of its own that changes meanwhile. */
async function runPair(index: number) {
  const world = await startWorld({ seed: seed + index, projects: 3, historyDays: 1 });
  onTestFinished(() => world.close());
  const random = createRandom(seed, 'takeovers', index);
  const pair = new StandbyPair(() => world.startDaemon(asStandby), random);
  await pause(index * 3000);
  await pair.open();
  const audit = auditWriters(join(world.folder, 'history.sqlite'));
  const watch = new ScrapeWatch();
  const over = new AbortController();
  const busy = Promise.all([keepChanging(world, index, over.signal), keepScraping(pair, watch, over.signal)]);
  try {
    while (pair.takeovers.length < takeoversOfPair) {
      await pair.takeOver();
      await pause(random.integer(0, 800));
    }
  } finally {
    over.abort();
    await busy;
  }
  for (const url of pair.urls) await untilTrue(world, url);
  expect(watch.falls).toEqual([]);
  expect(audit.findSecondWriters()).toEqual([]);
  expect(audit.takeovers()).toBeGreaterThanOrEqual(takeoversOfPair);
  return pair.takeovers;
}

async function keepChanging(world: SimulatedWorld, index: number, over: AbortSignal): Promise<void> {
  const change = createDriver(world, createRandom(seed, 'changes', index));
  while (!over.aborted) {
    await change();
    await pause(300);
  }
}

/** Scrapes whoever is asked first; what a standby shows may be older, so those are not held against each other. */
async function keepScraping(pair: StandbyPair, watch: ScrapeWatch, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    for (const url of pair.urls) {
      const isReady = await fetch(`${url}/-/ready`, { signal: AbortSignal.timeout(500) }).catch(
        () => undefined,
      );
      if (isReady?.ok) await watch.scrape(url, 500);
    }
    await pause(250);
  }
}

/**
 * Has the history itself note who writes: how often it was taken, and how many rows the connection that writes has
 * changed. Two connections that write under one owner would not count up one after the other.
 */
function auditWriters(file: string) {
  const database = new Database(file, { timeout: 10_000 });
  onTestFinished(() => void database.close());
  const note = 'INSERT INTO audit (generation, changed) SELECT generation, total_changes() FROM owner';
  database.exec(`
    CREATE TABLE audit (noted INTEGER PRIMARY KEY, generation INTEGER, changed INTEGER);
    CREATE TRIGGER audit_insert AFTER INSERT ON collector BEGIN ${note}; END;
    CREATE TRIGGER audit_update AFTER UPDATE ON collector BEGIN ${note}; END;
  `);
  const disorder = `
    SELECT * FROM (
      SELECT noted, generation, changed, lag(generation) OVER w AS generation_before, lag(changed) OVER w AS changed_before
      FROM audit WINDOW w AS (ORDER BY noted)
    ) WHERE generation < generation_before OR (generation = generation_before AND changed < changed_before)`;
  return {
    findSecondWriters: () => database.prepare(disorder).all(),
    takeovers: () => Number(database.prepare('SELECT takeovers FROM owner').pluck().get()),
  };
}

async function readSamples(url: string) {
  return readExposition(await (await fetch(`${url}/metrics`)).text());
}

/** Until a page says what is true, of a world that stands still. */
async function untilTrue(world: SimulatedWorld, url: string): Promise<void> {
  world.freeze();
  await vi.waitFor(
    async () => expect(differences(await world.truth(), await readSamples(url), 60)).toEqual([]),
    60_000,
  );
}

/** Until the daemon has read all, and mostly rests: one that is stopped in the midst of a write has to be killed. */
async function untilQuiet(world: SimulatedWorld, url: string): Promise<void> {
  await untilTrue(world, url);
  await pause(2000);
}
