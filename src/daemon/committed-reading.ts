import type { WrittenReading } from '../history/commit/commit.ts';
import { HistoryError } from '../history/file/history-error.ts';
import type { ProblemLog } from '../log/problem-log.ts';
import type { PollProblem } from '../poll/poller-options.ts';
import type { Collector } from '../resources/collector.ts';
import type { FailedReading, ImplausibleValue, ProjectReading, Reading } from '../resources/reading.ts';
import { unpackError } from '../thread/sent-error.ts';
import type { Activity } from './activity.ts';
import type { DamageWatch } from './damage-watch.ts';
import type { CommitOutcome } from './history-api.ts';
import { itemWork, readingWork, recordingWork, wholeListWork } from './repeated-work.ts';
import type { SteadyClock } from './steady-clock.ts';

interface CommitParts {
  readonly clock: SteadyClock;
  readonly readings: ReadingLog;
  readonly activity: Activity;
  readonly damage: DamageWatch;
  readonly countFailure: () => void;
  /** Takes a failure that the history is to know of. */
  readonly commitFault: (fault: Reading) => Promise<unknown>;
}

/**
 * Has readings written, and what becomes of them told: in the log, in metrics, and to the history itself where it did not
 * take one.
 *
 * @param write takes a reading that is dated by the host's clock.
 */
export function commitReadings<Result>(
  write: (reading: Reading) => Promise<Result>,
  { clock, readings, activity, damage, countFailure, commitFault }: CommitParts,
): (reading: Reading) => Promise<Result> {
  return async reading => {
    try {
      const result = await write(readingOnHostClock(reading, clock));
      readings.noteCommitted(reading);
      activity.noteReading(reading);
      return result;
    } catch (error) {
      countFailure();
      damage.look(error);
      readings.noteLost(error);
      for (const fault of listOwnFaults(reading, error)) {
        await commitFault(readingOnHostClock(fault, clock)).catch(() => {});
      }
      throw error;
    }
  };
}

/**
 * The failures to commit for a reading that the history did not take: none where the disk or the database refused it,
 * which its error names by a code, and for a failure itself.
 */
function listOwnFaults(reading: Reading, error: unknown): readonly FailedReading[] {
  const isRefused = error instanceof Error && 'code' in error && error.code !== undefined;
  if (isRefused || reading.kind === 'failure') return [];
  const { account, readAt, durationMs } = reading;
  const moment = { account, readAt, servedAt: readAt, durationMs };
  const project = 'project_id' in reading ? { project_id: reading.project_id } : {};
  return collectorsOf(reading).map(collector => ({
    kind: 'failure',
    collector,
    reason: 'internal',
    ...moment,
    ...project,
    ...(reading.kind === 'project_usage' && { ofUse: true }),
  }));
}

function collectorsOf(reading: Exclude<Reading, FailedReading>): readonly Collector[] {
  switch (reading.kind) {
    case 'project':
      return (['endpoints', 'operations'] as const).filter(collector => reading[collector] !== undefined);
    case 'operation_import':
      return ['operations'];
    case 'api_keys':
      return ['api_keys'];
    case 'project_part':
      return [reading.collector];
    case 'consumption':
    case 'consumption_refused':
      return ['consumption'];
    default:
      return ['projects'];
  }
}

/** Tells the log which readings of an account fail and which succeed. */
export class ReadingLog {
  readonly #account: string;
  readonly #problems: ProblemLog;
  /** Errors of the history: one that keeps several readings from being written is a problem of none of them. */
  readonly #lost = new WeakSet<object>();

  constructor(account: string, problems: ProblemLog) {
    this.#account = account;
    this.#problems = problems;
  }

  /** Notes that a reading is in the history. */
  noteCommitted(reading: Reading): void {
    this.#problems.succeed(recordingWork, {});
    switch (reading.kind) {
      case 'projects':
        if (reading.complete) this.#problems.succeed(wholeListWork, this.#about('projects'));
        this.#succeed('projects');
        break;
      case 'consumption':
        if (reading.end?.complete) this.#problems.succeed(wholeListWork, this.#about('consumption'));
        if (reading.end !== undefined) this.#succeed('consumption');
        break;
      case 'project_part':
        this.#succeed(reading.collector);
        break;
      case 'api_keys':
        this.#succeed('api_keys');
        this.#noteItems('api_keys', reading.rejected);
        break;
      case 'project':
        this.#noteProject(reading);
        break;
      case 'operation_import':
        if (reading.operations.rejected > 0)
          this.#noteItems('operations', reading.operations.rejected, reading.project_id);
        break;
      case 'project_usage':
        this.#succeed('projects', reading.project_id);
        break;
      case 'project_gone':
        for (const collector of ['endpoints', 'operations'] as const) {
          this.#succeed(collector, reading.project_id);
          this.#noteItems(collector, 0, reading.project_id);
        }
    }
  }

  /** Notes that a reading could not be written. */
  noteLost(error: unknown): void {
    if (error instanceof Error) this.#lost.add(error);
    this.#problems.fail(recordingWork, {}, error);
  }

  /** Notes what the poller says of a reading, unless it was noted as lost. */
  noteProblem({ collector, project_id, isPartial, error }: PollProblem): void {
    if (error instanceof Error && this.#lost.has(error)) return;
    const work = isPartial ? wholeListWork : readingWork;
    this.#problems.fail(work, this.#about(collector), error, project_id);
  }

  #noteProject({ project_id, endpoints, operations, unchanged }: ProjectReading): void {
    if (endpoints !== undefined || unchanged) this.#succeed('endpoints', project_id);
    if (endpoints !== undefined) this.#noteItems('endpoints', endpoints.rejected, project_id);
    if (operations === undefined) return;
    this.#succeed('operations', project_id);
    if (!unchanged) this.#noteItems('operations', operations.rejected, project_id);
  }

  /** @param rejected items of a list that could not be used. */
  #noteItems(collector: Collector, rejected: number, project_id?: string): void {
    const about = this.#about(collector);
    if (rejected === 0) this.#problems.succeed(itemWork, about, project_id);
    else this.#problems.fail(itemWork, about, new Error(describeRejected(rejected)), project_id);
  }

  #succeed(collector: Collector, project_id?: string): void {
    this.#problems.succeed(readingWork, this.#about(collector), project_id);
  }

  #about(collector: Collector) {
    return { account: this.#account, collector };
  }
}

function describeRejected(rejected: number): string {
  return `${rejected} cannot be used: what each must have is missing or something else, such as its id`;
}

/** A reading as it is committed: its own instant by the host's clock. What only this host dated is converted with it. */
export function readingOnHostClock(reading: Reading, clock: SteadyClock): Reading {
  const readAt = clock.toHostClock(reading.readAt);
  const servedAt = reading.servedAt === reading.readAt ? readAt : reading.servedAt;
  return { ...reading, readAt, servedAt };
}

interface WaitingReading extends Omit<PromiseWithResolvers<WrittenReading>, 'promise'> {
  readonly reading: Reading;
}

/** Told of each reading that was written, with values of it that were held back as they cannot be true. */
export type CommittedListener = (reading: Reading, implausible: readonly ImplausibleValue[]) => void;

/** Readings on their way to the history: one batch is under way at a time, and what comes meanwhile is the next. */
export class ReadingBatch {
  readonly #commit: (readings: readonly Reading[]) => Promise<readonly CommitOutcome[]>;
  readonly #onCommitted: CommittedListener;
  #next: WaitingReading[] = [];
  #underWay: Promise<void> | undefined;

  /** @param commit answers with outcomes in the order of the readings. */
  constructor(
    commit: (readings: readonly Reading[]) => Promise<readonly CommitOutcome[]>,
    onCommitted: CommittedListener,
  ) {
    this.#commit = commit;
    this.#onCommitted = onCommitted;
  }

  /** Resolves when none is on its way. */
  async settled(): Promise<void> {
    await this.#underWay;
  }

  /** Settles with the outcome of the reading. */
  add(reading: Reading): Promise<WrittenReading> {
    const { promise, resolve, reject } = Promise.withResolvers<WrittenReading>();
    this.#next.push({ reading, resolve, reject });
    this.#underWay ??= this.#sendAll();
    return promise;
  }

  async #sendAll(): Promise<void> {
    while (this.#next.length > 0) await this.#send(this.#next.splice(0));
    this.#underWay = undefined;
  }

  async #send(batch: readonly WaitingReading[]): Promise<void> {
    try {
      const outcomes = await this.#commit(batch.map(({ reading }) => reading));
      for (const [index, waiting] of batch.entries()) this.#settle(waiting, outcomes[index]);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  #settle({ reading, resolve, reject }: WaitingReading, outcome: CommitOutcome | undefined): void {
    if (outcome === undefined) reject(new HistoryError('the history gave no answer'));
    else if ('error' in outcome) reject(unpackError(outcome.error));
    else {
      this.#onCommitted(reading, outcome.implausible);
      resolve(outcome);
    }
  }
}
