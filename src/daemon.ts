import { type AccountWatch, watchAccount } from './account-watch.ts';
import type { Account, Config } from './config/config.ts';
import { History } from './history/history.ts';
import { renderLandingPage } from './http/landing-page.ts';
import { HttpServer } from './http/server.ts';
import type { Logger } from './log/logger.ts';
import { ProblemLog } from './log/problem-log.ts';
import { renderPage } from './metrics/page.ts';
import { Publisher } from './metrics/publisher.ts';
import { SelfMetrics } from './metrics/self.ts';
import type { ImportProgress } from './poll/poller-options.ts';
import { startSchedule } from './poll/schedule.ts';
import { catalog } from './resources/catalog.ts';
import type { Reading } from './resources/reading.ts';

export interface DaemonOptions {
  readonly log: Logger;
  readonly version: string;
  /** Of the source the program was built from; empty when it is not known. */
  readonly revision: string;
  /** Ends the polling; `close` does the rest. */
  readonly signal: AbortSignal;
}

/** The parts that readings flow through. */
interface Flow {
  readonly config: Config;
  readonly options: DaemonOptions;
  readonly history: History;
  readonly publisher: Publisher;
  readonly self: SelfMetrics;
}

/**
 * Starts the daemon: what is known from the history is served at once, the polling begins, and every reading is
 * recorded and then published.
 *
 * @throws HistoryError when the history cannot be used, or the system's error when the address cannot be listened on.
 */
export async function startDaemon(
  config: Config,
  options: DaemonOptions,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const watches: AccountWatch[] = [];
  const history = openHistory(config);
  try {
    const publisher = new Publisher(
      () => renderPage(catalog, history.view(Date.now())),
      err => options.log.error({ err }, 'the metrics could not be published'),
    );
    const self = new SelfMetrics({
      version: options.version,
      revision: options.revision,
      readHistorySizeBytes: () => history.sizeBytes(),
      readBudgets: () => watches.map(({ account, budgetPerMinute }) => [account, budgetPerMinute()]),
    });
    const flow = { config, options, history, publisher, self };
    publisher.publish();
    const http = await serve(flow);
    const polling = startPolling(flow, watches);
    return {
      url: http.url,
      async close() {
        http.drain();
        await polling.stop();
        publisher.stop();
        await http.close();
        history.close();
      },
    };
  } catch (error) {
    history.close();
    throw error;
  }
}

function openHistory({ accounts, collect, history, keys }: Config): History {
  return new History({
    file: history.file,
    accounts: accounts.map(({ name }) => name),
    staleAfterMs: keys.staleAfterMs,
    dropAfterMs: collect.dropAfterMs,
  });
}

function serve({ config: { web }, options, history, publisher, self }: Flow): Promise<HttpServer> {
  return HttpServer.start({
    ...web,
    renderMetrics: async (format, gzip) => publisher.read(format, gzip, await self.render(format)),
    renderLandingPage: () => {
      const now = Date.now();
      const { version } = options;
      return renderLandingPage({ version, telemetryPath: web.telemetryPath, views: history.view(now), now });
    },
    isReady: () => history.hasData(),
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
  const schedules = watches.flatMap(({ account, poller }) => {
    const start = (what: string, run: () => Promise<void>, onOverlap = () => {}) =>
      startSchedule(config.collect.schedule, run, {
        onOverlap,
        onError: err => options.log.error({ account, err }, `${what} could not be read`),
      });
    return [
      start(
        'the list of projects',
        () => poller.readProjects(signal),
        () => poller.skipSweep(),
      ),
      start('the list of API keys', () => poller.readApiKeys(signal)),
      start('the projects', async () => poller.refreshProjects(signal)),
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
  const { config, options, history, publisher, self } = flow;
  const log = options.log.child({ account: account.name });
  return watchAccount(account, {
    userAgent: `dbpm-exporter/${options.version}`,
    idleRefreshMs: config.collect.idleRefreshMs,
    now: Date.now,
    apiKeysRefreshMs: config.collect.apiKeysRefreshMs,
    async record(reading: Reading) {
      try {
        history.record(reading);
        if (reading.kind !== 'project' && reading.kind !== 'operation_import') return undefined;
        return history.standing(account.name, reading.project_id);
      } catch (error) {
        self.historyWriteFailures.inc();
        throw error;
      } finally {
        publisher.request();
      }
    },
    knownProjects: () => history.knownProjects(account.name),
    findStanding: async project_id => history.standing(account.name, project_id),
    onAttempt: self.requestCounter(account.name),
    onPause(pausedUntil) {
      try {
        history.notePause(account.name, pausedUntil);
      } catch (err) {
        self.historyWriteFailures.inc();
        log.error({ err }, 'a pause the service asked for could not be written to the history');
      }
    },
    pausedUntil: history.pausedUntil(account.name),
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
