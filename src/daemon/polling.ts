import type { Account, Config } from '../config/config.ts';
import type { Logger } from '../log/logger.ts';
import { ProblemLog } from '../log/problem-log.ts';
import type { SelfMetrics } from '../metrics/self/self-metrics.ts';
import type { ImportProgress } from '../poll/poller-options.ts';
import type { startSchedule } from '../poll/schedule.ts';
import { apiKeyList } from '../resources/api-key.ts';
import { projectList } from '../resources/project.ts';
import { type AccountWatch, watchAccount } from './account-watch.ts';
import type { HistoryClient } from './history-client.ts';
import type { StallWatch } from './stall-watch.ts';
import { budgetFromHostClock, readingOnHostClock, type SteadyClock } from './steady-clock.ts';

/** Runs a task at once and then on a schedule. */
export type StartSchedule = typeof startSchedule;

export interface PollingOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly version: string;
  /** Ends the polling. */
  readonly signal: AbortSignal;
  readonly startSchedule: StartSchedule;
  readonly history: HistoryClient;
  readonly self: SelfMetrics;
  readonly clock: SteadyClock;
  /** Gets a sign of life from everything that is polled. */
  readonly stalls: StallWatch;
}

const listOfProjects = 'the list of projects';
const listOfApiKeys = 'the list of API keys';
/** The lists by the route that is asked for them: a list of many pages is read for long. */
const listsByRoute: Readonly<Record<string, string>> = {
  [projectList.route]: listOfProjects,
  [apiKeyList.route]: listOfApiKeys,
};

/**
 * Starts polling every account: what is read is recorded in the history.
 *
 * @param watches is filled with the accounts being watched.
 * @returns what ends it: schedules first, then what is under way, then the connections.
 */
export async function startPolling(
  options: PollingOptions,
  watches: AccountWatch[],
): Promise<AsyncDisposableStack> {
  const { config, history, log, stalls } = options;
  await using parts = new AsyncDisposableStack();
  parts.defer(() => every(watches, watch => watch.close()));
  parts.defer(() => every(watches, ({ poller }) => poller.idle()));
  const problems = new ProblemLog(log, options.clock.now);
  for (const account of config.accounts) watches.push(watchInto(options, account, problems));
  history.saveBudgets();
  stalls.beginAnew();
  const schedules: { stop(): Promise<void> }[] = [];
  parts.defer(() => every(schedules, schedule => schedule.stop()));
  const stopped = new AbortController();
  parts.defer(() => stopped.abort());
  const signal = AbortSignal.any([options.signal, stopped.signal]);
  for (const { account, poller } of watches) {
    const start = (what: string, run: () => Promise<void>, onOverlap = () => {}) => {
      const sign = () => stalls.sign(account, what);
      const runWithSigns = () => {
        sign();
        return run().finally(sign);
      };
      const onError = (err: unknown) => log.error({ account, err }, `${what} could not be read`);
      const listeners = { onOverlap, onError, onWait: sign };
      schedules.push(options.startSchedule(config.collect.schedule, runWithSigns, listeners));
    };
    const skipListPoll = () => poller.skipListPoll();
    start(listOfProjects, () => poller.pollProjectList(signal), skipListPoll);
    start(listOfApiKeys, () => poller.pollApiKeys(signal));
    start('the projects', async () => poller.beginRound(signal));
  }
  return parts.move();
}

async function every<Item>(items: readonly Item[], end: (item: Item) => Promise<void>): Promise<void> {
  await Promise.all(items.map(end));
}

function watchInto(options: PollingOptions, account: Account, problems: ProblemLog): AccountWatch {
  const { config, history, self, version, clock, stalls } = options;
  const { name } = account;
  const budget = history.knownBudget(name);
  const count = self.requestCounter(name, config.collect.collectors);
  return watchAccount(account, {
    userAgent: `dbpm-exporter/${version}`,
    idleRefreshMs: config.collect.idleRefreshMs,
    dropAfterMs: config.collect.dropAfterMs,
    longestPauseMs: config.collect.longestPauseMs,
    now: clock.now,
    paceNow: clock.now,
    apiKeysRefreshMs: config.collect.apiKeysRefreshMs,
    async record(reading) {
      try {
        return await history.record(readingOnHostClock(reading, clock));
      } catch (error) {
        self.historyWriteFailures.inc();
        throw error;
      }
    },
    // No variable holds them: what the poller was made of lives as long as it does.
    knownProjects: () => history.takeProjects(name),
    budget: budget && budgetFromHostClock(budget, clock),
    collectors: config.collect.collectors,
    onAttempt(attempt) {
      count(attempt);
      const what = listsByRoute[attempt.route];
      if (what !== undefined) stalls.sign(name, what);
    },
    onListRest: ms => stalls.sign(name, listOfProjects, ms),
    onImport: reportImport(options.log.child({ account: name })),
    onProblem({ collector, project_id, error }) {
      problems.report({ account: name, collector }, error, project_id ? { project_id } : {});
    },
  });
}

const importReportPauseMs = 5_000;

/** Logs how far a first reading of operations has come: now and then, and when it is done. */
function reportImport(log: Logger): (progress: ImportProgress) => void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return ({ operations, projectsLeft }) => {
    const done = projectsLeft === 0;
    if (!done && performance.now() - reportedAt < importReportPauseMs) return;
    reportedAt = performance.now();
    const message = done ? 'operations imported' : 'importing operations';
    log.info({ operations, projects_left: projectsLeft }, message);
  };
}
