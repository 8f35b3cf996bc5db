import { setTimeout as sleep } from 'node:timers/promises';
import type { Account, Config } from '../config/config.ts';
import { retentionTimes } from '../config/retention-times.ts';
import { historySizeBytes } from '../history/file/history-size.ts';
import { renderLandingPage } from '../http/content/landing-page.ts';
import { HttpServer } from '../http/server.ts';
import type { Logger } from '../log/logger.ts';
import { ProblemLog } from '../log/problem-log.ts';
import { LoopDelay } from '../metrics/self/loop-delay.ts';
import { SelfMetrics, type SelfReadings } from '../metrics/self/self-metrics.ts';
import type { ImportProgress } from '../poll/poller-options.ts';
import { startSchedule } from '../poll/schedule.ts';
import { usageOptionsOf } from '../usage/options.ts';
import { type AccountWatch, watchAccount } from './account-watch.ts';
import { HistoryClient } from './history-client.ts';
import type { BackgroundWork } from './history-message.ts';
import { UsageClient } from './usage-client.ts';

/** How long the start waits for what a large fleet uses to be worked out. */
const longestUsageWaitMs = 2000;

export interface DaemonOptions {
  readonly log: Logger;
  readonly version: string;
  /** Of the source the program was built from; empty when it is not known. */
  readonly revision: string;
  /** Ends the polling; `close` does the rest. */
  readonly signal: AbortSignal;
}

export interface Daemon {
  readonly url: string;
  /** Rejects when the daemon cannot go on. */
  readonly failed: Promise<never>;
  close(): Promise<void>;
}

/** The parts that readings flow through. */
interface Flow {
  readonly config: Config;
  readonly options: DaemonOptions;
  readonly recording: HistoryClient;
  readonly self: SelfMetrics;
}

/**
 * Starts the daemon: what is known from the history is served at once, the polling begins, and every reading is
 * recorded and then published.
 *
 * @throws HistoryError when the history cannot be used, or the system's error when the address cannot be listened on.
 */
export async function startDaemon(config: Config, options: DaemonOptions): Promise<Daemon> {
  const watches: AccountWatch[] = [];
  const loopDelay = new LoopDelay();
  const self: SelfMetrics = measureSelf(config, options, {
    budgets: () => watches.map(({ account, budgetPerMinute }) => [account, budgetPerMinute()]),
    pressures: () => watches.map(({ account, poller }) => [account, poller.pressure(Date.now())]),
    loopDelay: () => loopDelay.read(),
    lastSnapshot: () => recording.publication.snapshot,
  });
  const recording = await openRecording(config, options, watches, self);
  try {
    const flow = { config, options, recording, self };
    const usage = watchUsage(flow);
    // A page without what an earlier run showed would look to Prometheus as if it were gone.
    if (recording.hasData)
      await Promise.race([usage.begun, sleep(longestUsageWaitMs, undefined, { ref: false })]);
    const http = await serve(flow).catch(async error => {
      await usage.close();
      throw error;
    });
    const polling = startPolling(flow, watches);
    return {
      url: http.url,
      failed: recording.failed,
      async close() {
        http.drain();
        await polling.stop();
        await usage.close();
        await http.close();
        await recording.close();
        loopDelay.close();
      },
    };
  } catch (error) {
    await recording.close();
    loopDelay.close();
    throw error;
  }
}

function measureSelf(
  { history }: Config,
  { version, revision }: DaemonOptions,
  read: Omit<SelfReadings, 'historySizeBytes'>,
): SelfMetrics {
  return new SelfMetrics({
    version,
    revision,
    read: { ...read, historySizeBytes: () => historySizeBytes(history.file) },
  });
}

const failureMessages: Readonly<Record<BackgroundWork, string>> = {
  publication: 'the metrics could not be published',
  upkeep: 'the upkeep of the history could not be done',
  budgets: 'the request budgets could not be written to the history',
  accruals: 'what was charged could not be written to the history',
};

/** @param watches the accounts being watched. */
function openRecording(
  { accounts, collect, history, keys, series }: Config,
  { log }: DaemonOptions,
  watches: readonly AccountWatch[],
  self: SelfMetrics,
): Promise<HistoryClient> {
  return HistoryClient.open(
    {
      file: history.file,
      accounts: accounts.map(({ name }) => name),
      collectors: collect.collectors,
      projects: new Map(accounts.map(({ name, projects }) => [name, projects])),
      selection: { ...series, collectors: collect.collectors },
      seriesLimit: series.limitPerFamily,
      staleAfterMs: keys.staleAfterMs,
      dropAfterMs: collect.dropAfterMs,
      keep: retentionTimes(history),
    },
    {
      readBudgets: () => new Map(watches.map(({ account, budget }) => [account, budget()])),
      onFailed(work, err) {
        if (work === 'budgets' || work === 'accruals') self.historyWriteFailures.inc();
        log.error({ err }, failureMessages[work]);
      },
    },
  );
}

function watchUsage({ config, options: { log }, recording }: Flow): UsageClient {
  return new UsageClient(usageOptionsOf(config), {
    onCalculated: ({ view, accruals }) => recording.showUsage(view, accruals),
    onFailed: err => log.error({ err }, 'use and cost could not be worked out'),
  });
}

function serve({ config: { web }, options, recording, self }: Flow): Promise<HttpServer> {
  const { publication } = recording;
  return HttpServer.start({
    ...web,
    renderMetrics: async (format, gzip) => publication.read(format, gzip, await self.render(format)),
    renderLandingPage: () => {
      const { version } = options;
      const { overviews: accounts } = recording;
      return renderLandingPage({ version, telemetryPath: web.telemetryPath, accounts, now: Date.now() });
    },
    isReady: () => recording.hasData,
    onError: err => options.log.error({ err }, 'a request could not be answered'),
  });
}

/** @param watches is filled with the accounts being watched. */
function startPolling(flow: Flow, watches: AccountWatch[]): { stop(): Promise<void> } {
  const { config, options } = flow;
  const stopped = new AbortController();
  const signal = AbortSignal.any([options.signal, stopped.signal]);
  const problems = new ProblemLog(options.log, Date.now);
  for (const account of config.accounts) watches.push(watchInto(flow, account, problems));
  flow.recording.saveBudgets();
  const schedules = watches.flatMap(({ account, poller }) => {
    const start = (what: string, run: () => Promise<void>, onOverlap = () => {}) =>
      startSchedule(config.collect.schedule, run, {
        onOverlap,
        onError: err => options.log.error({ account, err }, `${what} could not be read`),
      });
    return [
      start(
        'the list of projects',
        () => poller.pollProjectList(signal),
        () => poller.skipListPoll(),
      ),
      start('the list of API keys', () => poller.pollApiKeys(signal)),
      start('the projects', async () => poller.beginRound(signal)),
    ];
  });
  return {
    async stop() {
      stopped.abort();
      await Promise.all(schedules.map(schedule => schedule.stop()));
      await Promise.all(watches.map(({ poller }) => poller.idle()));
      await Promise.all(watches.map(watch => watch.close()));
    },
  };
}

function watchInto(flow: Flow, account: Account, problems: ProblemLog): AccountWatch {
  const { config, options, recording, self } = flow;
  const log = options.log.child({ account: account.name });
  return watchAccount(account, {
    userAgent: `dbpm-exporter/${options.version}`,
    idleRefreshMs: config.collect.idleRefreshMs,
    now: Date.now,
    apiKeysRefreshMs: config.collect.apiKeysRefreshMs,
    async record(reading) {
      try {
        return await recording.record(reading);
      } catch (error) {
        self.historyWriteFailures.inc();
        throw error;
      }
    },
    // No variable holds them: what the poller was made of lives as long as it does.
    knownProjects: () => recording.takeProjects(account.name),
    budget: recording.knownBudget(account.name),
    collectors: config.collect.collectors,
    onAttempt: self.requestCounter(account.name, config.collect.collectors),
    onImport: reportImport(log),
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
