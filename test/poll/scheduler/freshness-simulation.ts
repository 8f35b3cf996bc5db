import { listPollIntervalMs } from '../../../src/poll/scheduler/budget-share.ts';
import { PollScheduler } from '../../../src/poll/scheduler/poll-scheduler.ts';
import { collectors } from '../../../src/resources/collector.ts';
import { type AccountTerms, type Ask, runAccount, type Strategy } from './simulated-account.ts';
import { createFleet, type FleetOptions } from './simulated-fleet.ts';
import { SimulatedWorld } from './simulated-world.ts';

interface SimulationTerms extends FleetOptions, Omit<AccountTerms, 'sampleMs'> {
  readonly idleRefreshMs: number;
  readonly lagMs: number;
  readonly warmUpMs: number;
}

export const minuteMs = 60_000;

export const fleetOf5000: SimulationTerms = {
  seed: 1,
  projects: 5_000,
  busyPart: 0.05,
  meanOnMs: 20 * minuteMs,
  sigma: 1,
  spread: 1,
  lagMs: 0,
  requestsPerMinute: 700,
  pageSize: 400,
  latencyMs: 100,
  scheduleMs: 10_000,
  idleRefreshMs: 15 * minuteMs,
  durationMs: 180 * minuteMs,
  warmUpMs: 80 * minuteMs,
};

type StrategyName = 'scheduler' | 'round robin' | 'oracle';

/** Simulates an account under a strategy. Answers seconds, and `wrong` as a part of all endpoints. */
export function simulate(name: StrategyName, terms: SimulationTerms) {
  const world = new SimulatedWorld(createFleet(terms), terms.lagMs, terms.warmUpMs);
  const scheduler = new PollScheduler({
    requestsPerMinute: terms.requestsPerMinute,
    scheduleMs: terms.scheduleMs,
    idleRefreshMs: terms.idleRefreshMs,
    dropAfterMs: 600_000,
    apiKeysRefreshMs: 5 * minuteMs,
    collectors,
  });
  const strategies: Record<StrategyName, () => Strategy> = {
    scheduler: () => schedulerStrategy(scheduler, world),
    'round robin': () => roundRobin(terms.projects),
    oracle: () => oracle(world, terms),
  };
  const { requests } = runAccount(world, strategies[name](), { ...terms, sampleMs: minuteMs });
  return {
    start: quantiles(world.startDelaysMs),
    stop: quantiles(world.stopDelaysMs),
    busyAge: quantiles(world.busyAgesMs),
    idleAge: quantiles(world.idleAgesMs),
    wrong: world.wrongPart,
    starts: world.startDelaysMs.length,
    lagMs: scheduler.lag.lagMs,
    requestsPerMinute: (requests * minuteMs) / terms.durationMs,
  };
}

export type Outcome = ReturnType<typeof simulate>;

/** In seconds. */
function quantiles(samplesMs: readonly number[]) {
  const sorted = Float64Array.from(samplesMs).sort();
  const at = (part: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN) / 1000;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

function schedulerStrategy(scheduler: PollScheduler, world: SimulatedWorld): Strategy {
  return {
    listPollIntervalMs: () => listPollIntervalMs(scheduler.terms),
    beginRound: now => scheduler.beginRound(now),
    followPage(page, isFirst, isLast, askedAt, now) {
      if (isFirst) scheduler.watchList.beginListPoll();
      scheduler.followPage(page, askedAt, now);
      if (isLast) scheduler.watchList.endListPoll(true, new Set(), now);
    },
    next(now, urgentOnly) {
      const poll = scheduler.next(now, urgentOnly);
      if (poll === undefined) return undefined;
      const { watched, depth, urgent } = poll;
      const index = Number(watched.project_id.slice(1));
      const wasBusy = watched.polls.busy;
      const isFirst = Number.isNaN(world.readAt[index]);
      const done: Ask['done'] = ({ ok, full, requests, from, until }, at) => {
        if (ok)
          watched.polls.continueFrom({ known: { headAt: 0, openIds: [] }, busy: world.isOn(index, until) });
        const operations = ok ? world.operations(index, from, until, isFirst) : [];
        scheduler.settle(poll, { ok, full, requests, operations, mark: until, skewMs: 0 }, { wasBusy }, at);
      };
      return { index, depth, urgent, done };
    },
  };
}

/** Reads whatever was read longest ago; needs no list. */
function roundRobin(projects: number): Strategy {
  let index = -1;
  return {
    listPollIntervalMs: () => undefined,
    beginRound() {},
    followPage() {},
    next(_, urgentOnly) {
      if (urgentOnly) return undefined;
      index = (index + 1) % projects;
      return { index, depth: 'full', urgent: false, done() {} };
    },
  };
}

/** Knows every change of state when it happens, and reads nothing but what is on or has just changed. */
function oracle(world: SimulatedWorld, terms: SimulationTerms): Strategy {
  const queue = new Set<number>();
  let checkedAt = -1;
  const running = new Set<number>();
  return {
    listPollIntervalMs: () => terms.scheduleMs,
    beginRound() {},
    followPage() {},
    next(now) {
      const changed: number[] = [];
      if (now - checkedAt >= 300) {
        checkedAt = now;
        for (let index = 0; index < terms.projects; index += 1) {
          if (running.has(index)) continue;
          const changes = world.changesUntil(index, now);
          if (changes !== world.knownChanges(index) || Number.isNaN(world.readAt[index])) changed.push(index);
          if (world.isOn(index, changes)) queue.add(index);
        }
      }
      const index = changed[0] ?? queue.values().next().value;
      if (index === undefined) return undefined;
      queue.delete(index);
      running.add(index);
      const done = () => {
        running.delete(index);
        if (world.isOn(index, world.knownChanges(index))) queue.add(index);
      };
      return { index, depth: 'full', urgent: changed.length > 0, done };
    },
  };
}
