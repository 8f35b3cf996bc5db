import { type Account, activeCollectors, type Config } from '../config/config.ts';
import type { Logger } from '../log/logger.ts';
import type { ProblemLog, RepeatedWork } from '../log/problem-log.ts';
import type { SelfMetrics } from '../metrics/self/self-metrics.ts';
import type { ImportProgress } from '../poll/poller-options.ts';
import { type Schedule, scheduleIntervalMs, type startSchedule } from '../poll/schedule.ts';
import { apiKeyList } from '../resources/api-key.ts';
import { projectParts } from '../resources/catalog.ts';
import { consumptionList } from '../resources/consumption.ts';
import { compact } from '../resources/field.ts';
import { projectList } from '../resources/project.ts';
import type { AnyProjectPart } from '../resources/project-part.ts';
import type { MeterState, Reading } from '../resources/reading.ts';
import { type AccountWatch, watchAccount } from './account-watch.ts';
import type { Activity } from './activity.ts';
import { commitReadings, ReadingLog } from './committed-reading.ts';
import type { DamageWatch } from './damage-watch.ts';
import type { HistoryClient } from './history-client.ts';
import type { MeterMode, MeterWatchOptions } from './meter-watch.ts';
import type { PollWatchdog } from './poll-watchdog.ts';
import { caFileWork, keyFileWork, logDate, pollWork } from './repeated-work.ts';
import { convertBudget, meterFromHostClock, type SteadyClock } from './steady-clock.ts';
import type { UsedKeys } from './used-key.ts';

/** Runs a task at once and then on a schedule. */
export type StartSchedule = typeof startSchedule;

export interface PollingOptions {
  readonly config: Config;
  readonly log: Logger;
  /** Told of everything that fails and of what succeeds. */
  readonly problems: ProblemLog;
  readonly damage: DamageWatch;
  readonly version: string;
  /** Ends the polling. */
  readonly signal: AbortSignal;
  readonly startSchedule: StartSchedule;
  readonly history: HistoryClient;
  readonly self: SelfMetrics;
  readonly clock: SteadyClock;
  readonly usedKeys: UsedKeys;
  /** Counts what is read and asked for. */
  readonly activity: Activity;
  /** Gets a sign of life from everything that is polled. */
  readonly stalls: PollWatchdog;
  /** Connections to the service at a time, of all accounts together. */
  readonly serviceConnections: number;
}

const listOfProjects = 'the list of projects';
const listOfApiKeys = 'the list of API keys';
const theMeter = 'the meter of the service';
/** The lists by the route that is asked for them: a list of many pages is read for long. */
const listsByRoute: Readonly<Record<string, string>> = {
  [projectList.route]: listOfProjects,
  [apiKeyList.route]: listOfApiKeys,
  [consumptionList('hourly').route]: theMeter,
  ...Object.fromEntries(projectParts.map(({ collector, list }) => [list.route, `the ${collector}`])),
};

/**
 * Starts polling every account: what is read is committed to the history.
 *
 * @param watches is filled with the accounts being watched.
 * @returns what ends it: schedules first, then what is under way, then the connections.
 */
export async function startPolling(
  options: PollingOptions,
  watches: AccountWatch[],
): Promise<AsyncDisposableStack> {
  const { config, history, problems, stalls } = options;
  await using parts = new AsyncDisposableStack();
  parts.defer(() => every(watches, watch => watch.close()));
  parts.defer(() => every(watches, ({ poller }) => poller.idle()));
  options.self.forgetDates();
  for (const account of config.accounts) watches.push(watchInto(options, account));
  history.saveBudgets();
  stalls.beginAnew();
  const schedules: Schedule[] = [];
  parts.defer(() => every(schedules, schedule => schedule.stop()));
  const stopped = new AbortController();
  parts.defer(() => stopped.abort());
  const signal = AbortSignal.any([options.signal, stopped.signal]);
  for (const watch of watches) {
    const { account, poller, meter, parts: partPollers } = watch;
    const start = (what: string, run: () => Promise<void>, onOverlap = () => {}) => {
      const sign = () => stalls.sign(account, what);
      const work = pollWork(what);
      const runWithSigns = async () => {
        sign();
        await run().finally(sign);
        problems.succeed(work, { account });
      };
      const onError = (error: unknown) => problems.fail(work, { account }, error);
      const listeners = { onOverlap, onError, onWait: sign };
      const schedule = options.startSchedule(config.collect.schedule, runWithSigns, listeners);
      schedules.push(schedule);
      return schedule;
    };
    const skipListPoll = () => poller.skipListPoll();
    watch.listSchedule = start(listOfProjects, () => poller.pollProjectList(signal), skipListPoll);
    start(listOfApiKeys, () => poller.pollApiKeys(signal));
    const ofConfig = config.accounts.find(({ name }) => name === account);
    start('the projects', async () => {
      if (ofConfig !== undefined) lookAtFiles(ofConfig, options);
      poller.beginRound(signal);
    });
    if (meter !== undefined) start(theMeter, () => meter.poll(signal));
    for (const part of partPollers) start(`the ${part.collector}`, () => part.poll(signal));
  }
  return parts.move();
}

/**
 * Says when the key file of an account, or its file of authorities, cannot be used any more: what was read of it stays in use,
 * and nothing else would show it.
 */
function lookAtFiles(
  { name, findKeyProblem, findCaProblem }: Account,
  { problems, self }: PollingOptions,
): void {
  const say = (work: RepeatedWork, find: () => string | undefined = () => undefined) => {
    const problem = find();
    if (problem === undefined) problems.succeed(work, { account: name });
    else problems.fail(work, { account: name }, new Error(problem));
    return problem === undefined;
  };
  const isKeyUsable = say(keyFileWork, findKeyProblem);
  const isCaUsable = say(caFileWork, findCaProblem);
  self.noteKeyFile(name, isKeyUsable && isCaUsable);
}

async function every<Item>(items: readonly Item[], end: (item: Item) => Promise<void>): Promise<void> {
  await Promise.all(items.map(end));
}

function watchInto(options: PollingOptions, account: Account): AccountWatch {
  const { config, history, self, version, clock, serviceConnections } = options;
  const { stalls, problems, activity, usedKeys } = options;
  const { name } = account;
  const budget = usedKeys.budgetOf(account, history.known(name).budget);
  const count = self.requestCounter(name, config.collect.collectors);
  const readings = new ReadingLog(name, problems);
  const log = options.log.child({ account: name });
  const commitBy = <Result>(write: (reading: Reading) => Promise<Result>) =>
    commitReadings(write, {
      ...{ clock, readings, activity, damage: options.damage },
      countFailure: () => self.historyWriteFailures.inc(),
      commitFault: fault => history.commit(fault),
    });
  const onOurClock = (state: MeterState | undefined) => state && meterFromHostClock(state, clock);
  const meterOptions = (mode: MeterMode): MeterWatchOptions => ({
    mode,
    known: onOurClock(history.known(name).meter),
    commit: commitBy(async reading => onOurClock(await history.commitMeter(reading))),
    onRefused: error =>
      log.info({ err: error }, 'the service does not offer its meter: it is asked again in a day'),
  });
  const commit = commitBy(reading => history.commit(reading));
  const readsPart = (part: AnyProjectPart) => activeCollectors(config.collect).includes(part.collector);
  const parts = projectParts.filter(readsPart).map(part => ({
    part,
    commit,
    onRefused: (error: unknown) =>
      log.info({ err: error }, `the service does not list ${part.collector}: it is asked again in a day`),
  }));
  return watchAccount(usedKeys.follow(account), {
    client: {
      userAgent: `dbpm-exporter/${version}`,
      now: clock.now,
      hostNow: Date.now,
      ...compact({ longestPauseMs: config.collect.longestPauseMs, skewMs: history.known(name).skewMs }),
      onDate: offMs => {
        logDate(options.problems, name, offMs);
        self.noteDate(name, offMs);
      },
      onAttempt(attempt) {
        count(attempt);
        activity.noteAttempt(attempt.outcome);
        const what = listsByRoute[attempt.route];
        if (what !== undefined) stalls.sign(name, what);
      },
    },
    mostConnections: Math.max(1, Math.floor(serviceConnections / config.accounts.length)),
    scheduleMs: scheduleIntervalMs(config.collect.schedule),
    idleRefreshMs: config.collect.idleRefreshMs,
    dropAfterMs: config.collect.dropAfterMs,
    now: clock.now,
    apiKeysRefreshMs: config.collect.apiKeysRefreshMs,
    commit,
    parts,
    ...(config.collect.consumption !== 'off' && { meter: meterOptions(config.collect.consumption) }),
    // No variable holds them: what the poller was made of lives as long as it does.
    knownProjects: () => history.takeProjects(name),
    budget: budget && convertBudget(budget, at => clock.fromHostClock(at)),
    knownCpuSource: history.shown.overviews.find(({ summary }) => summary.account === name)?.summary
      .cpuSource,
    collectors: config.collect.collectors,
    onListRest: ms => stalls.sign(name, listOfProjects, ms),
    onImport: reportImport(log),
    onProblem: problem => readings.noteProblem(problem),
  });
}

const importReportPauseMs = 30_000;

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
