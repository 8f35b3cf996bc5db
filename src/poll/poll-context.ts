import type { Collector } from '../resources/collector.ts';
import { minuteMs } from '../resources/duration.ts';
import type { FailedReading, Moment, OperationProgress } from '../resources/reading.ts';
import type { Reason } from '../resources/reason.ts';
import type { AccountSource } from './account-source.ts';
import type { CpuSourceWatch } from './scheduler/cpu-source-watch.ts';
import type { UsageAge } from './scheduler/project/watched-project.ts';

/** A poll of one project: whom to ask, and from where it continues. */
export interface PollContext {
  readonly account: string;
  readonly project_id: string;
  readonly source: AccountSource;
  /** The collectors that are on: what the others would read is not asked for. */
  readonly collectors: readonly Collector[];
  /** How far the operations are known, and which known ones have not ended. */
  readonly known: OperationProgress & { readonly openIds: readonly string[] };
  /** How often the project was polled before: says which open operations are next when they are more than are followed at once. */
  readonly pollsBefore: number;
  /** Lost operations of all projects of the account, over polls. */
  readonly lost: LostOperations;
  /** The mark of its operations when they were last read: as long as it is the same, they alone are read. */
  readonly unlessMark?: number;
  /** Where its use is read for itself: when it was, and what is learned of that. */
  readonly usage?: { readonly age: UsageAge; readonly source: CpuSourceWatch };
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** Told of every failure, for the log. */
  readonly onFailure: (collector: Collector, error: unknown) => void;
}

/** The moment of a reading begun at `startedAt`; by this host's clock, unless the service told the time. */
export function momentOf({ account, now }: Pick<PollContext, 'account' | 'now'>, startedAt: number): Moment {
  const readAt = now();
  return { account, readAt, servedAt: readAt, durationMs: readAt - startedAt };
}

export function momentOfProject(context: PollContext, startedAt: number) {
  return { ...momentOf(context, startedAt), project_id: context.project_id };
}

/** The reading of a project that failed. */
export function failureOf(
  context: PollContext,
  startedAt: number,
  collector: Collector,
  reason: Reason,
): FailedReading {
  return { kind: 'failure', collector, reason, ...momentOfProject(context, startedAt) };
}

/** The value that was read or the reason why it was not; neither where it is not asked for. */
interface Attempted<Value> {
  readonly value?: Value;
  readonly reason?: Reason;
}

/** Makes a request of the project if its collector is on. Throws the signal's reason. */
export async function attempt<Value>(
  { source, collectors, signal, onFailure }: PollContext,
  collector: Collector,
  read: () => Promise<Value>,
): Promise<Attempted<Value>> {
  if (!collectors.includes(collector)) return {};
  try {
    return { value: await read() };
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof UnusableOperations ? error.reason : source.reasonOf(error);
    if (reason !== 'not_found') onFailure(collector, error);
    return { reason };
  }
}

/** Most operations of an answer cannot be used: the others would pass for all there are. */
export class UnusableOperations extends Error {
  override readonly name = 'UnusableOperations';
  readonly reason: Reason = 'malformed';

  constructor(rejected: number, read: number) {
    super(
      `${rejected} of ${rejected + read} operations cannot be used: check that base_url is that of an API of version 2`,
    );
  }
}

/**
 * The time and the number of answers after which an operation that is not found is taken for one that the service no
 * longer has: the list of its project was answered each time.
 */
const longestDoubtMs = minuteMs;
const fewestAnswers = 3;

/**
 * Open operations of an account's projects that the service answered 404 for, since they were last found: one such answer
 * may be wrong.
 */
export class LostOperations {
  readonly #lost = new Map<string, { readonly sinceAt: number; readonly answers: number }>();

  /** Notes that an operation of a project was not found; answers whether the service no longer has it. */
  miss(project_id: string, operation_id: string, now: number): boolean {
    const key = keyOf(project_id, operation_id);
    const { sinceAt, answers } = this.#lost.get(key) ?? { sinceAt: now, answers: 0 };
    const isGone = now - sinceAt >= longestDoubtMs && answers + 1 >= fewestAnswers;
    if (isGone) this.#lost.delete(key);
    else this.#lost.set(key, { sinceAt, answers: answers + 1 });
    return isGone;
  }

  find(project_id: string, operation_id: string): void {
    this.#lost.delete(keyOf(project_id, operation_id));
  }
}

function keyOf(project_id: string, operation_id: string): string {
  return JSON.stringify([project_id, operation_id]);
}
