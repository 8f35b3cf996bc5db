import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Random } from '../../src/simulator/model/random.ts';
import { sampleValue } from '../support/exposition-reader.ts';
import { differences, endedByAction, type TrueProject } from '../support/truth.ts';
import { createDriver, liveProjects, pickFrom } from './driver.ts';
import { injectFault, injectOddLists } from './fault-injection.ts';
import type { KilledDaemon, MortalDaemon } from './killed-daemon.ts';
import { ScrapeWatch } from './scrape-watch.ts';
import type { World } from './world.ts';

const fewestProjects = 8;

/** A configuration with a price of one for each compute second: what was charged is what was used. JSON is YAML. */
export const pricesOfTruth = JSON.stringify({
  pricing: {
    currency: 'USD',
    plans: [{ name: 'all', prices: [{ from: '2020-01-01', per_compute_hour: '3600' }] }],
  },
});

/** The times of a run, in milliseconds: real ones are short, virtual ones need not be. */
interface RunTimes {
  readonly betweenScrapes: number;
  readonly longestBetweenChanges: number;
  /** A daemon may have been told to wait for a while just before. */
  readonly longestUntilTrue: number;
}

interface TruthRunOptions<Daemon extends MortalDaemon> {
  readonly world: World;
  readonly daemon: KilledDaemon<Daemon>;
  /** What is done to the world, and which faults are injected, follows from it. */
  readonly random: Random;
  readonly fewestKills: number;
  /** Whether costs are by a meter. It does not round down at a reset, as `cpu_used_sec` does: a second each is charged besides. */
  readonly isMetered?: boolean;
  /** How often the list of projects was read; of the present daemon alone where that is all that can be known. */
  readonly countListPolls: (watch: ScrapeWatch) => number;
  readonly times: RunTimes;
}

interface TruthRun<Daemon> {
  /** The last one, which lives. */
  readonly last: Daemon;
  /** What was done and seen, in a few words. */
  readonly summary: string;
}

interface Run<Daemon extends MortalDaemon> extends TruthRunOptions<Daemon> {
  readonly watch: ScrapeWatch;
  readonly over: AbortSignal;
  readonly resets: Map<string, number>;
  /** Projects as they were, and were seen to be, when they were deleted. */
  readonly departed: TrueProject[];
  faults: number;
}

/**
 * A world that changes, a daemon that is killed again and again, and somebody who watches its counters: in the end all are
 * equal to the truth, and none ever fell.
 */
export async function runAgainstTruth<Daemon extends MortalDaemon>(
  options: TruthRunOptions<Daemon>,
): Promise<TruthRun<Daemon>> {
  const { world, daemon } = options;
  const ending = new AbortController();
  const run: Run<Daemon> = {
    ...options,
    watch: new ScrapeWatch(),
    over: ending.signal,
    resets: new Map(),
    departed: [],
    faults: 0,
  };
  const watching = keepWatching(run);
  const killing = daemon.run(ending.signal);
  try {
    await Promise.race([drive(run), killing]);
    await world.call('DELETE', '/faults');
    world.freeze();
    await untilTrue(run);
    await untilReadAgain(run);
  } finally {
    ending.abort();
    // However the run ended: what is still starting must be there to be stopped with the world.
    await Promise.allSettled([killing, watching]);
  }
  const last = await killing;
  await look(run);
  expect(run.watch.falls).toEqual([]);
  expect(await describeDifferences(run)).toEqual([]);
  return { last, summary: summarize(run) };
}

async function keepWatching<Daemon extends MortalDaemon>(run: Run<Daemon>): Promise<void> {
  while (!run.over.aborted) {
    await look(run);
    await pause(run.times.betweenScrapes);
  }
}

async function look<Daemon extends MortalDaemon>({ daemon, watch }: Run<Daemon>): Promise<void> {
  const page = await daemon.serving?.readPage();
  if (page !== undefined) watch.note(page);
}

async function drive<Daemon extends MortalDaemon>(run: Run<Daemon>): Promise<void> {
  const { world, random, daemon, fewestKills, times } = run;
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
    await pause(random.integer(times.longestBetweenChanges / 10, times.longestBetweenChanges));
  }
}

/**
 * Sets `cpu_used_sec` of a project back to 0. What is used between the last reading and a reset, nobody who polls can
 * know, nor notice a reset once more was used after it than before: so the world stands still from the moment all of
 * it is known until the reset was seen. The daemon is killed all the while it has to notice.
 */
async function resetUsage<Daemon extends MortalDaemon>(run: Run<Daemon>): Promise<void> {
  const { world, random, resets, watch } = run;
  await standStill(run, async () => {
    const used = (await liveProjects(world)).filter(({ cpu_used_sec }) => cpu_used_sec > 0);
    const project = pickFrom(random, used);
    if (project === undefined) return;
    const { project_id } = project;
    await world.call('POST', `/projects/${project_id}/cpu`, { cpu_used_sec: 0 });
    resets.set(project_id, (resets.get(project_id) ?? 0) + 1);
    await until(run, async () => {
      const shown = sampleValue(watch.latest, 'dbpm_project_cpu_used_reported_seconds', { project_id });
      return shown === 0 ? [] : [`the reset of ${project_id} is not shown, but ${shown}`];
    });
  });
}

/** Deletes a project once all it ever did is known: what it did after the last reading would be lost to all who poll. */
async function deleteProject<Daemon extends MortalDaemon>(run: Run<Daemon>): Promise<void> {
  await standStill(run, async () => {
    const projects = await liveProjects(run.world);
    const project = pickFrom(run.random, projects);
    if (project === undefined || projects.length <= fewestProjects) return;
    run.departed.push(project);
    await run.world.call('DELETE', `/projects/${project.project_id}`);
  });
}

async function readOddLists<Daemon extends MortalDaemon>(run: Run<Daemon>): Promise<void> {
  const { world, random } = run;
  await standStill(run, async () => {
    run.faults += await injectOddLists(world, random);
    await until(run, async () => {
      const { faults } = (await world.call('GET', '/faults')) as { readonly faults: readonly object[] };
      return faults.map(fault => `not asked for yet: ${JSON.stringify(fault).slice(0, 100)}`);
    });
  });
}

/** Stops the world, waits until the daemon knows and shows all of it, does something, and lets it go on. */
async function standStill<Daemon extends MortalDaemon>(
  run: Run<Daemon>,
  work: () => Promise<void>,
): Promise<void> {
  await run.world.call('DELETE', '/faults');
  run.world.freeze();
  await untilTrue(run);
  await work();
  run.world.thaw();
}

/** Waits until every counter is right, sparing the daemon's life. */
async function untilTrue<Daemon extends MortalDaemon>(run: Run<Daemon>): Promise<void> {
  await run.daemon.spare(() => until(run, () => describeDifferences(run)));
}

/** All is known: reading it again, and again, must change nothing. */
async function untilReadAgain<Daemon extends MortalDaemon>(run: Run<Daemon>): Promise<void> {
  const { daemon, watch, countListPolls } = run;
  await daemon.spare(async () => {
    const before = countListPolls(watch);
    await until(run, async () => (countListPolls(watch) >= before + 2 ? [] : ['the list is not read again']));
  });
}

/** Waits until there is nothing wrong any more; throws what still is at the end. */
async function until<Daemon extends MortalDaemon>(
  { times: { betweenScrapes, longestUntilTrue } }: Run<Daemon>,
  findWrong: () => Promise<readonly string[]>,
): Promise<void> {
  const startedAt = performance.now();
  for (;;) {
    const wrong = await findWrong();
    if (wrong.length === 0) return;
    if (performance.now() - startedAt > longestUntilTrue) expect(wrong).toEqual([]);
    await pause(betweenScrapes);
  }
}

/** Everything the last scrape shows that is not as it should be. The world must stand still. */
async function describeDifferences<Daemon extends MortalDaemon>({
  world,
  watch,
  resets,
  departed,
  isMetered = false,
}: Run<Daemon>): Promise<string[]> {
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
  const cost = sampleValue(watch.latest, 'dbpm_account_cost_total') ?? Number.NaN;
  const mostRounded = isMetered ? resets.values().reduce((sum, count) => sum + count, 0) : 0;
  if (!(cost >= used && cost <= used + mostRounded))
    lines.push(`dbpm_account_cost_total: ${cost} instead of ${used}, or up to ${mostRounded} more`);
  for (const [action, count] of endedByAction(everSeen)) {
    expectValue(count, 'dbpm_operation_duration_seconds_count', { action });
  }
  for (const { project_id } of live) {
    expectValue(resets.get(project_id) ?? 0, 'dbpm_project_cpu_used_resets_total', { project_id });
  }
  return lines;
}

function summarize<Daemon extends MortalDaemon>({
  daemon,
  watch,
  faults,
  departed,
  resets,
}: Run<Daemon>): string {
  const resetCount = [...resets.values()].reduce((sum, count) => sum + count, 0);
  return (
    `${daemon.kills} kills, ${watch.scrapes} scrapes of ${watch.seriesWatched} series, ` +
    `${faults} faults, ${resetCount} resets, ${departed.length} projects deleted`
  );
}
