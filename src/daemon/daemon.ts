import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, retentionTimes } from '../config/config.ts';
import { historySizeBytes } from '../history/file/history-size.ts';
import { renderLandingPage } from '../http/content/landing-page.ts';
import { HttpServer, type ListenPlace } from '../http/server.ts';
import type { Logger } from '../log/logger.ts';
import { LoopDelay } from '../metrics/self/loop-delay.ts';
import { SelfMetrics, type SelfReadings } from '../metrics/self/self-metrics.ts';
import { startSchedule } from '../poll/schedule.ts';
import { Failure } from '../resources/failure.ts';
import { usageOptionsOf } from '../usage/options.ts';
import type { AccountWatch } from './account-watch.ts';
import { logClockJump } from './clock-jump-log.ts';
import { HistoryClient } from './history-client.ts';
import type { BackgroundWork } from './history-message.ts';
import { type StartSchedule, startPolling } from './polling.ts';
import { budgetOnHostClock, pressureOnHostClock, SteadyClock } from './steady-clock.ts';
import { UsageClient } from './usage-client.ts';
import { watchWebFile } from './web-file-log.ts';

/** How long the start waits for what a large fleet uses to be worked out. */
const longestUsageWaitMs = 2000;

export interface DaemonOptions {
  readonly log: Logger;
  readonly version: string;
  /** Commit of the source the program was built from; empty when it is not known. */
  readonly revision: string;
  /** Ends the polling; `close` does the rest. */
  readonly signal: AbortSignal;
  /** Descriptors of the sockets that systemd handed over; empty where there are none. */
  readonly inheritedSockets: readonly number[];
  /** Runs the polls as `collect.schedule` says, by cron unless told. */
  readonly startSchedule?: StartSchedule;
}

export interface Daemon {
  /** Where it serves on this host, at the first of its addresses. */
  readonly url: string;
  /** Rejects when the daemon cannot go on. */
  readonly failed: Promise<never>;
  /** Answers what was asked before, stops polling, and leaves the history to the next one. */
  close(): Promise<void>;
}

/** The parts that readings flow through. */
interface Flow {
  readonly config: Config;
  readonly options: DaemonOptions;
  readonly history: HistoryClient;
  readonly self: SelfMetrics;
  readonly clock: SteadyClock;
}

/**
 * Starts the daemon: what is known from the history is served at once, the polling begins, and every reading is
 * recorded and then published.
 *
 * @throws HistoryError when the history cannot be used, or the system's error when the address cannot be listened on;
 * then nothing stays open.
 */
export async function startDaemon(config: Config, options: DaemonOptions): Promise<Daemon> {
  await using parts = new AsyncDisposableStack();
  const watches: AccountWatch[] = [];
  const clock = new SteadyClock();
  const loopDelay = parts.adopt(new LoopDelay(), each => each.close());
  const self: SelfMetrics = measureSelf(config, options, {
    budgets: () => watches.map(({ account, budgetPerMinute }) => [account, budgetPerMinute()]),
    pressures: () =>
      watches.map(({ account, poller }) => [
        account,
        pressureOnHostClock(poller.pressure(clock.now()), clock),
      ]),
    loopDelay: () => loopDelay.read(),
    lastSnapshot: () => history.publication.snapshot,
  });
  const history = parts.adopt(await openHistory({ config, options, self, clock }, watches), each =>
    each.close(),
  );
  const flow: Flow = { config, options, history, self, clock };
  let http: HttpServer | undefined;
  // Scrapes are answered until the usage worker has ended, though it begins first.
  parts.defer(() => http?.close());
  const usage = parts.adopt(startUsage(flow), each => each.close());
  await waitForUsage(history, usage);
  http = await serve(flow);
  for (const url of http.urls.slice(1)) options.log.info({ url }, 'serving here, too');
  parts.use(await startPolling({ startSchedule, ...options, config, history, self, clock }, watches));
  parts.defer(() => http.drain());
  const running = parts.move();
  return { url: http.url, failed: history.failed, close: () => running.disposeAsync() };
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

/** @param watches the accounts being watched, whose request budgets are remembered. */
function openHistory(
  { config, options: { log }, self, clock }: Omit<Flow, 'history'>,
  watches: readonly AccountWatch[],
): Promise<HistoryClient> {
  const { accounts, collect, history, keys, series } = config;
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
      readBudgets: () =>
        new Map(watches.map(({ account, budget }) => [account, budgetOnHostClock(budget(), clock)])),
      onClockJump: jump => logClockJump(log, jump),
      onFailed(work, err) {
        if (work === 'budgets' || work === 'accruals') self.historyWriteFailures.inc();
        log.error({ err }, failureMessages[work]);
      },
    },
  );
}

function startUsage({ config, options: { log }, history }: Flow): UsageClient {
  return new UsageClient(usageOptionsOf(config), {
    onStarted: calculations => history.showUsage(calculations),
    onFailed: err => log.error({ err }, 'use and cost could not be worked out'),
  });
}

/** A page without what an earlier run showed would look to Prometheus as if it were gone. */
async function waitForUsage(history: HistoryClient, usage: UsageClient): Promise<void> {
  if (!history.hasData) return;
  const patience = sleep(longestUsageWaitMs, undefined, { ref: false });
  await Promise.race([history.usageShown, usage.nothingToShow, patience]);
}

/** @throws Failure when systemd handed over no socket, though it should have. */
function listenPlaces(
  { systemdSocket, listenAddress }: Config['web'],
  { inheritedSockets }: DaemonOptions,
): readonly ListenPlace[] {
  if (!systemdSocket) return listenAddress;
  if (inheritedSockets.length > 0) return inheritedSockets.map(fd => ({ fd }));
  const advice = 'start it by a socket unit, or leave --web.systemd-socket out';
  throw new Failure(`systemd handed over no socket: ${advice}`);
}

function serve({ config: { web, webFile }, options, history, self }: Flow): Promise<HttpServer> {
  const { publication } = history;
  const watch = watchWebFile(webFile, options.log);
  return HttpServer.start({
    listen: listenPlaces(web, options),
    telemetryPath: web.telemetryPath,
    healthWithoutLogin: web.healthWithoutLogin,
    access: () => watch.access,
    renderMetrics: async (format, gzip) => publication.read(format, gzip, await self.render(format)),
    renderLandingPage: () => {
      const { version } = options;
      const { overviews: accounts } = history;
      return renderLandingPage({ version, telemetryPath: web.telemetryPath, accounts, now: Date.now() });
    },
    isReady: () => history.hasData,
    onError: err => options.log.error({ err }, 'a request could not be answered'),
  });
}
