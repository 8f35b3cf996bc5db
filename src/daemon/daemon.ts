import type { Config } from '../config/config.ts';
import type { LiveState } from '../console/live-state.ts';
import { historySizeBytes } from '../history/file/reader.ts';
import type { HttpServer } from '../http/server.ts';
import type { Logger } from '../log/logger.ts';
import { ProblemLog } from '../log/problem-log.ts';
import { LoopDelay } from '../metrics/self/loop-delay.ts';
import { SelfMetrics, type SelfReadings } from '../metrics/self/self-metrics.ts';
import { startSchedule } from '../poll/schedule.ts';
import { compact } from '../resources/field.ts';
import { Activity } from './activity.ts';
import type { LoadConfig } from './config-change.ts';
import { DamageWatch } from './damage-watch.ts';
import { readDescriptorLimit, shareDescriptors } from './descriptor-share.ts';
import { type DaemonParts, describeDaemon, Heartbeat, isReadOnce, summarize } from './heartbeat.ts';
import { describeStalls, PollWatchdog } from './poll-watchdog.ts';
import type { StartSchedule } from './polling.ts';
import { ReloadableWatching } from './reload.ts';
import { listPauses, SteadyClock } from './steady-clock.ts';
import { openWatching } from './succession.ts';
import { UsedKeys } from './used-key.ts';

export interface DaemonOptions {
  readonly log: Logger;
  readonly version: string;
  /** Commit of the source the program was built from; empty when it is not known. */
  readonly revision: string;
  /** Ends the polling; `close` does the rest. */
  readonly signal: AbortSignal;
  readonly loadConfig: LoadConfig;
  /** Descriptors of the sockets that systemd handed over; empty where there are none. */
  readonly inheritedSockets: readonly number[];
  /** Runs the polls as `collect.schedule` says, by cron unless told. */
  readonly startSchedule?: StartSchedule;
  /** How long polling may give no sign of life before it has stalled. */
  readonly stallPatienceMs?: number;
  /** Told of each reload of the configuration when it begins. */
  readonly onReloading?: (reload: Promise<unknown>) => void;
}

export interface Daemon {
  /** Where it serves on this host, at the first of its addresses. */
  readonly url: string;
  /** Rejects when the daemon cannot go on. */
  readonly failed: Promise<never>;
  /** Resolves when what is known of the past is read, and use and cost are worked out from it. */
  readonly workedOut: Promise<void>;
  /**
   * Loads the configuration anew and goes on with it.
   *
   * @returns a sentence for each problem, with which all stays as it was.
   */
  reload(): Promise<readonly string[]>;
  /** A sentence about what has stalled. */
  readonly findStall: () => string | undefined;
  /** A few words on what is served, and where. */
  readonly describe: () => string;
  /** Answers what was asked before, stops polling, and leaves the history to the next one. */
  close(): Promise<void>;
}

/**
 * Starts the daemon: what is known from the history is served at once, the polling begins, and every reading is
 * committed and then published.
 *
 * @throws HistoryError when the history cannot be used, the system's error when the address cannot be listened on, or
 * Failure when too few descriptors are allowed; then nothing stays open.
 */
export async function startDaemon(config: Config, options: DaemonOptions): Promise<Daemon> {
  await using parts = new AsyncDisposableStack();
  const { log, version, signal } = options;
  const share = shareDescriptors(readDescriptorLimit(), config.accounts.length);
  const clock = new SteadyClock();
  const problems = new ProblemLog(log, clock);
  const activity = new Activity();
  const loopDelay = parts.adopt(new LoopDelay(), each => each.close());
  const stalls = parts.adopt(watchStalls(options), each => each.close());
  let watching: ReloadableWatching | undefined;
  const startedAt = Date.now();
  const accounts = () => watching?.current.accounts ?? [];
  const self: SelfMetrics = measureSelf(config, options, {
    budgets: () => accounts().map(({ account, budgetPerMinute }) => [account, budgetPerMinute()]),
    pauses: () => listPauses(accounts(), clock),
    pressures: () => watching?.pressures() ?? [],
    loopDelay: () => loopDelay.read(),
    stalled: () => stalls.accounts(),
    succession: () => watching?.succession,
    lastPage: () => watching?.current.history.publication.latest,
  });
  const lost = Promise.withResolvers<never>();
  // It may be waited for nowhere.
  lost.promise.catch(() => {});
  const damage = new DamageWatch(log, self, config.history.file);
  const use = {
    ...{ log, problems, activity, version, signal, self, clock, stalls },
    serviceConnections: share.serviceConnections,
    damage,
    usedKeys: new UsedKeys(),
    startSchedule: options.startSchedule ?? startSchedule,
    readLive: () => readLive({ watching: reloadable, problems, stalls, damage, clock, startedAt }),
  };
  const { loadConfig, onReloading = () => {} } = options;
  const reloads = { loadConfig, onReloading, onReload: self.noteReload, onLost: lost.reject };
  // Loading the server takes a while, and a thread of its own opens the history meanwhile.
  const [first, { serve }] = await Promise.all([openWatching(config, use), import('./serving.ts')]);
  const reloadable = new ReloadableWatching(first, { ...use, ...reloads });
  watching = reloadable;
  parts.defer(() => reloadable.current.close());
  let http: HttpServer | undefined;
  // Scrapes are answered until use and cost are no longer worked out.
  parts.defer(() => http?.close());
  parts.defer(() => reloadable.current.rest());
  http = await serve(config, { ...options, self, share, watching: reloadable, stalls, problems });
  // A standby may have taken over by now, and polls then.
  await first.poll();
  for (const url of http.urls.slice(1)) log.info({ url }, 'serving here, too');
  for (const url of http.healthUrls) log.info({ url }, 'answering probes here');
  parts.adopt(beat(config, log, { watching: reloadable, activity, problems }), each => each.close());
  parts.defer(async () => void (await reloadable.settled));
  parts.defer(() => reloadable.stopWaiting());
  parts.defer(() => http.drain());
  const running = parts.move();
  return {
    url: http.url,
    failed: lost.promise,
    workedOut: reloadable.current.workedOut,
    reload: () => reloadable.reload(),
    findStall: () => describeStalls(stalls.list()),
    describe: () => `${summarize(reloadable.current)}, serving at ${http.url}`,
    close: () => running.disposeAsync(),
  };
}

function measureSelf(
  { history, shard }: Config,
  { version, revision }: DaemonOptions,
  read: Omit<SelfReadings, 'historySizeBytes'>,
): SelfMetrics {
  return new SelfMetrics({
    version,
    revision,
    ...(shard && { shard }),
    read: { ...read, historySizeBytes: () => historySizeBytes(history.file) },
  });
}

/** Says in the log when polling stalls, and when it goes on. */
function watchStalls({ log, stallPatienceMs }: DaemonOptions): PollWatchdog {
  return new PollWatchdog({
    ...(stallPatienceMs !== undefined && { patienceMs: stallPatienceMs }),
    onChange(stalled) {
      if (stalled.length === 0) log.info('polling goes on');
      for (const { account, what } of stalled) log.error({ account, what }, 'polling has stalled');
    },
  });
}

function beat(
  { log: { heartbeatMs: everyMs } }: Config,
  log: Logger,
  { watching, ...parts }: Omit<DaemonParts, 'watching'> & { readonly watching: ReloadableWatching },
): Heartbeat {
  const state = () => ({ watching: watching.current, ...parts });
  const describe = () => describeDaemon(state(), Date.now());
  return new Heartbeat({ log, everyMs, isComplete: () => isReadOnce(state()), describe });
}

interface LiveParts {
  readonly watching: ReloadableWatching;
  readonly problems: ProblemLog;
  readonly stalls: PollWatchdog;
  readonly damage: DamageWatch;
  readonly clock: SteadyClock;
  /** Epoch milliseconds. */
  readonly startedAt: number;
}

/** The state of the running daemon now, for the pages that show it. */
function readLive({ watching, problems, stalls, damage, clock, startedAt }: LiveParts): LiveState {
  const { current, lastReload, succession } = watching;
  const shownAt = current.history.publication.latest?.publishedAt;
  const pauses = new Map(listPauses(current.accounts, clock));
  const pressures = new Map(watching.pressures());
  return {
    now: Date.now(),
    startedAt,
    overviews: current.history.shown.overviews,
    imports: current.history.imports.list(),
    accounts: current.accounts.map(({ account, budgetPerMinute, listSchedule }) => ({
      ...{ account, budgetPerMinute: budgetPerMinute() },
      ...compact({
        pressure: pressures.get(account),
        pausedUntil: pauses.get(account),
        listingSince: listSchedule?.underWaySince(),
        nextListAt: listSchedule?.nextAt(),
      }),
    })),
    problems: problems.list(),
    stalled: stalls.list(),
    ...(lastReload && { lastReload }),
    ...(succession && { succession: { ...succession, shownAt } }),
    isDamaged: damage.isDamaged,
    ...compact({ setAside: damage.setAside, newestBackupAt: current.history.newestBackupAt }),
    historySizeBytes: historySizeBytes(current.config.history.file),
  };
}
