import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createRandom, type Random } from '../../src/simulator/model/random.ts';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { sampleValue } from '../support/exposition-reader.ts';
import { testSeed } from '../support/seed.ts';
import { differences, endedByAction, type TrueProject } from '../support/truth.ts';
import { injectFault, injectOddLists } from './fault-injection.ts';
import { KilledDaemon } from './killed-daemon.ts';
import { ScrapeWatch } from './scrape-watch.ts';
import { type SimulatedWorld, startWorld, worldKey } from './simulated-world.ts';
import { createDriver, liveProjects, pickFrom } from './world-driver.ts';

/** The driver's choices follow the seed; when they meet the daemon does not, so another run is another test. */
const seed = testSeed(20261121);
const fewestProjects = 8;
/** A daemon may have been told to wait for half a minute just before. */
const quietTimeoutMs = 75_000;

/** Whether the service keeps to the specification. */
type Version = 'contract' | 'later';

/** That nothing is lost or counted twice while a daemon is killed at least so often. */
export function describeTruth(fewestKills: number, api: Version = 'contract'): void {
  const service = api === 'later' ? 'a service of a later version' : 'the service';
  test(`all counters equal the truth and none ever fell, over ${fewestKills} kills and whatever ${service} does (TEST_SEED=${seed})`, async () => {
    await killAndCompare(fewestKills, api);
  }, 900_000);
}

/** The tenth of the month before: a later version begins anew with each month, and what is used just before is not told. */
function midMonth(): number {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 10);
}

/** One run: a world that changes, a daemon that is killed again and again, and somebody who watches its counters. */
interface Run {
  readonly world: SimulatedWorld;
  readonly random: Random;
  readonly daemon: KilledDaemon;
  readonly watch: ScrapeWatch;
  readonly over: AbortSignal;
  readonly resets: Map<string, number>;
  /** Projects as they were, and were seen to be, when they were deleted. */
  readonly departed: TrueProject[];
  faults: number;
}

async function killAndCompare(fewestKills: number, api: Version): Promise<void> {
  const startedAt = Date.now();
  const later = { api, frozenAt: midMonth() } as const;
  const world = await startWorld({ seed, projects: 12, historyDays: 3, ...(api === 'later' && later) });
  world.thaw();
  onTestFinished(() => world.close());
  const env = {
    NODE_COMPILE_CACHE: join(world.folder, 'compile-cache'),
    DBPM_CONFIG_FILE: writePrices(world.folder),
    DBPM_USAGE_REFRESH: '1s',
  };
  await fillCompileCache(world, env);
  const random = createRandom(seed, 'truth test');
  const daemon = new KilledDaemon(() => world.startDaemon(env), createRandom(seed, 'kills'));
  const ending = new AbortController();
  const run: Run = {
    world,
    random,
    daemon,
    watch: new ScrapeWatch(),
    over: ending.signal,
    resets: new Map(),
    departed: [],
    faults: 0,
  };
  const watching = keepWatching(run);
  const killing = daemon.run(ending.signal);
  try {
    await Promise.race([drive(run, fewestKills), killing]);
    await world.call('DELETE', '/faults');
    world.freeze();
    await untilTrue(run);
    await untilTwoSweepsLater(run);
  } finally {
    ending.abort();
    // However the run ended: what is still starting must be there to be stopped with the world.
    await Promise.allSettled([killing, watching]);
  }
  const last = await killing;
  await run.watch.scrape(await last.untilServing());

  expect(run.watch.falls).toEqual([]);
  expect(await describeDifferences(run)).toEqual([]);
  expect(await last.stop('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(checkIntegrity(join(world.folder, 'history.sqlite'))).toBe('ok');
  expect(daemon.kills).toBeGreaterThanOrEqual(fewestKills);
  report(run, startedAt);
}

/** A price of one for each compute second: what was charged is what was used. JSON is YAML. */
function writePrices(folder: string): string {
  const file = join(folder, 'prices.yaml');
  const prices = [{ from: '2020-01-01', per_compute_hour: '3600' }];
  writeFileSync(file, JSON.stringify({ pricing: { currency: 'USD', plans: [{ name: 'all', prices }] } }));
  return file;
}

/** A killed process never writes what it compiled, so one that may end in peace does it for all. */
async function fillCompileCache(world: SimulatedWorld, env: Readonly<Record<string, string>>): Promise<void> {
  const historyFile = join(world.folder, 'unused.sqlite');
  const { base_url } = world.simulator;
  const daemon = startDaemonProcess({ base_url, apiKey: worldKey, historyFile, env });
  await daemon.untilServing();
  await daemon.stop('SIGTERM');
}

async function keepWatching({ daemon, watch, over }: Run): Promise<void> {
  while (!over.aborted) {
    if (daemon.url !== undefined) await watch.scrape(daemon.url);
    await pause(40);
  }
}

async function drive(run: Run, fewestKills: number): Promise<void> {
  const { world, random, daemon } = run;
  const change = createDriver(world, random);
  const quietMoments = [resetUsage, deleteProject, readOddLists];
  let lastQuietAt = 0;
  while (daemon.kills < fewestKills) {
    await change();
    if (random.chance(0.25)) run.faults += await injectFault(world, random);
    if (daemon.kills >= lastQuietAt + 12) {
      lastQuietAt = daemon.kills;
      const moment = quietMoments.shift() ?? resetUsage;
      quietMoments.push(moment);
      await moment(run);
    }
    await pause(random.integer(20, 200));
  }
}

/**
 * Sets `cpu_used_sec` of a project back to 0. What is used between the last reading and a reset, nobody who polls can
 * know, nor notice a reset once more was used after it than before: so the world stands still from the moment all of
 * it is known until the reset was seen. The daemon is killed all the while it has to notice.
 */
async function resetUsage(run: Run): Promise<void> {
  const { world, random, resets, watch } = run;
  await standStill(run, async () => {
    const used = (await liveProjects(world)).filter(({ cpu_used_sec }) => cpu_used_sec > 0);
    const project = pickFrom(random, used);
    if (project === undefined) return;
    const { project_id } = project;
    await world.call('POST', `/projects/${project_id}/cpu`, { cpu_used_sec: 0 });
    resets.set(project_id, (resets.get(project_id) ?? 0) + 1);
    await vi.waitFor(
      () =>
        expect(
          sampleValue(watch.latest, 'dbpm_project_cpu_used_reported_seconds', { project_id }),
          `the reset of ${project_id} is shown`,
        ).toBe(0),
      { timeout: quietTimeoutMs, interval: 50 },
    );
  });
}

/** Deletes a project once all it ever did is known: what it did after the last reading would be lost to all who poll. */
async function deleteProject(run: Run): Promise<void> {
  await standStill(run, async () => {
    const projects = await liveProjects(run.world);
    const project = pickFrom(run.random, projects);
    if (project === undefined || projects.length <= fewestProjects) return;
    run.departed.push(project);
    await run.world.call('DELETE', `/projects/${project.project_id}`);
  });
}

async function readOddLists(run: Run): Promise<void> {
  const { world, random } = run;
  await standStill(run, async () => {
    run.faults += await injectOddLists(world, random);
    await vi.waitFor(async () => expect(await world.call('GET', '/faults')).toEqual({ faults: [] }), {
      timeout: quietTimeoutMs,
      interval: 50,
    });
  });
}

/** Stops the world, waits until the daemon knows and shows all of it, does something, and lets it go on. */
async function standStill(run: Run, work: () => Promise<void>): Promise<void> {
  await run.world.call('DELETE', '/faults');
  run.world.freeze();
  await untilTrue(run);
  await work();
  run.world.thaw();
}

/** Waits until every counter is right, sparing the daemon's life. */
async function untilTrue(run: Run): Promise<void> {
  await run.daemon.spare(() =>
    vi.waitFor(async () => expect(await describeDifferences(run)).toEqual([]), {
      timeout: quietTimeoutMs,
      interval: 50,
    }),
  );
}

/** All is known: reading it again, and again, must change nothing. */
async function untilTwoSweepsLater({ daemon, watch }: Run): Promise<void> {
  await daemon.spare(async () => {
    const { listPolls } = watch;
    await vi.waitFor(() => expect(watch.listPolls).toBeGreaterThanOrEqual(listPolls + 2), {
      timeout: quietTimeoutMs,
      interval: 50,
    });
  });
}

/** Everything the last scrape shows that is not as it should be. The world must stand still. */
async function describeDifferences({ world, watch, resets, departed }: Run): Promise<string[]> {
  const truth = await world.truth();
  const lines = differences(truth, watch.latest, 0);
  const live = truth.projects.filter(({ deleted }) => !deleted);
  const expectValue = (expected: number, name: string, labels: Record<string, string> = {}) => {
    const found = sampleValue(watch.latest, name, labels);
    if (found !== expected) lines.push(`${name} ${JSON.stringify(labels)}: ${found} instead of ${expected}`);
  };
  const everSeen = [...live, ...departed];
  const used = everSeen.reduce((sum, { cpu_used_sec_ever }) => sum + cpu_used_sec_ever, 0);
  expectValue(used, 'dbpm_account_cpu_used_seconds_total');
  expectValue(used, 'dbpm_account_cost_total');
  for (const [action, count] of endedByAction(everSeen)) {
    expectValue(count, 'dbpm_operation_duration_seconds_count', { action });
  }
  for (const { project_id } of live) {
    expectValue(resets.get(project_id) ?? 0, 'dbpm_project_cpu_used_resets_total', { project_id });
  }
  return lines;
}

function checkIntegrity(file: string): unknown {
  const database = new Database(file, { readonly: true });
  try {
    return database.pragma('integrity_check', { simple: true });
  } finally {
    database.close();
  }
}

function report({ daemon, watch, faults, departed, resets }: Run, startedAt: number): void {
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  const resetCount = [...resets.values()].reduce((sum, count) => sum + count, 0);
  process.stdout.write(
    `truth test (seed ${seed}): ${daemon.kills} kills, ${watch.scrapes} scrapes of ${watch.seriesWatched} series, ` +
      `${watch.readings} readings, ${faults} faults, ${resetCount} resets, ${departed.length} projects deleted, ${seconds} seconds\n`,
  );
}
