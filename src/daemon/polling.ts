import type { Account, Config } from '../config/config.ts';
import type { Logger } from '../log/logger.ts';
import { ProblemLog } from '../log/problem-log.ts';
import type { SelfMetrics } from '../metrics/self/self-metrics.ts';
import type { ImportProgress } from '../poll/poller-options.ts';
import type { startSchedule } from '../poll/schedule.ts';
import { type AccountWatch, watchAccount } from './account-watch.ts';
import type { HistoryClient } from './history-client.ts';
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
}

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
  const { config, history, log } = options;
  await using parts = new AsyncDisposableStack();
  parts.defer(() => every(watches, watch => watch.close()));
  parts.defer(() => every(watches, ({ poller }) => poller.idle()));
  const problems = new ProblemLog(log, options.clock.now);
  for (const account of config.accounts) watches.push(watchInto(options, account, problems));
  history.saveBudgets();
  const schedules: { stop(): Promise<void> }[] = [];
  parts.defer(() => every(schedules, schedule => schedule.stop()));
  const stopped = new AbortController();
  parts.defer(() => stopped.abort());
  const signal = AbortSignal.any([options.signal, stopped.signal]);
  for (const { account, poller } of watches) {
    const start = (what: string, run: () => Promise<void>, onOverlap = () => {}) => {
      const onError = (err: unknown) => log.error({ account, err }, `${what} could not be read`);
      schedules.push(options.startSchedule(config.collect.schedule, run, { onOverlap, onError }));
    };
    const skipListPoll = () => poller.skipListPoll();
    start('the list of projects', () => poller.pollProjectList(signal), skipListPoll);
    start('the list of API keys', () => poller.pollApiKeys(signal));
    start('the projects', async () => poller.beginRound(signal));
  }
  return parts.move();
}

async function every<Item>(items: readonly Item[], end: (item: Item) => Promise<void>): Promise<void> {
  await Promise.all(items.map(end));
}

function watchInto(options: PollingOptions, account: Account, problems: ProblemLog): AccountWatch {
  const { config, history, self, version, clock } = options;
  const budget = history.knownBudget(account.name);
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
    knownProjects: () => history.takeProjects(account.name),
    budget: budget && budgetFromHostClock(budget, clock),
    collectors: config.collect.collectors,
    onAttempt: self.requestCounter(account.name, config.collect.collectors),
    onImport: reportImport(options.log.child({ account: account.name })),
    onProblem({ collector, project_id, error }) {
      problems.report({ account: account.name, collector }, error, project_id ? { project_id } : {});
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
