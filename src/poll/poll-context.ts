import type { Collector } from '../resources/collector.ts';
import type { OperationProgress } from '../resources/reading.ts';
import type { Reason } from '../resources/reason.ts';
import type { AccountSource } from './account-source.ts';
import type { LostOperations } from './lost-operation.ts';
import type { CpuSourceWatch } from './scheduler/cpu-source-watch.ts';
import type { UsageAge } from './scheduler/project/usage-age.ts';
import { UnusableOperations } from './unusable-operations.ts';

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
export function momentOf({ account, project_id, now }: PollContext, startedAt: number) {
  const readAt = now();
  return { account, project_id, readAt, servedAt: readAt, durationMs: readAt - startedAt };
}

/** The value that was read or the reason why it was not; neither where it is not asked for. */
export interface Attempted<Value> {
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
