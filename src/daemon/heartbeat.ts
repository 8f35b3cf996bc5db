import { historySizeBytes } from '../history/file/reader.ts';
import type { LogFields, Logger } from '../log/logger.ts';
import type { ProblemLog } from '../log/problem-log.ts';
import { renderDuration, secondMs } from '../resources/duration.ts';
import { minOf } from '../resources/min-max.ts';
import type { Activity } from './activity.ts';
import type { Watching } from './watching.ts';

interface HeartbeatOptions {
  readonly log: Logger;
  /** 0 for none. */
  readonly everyMs: number;
  /** Whether everything was read once: then the first line comes, and need not wait for its time. */
  readonly isComplete: () => boolean;
  /** How the daemon is doing, and what it did since the last call. */
  readonly describe: () => LogFields;
}

/** How often it is looked whether everything was read once. */
const lookEveryMs = secondMs;

/** Logs a line now and then that says how the daemon is doing. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #saidAtMs = performance.now();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    if (options.everyMs > 0) this.#timer = setInterval(() => this.#look(), lookEveryMs).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const { everyMs, isComplete } = this.#options;
    if (performance.now() - this.#saidAtMs < everyMs && !isComplete()) return;
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#beat(), everyMs).unref();
    this.#beat();
  }

  #beat(): void {
    const now = performance.now();
    const period = renderDuration(now - this.#saidAtMs);
    this.#saidAtMs = now;
    this.#options.log.info({ period, ...this.#options.describe() }, 'heartbeat');
  }
}

/** The parts of a daemon that say how it is doing. */
export interface DaemonParts {
  readonly watching: Watching;
  readonly activity: Activity;
  readonly problems: ProblemLog;
}

/** Whether it is known of every account in this run whether its list can be read, and the operations of all its projects are. */
export function isReadOnce({ watching, activity }: Pick<DaemonParts, 'watching' | 'activity'>): boolean {
  if (watching.isStandby) return true;
  const { overviews } = watching.history.shown;
  return overviews.every(
    ({ summary: { account, up, importsLeft = 0 } }) =>
      activity.hasTriedList(account) && up !== undefined && importsLeft === 0,
  );
}

/** How the daemon is doing, and what it did since this was last asked, as fields of a log line. */
export function describeDaemon({ watching, activity, problems }: DaemonParts, now: number): LogFields {
  const { history, accounts, config } = watching;
  const { overviews } = history.shown;
  const sum = (count: (overview: (typeof overviews)[number]) => number) =>
    overviews.reduce((all, overview) => all + count(overview), 0);
  const down = overviews.filter(({ summary }) => summary.up !== true).map(({ summary }) => summary.account);
  const oldestAt = minOf(overviews.map(({ oldestReadAt = Number.POSITIVE_INFINITY }) => oldestReadAt));
  const { readings, failedReadings, requests, failedRequests } = activity.take();
  return {
    ...(watching.isStandby && { standby: true }),
    accounts: overviews.length,
    ...(down.length > 0 && { down }),
    projects: sum(({ projects }) => projects),
    endpoints: sum(({ endpoints }) => endpoints),
    readings,
    failed_readings: failedReadings,
    ...(Number.isFinite(oldestAt) && { oldest_reading: renderDuration(Math.max(0, now - oldestAt)) }),
    requests,
    failed_requests: failedRequests,
    budget_per_minute: Math.round(accounts.reduce((all, { budgetPerMinute }) => all + budgetPerMinute(), 0)),
    series: history.publication.latest?.series,
    history_bytes: historySizeBytes(config.history.file),
    problems: problems.lasting,
  };
}

/** The watched accounts and projects in a few words. */
export function summarize({ history, isStandby }: Watching): string {
  const { overviews } = history.shown;
  const projects = overviews.reduce((sum, each) => sum + each.projects, 0);
  const names = overviews.map(({ summary }) => summary.account);
  if (isStandby) return `Standing by for another daemon that watches ${names.join(', ')}`;
  return `Watching ${projects} projects of ${names.join(', ')}`;
}
