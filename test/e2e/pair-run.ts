import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, vi } from 'vitest';
import { createRandom, type Random } from '../../src/simulator/model/random.ts';
import { readSamples } from '../support/exposition-reader.ts';
import { patience } from '../support/patience.ts';
import { differences } from '../support/truth.ts';
import { createDriver } from '../world/driver.ts';
import { ScrapeWatch } from '../world/scrape-watch.ts';
import { type SimulatedWorld, startWorld } from './simulated-world.ts';
import { StandbyPair } from './standby-pair.ts';
import { auditWriters } from './writer-audit.ts';

export const asStandby = { DBPM_STANDBY: 'true' };

interface PairRun {
  readonly pair: StandbyPair;
  readonly random: Random;
  readonly historyFile: string;
  readonly audit: ReturnType<typeof auditWriters>;
}

interface PairOptions {
  readonly seed: number;
  /** Pairs that run at once begin one after the other. */
  readonly index: number;
}

/**
 * A pair in a world of its own that changes while something is done to the pair. Then both say what is true, no counter
 * fell from one scrape to the next, and never did two of them write, or answer at once.
 */
export async function runPair(
  { seed, index }: PairOptions,
  act: (run: PairRun) => Promise<void>,
): Promise<PairRun> {
  const world = await startWorld({ seed: seed + index, projects: 3, historyDays: 1 });
  onTestFinished(() => world.close());
  const random = createRandom(seed, 'takeovers', index);
  const pair = new StandbyPair(() => world.startDaemon(asStandby), random);
  await pause(index * 3000);
  await pair.open();
  const historyFile = join(world.folder, 'history.sqlite');
  const run = { pair, random, historyFile, audit: auditWriters(historyFile) };
  const watch = new ScrapeWatch();
  const over = new AbortController();
  const change = createDriver(world, createRandom(seed, 'changes', index));
  const busy = Promise.all([keepDoing(change, over.signal), keepScraping(pair, watch, over.signal)]);
  try {
    await act(run);
  } finally {
    over.abort();
    await busy;
  }
  for (const url of pair.urls) await untilTrue(world, url);
  expect(watch.falls).toEqual([]);
  expect(run.audit.findSecondWriters()).toEqual([]);
  return run;
}

async function keepDoing(change: () => Promise<void>, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await change();
    await pause(300);
  }
}

/** Scrapes the daemon that is asked first. What a standby shows may be older: the two are not held against each other. */
async function keepScraping(pair: StandbyPair, watch: ScrapeWatch, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    for (const url of pair.urls) if (await isReady(url)) await watch.scrape(url, 500);
    await pause(250);
  }
}

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/-/ready`, { signal: AbortSignal.timeout(500) }).catch(() => undefined);
  return answer?.ok ?? false;
}

/** Until a page says what is true, of a world that stands still. */
export async function untilTrue(world: SimulatedWorld, url: string): Promise<void> {
  world.freeze();
  await vi.waitFor(
    async () => expect(differences(await world.truth(), await readSamples(url), 60)).toEqual([]),
    patience,
  );
}
