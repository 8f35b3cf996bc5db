import { type Collector, collectors } from '../resources/collector.ts';
import type { OperationProgress } from '../resources/reading.ts';
import type { Reason } from '../resources/reason.ts';
import type { AccountSource } from './account-source.ts';

export interface RefreshContext {
  readonly account: string;
  readonly project_id: string;
  readonly source: AccountSource;
  /** Those that are on: what the others would read is not asked for. All by default. */
  readonly collectors?: readonly Collector[];
  /** How far the operations are known, and which known ones have not ended. */
  readonly known: OperationProgress & { readonly openIds: readonly string[] };
  /** How often the project was read before: says whose turn it is among more open operations than are followed at once. */
  readonly pollsBefore: number;
  /** Of its operations when they were last read: as long as it is the same, they alone are read. */
  readonly unlessMark?: number;
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** Told of every failure of the service, for the log. */
  readonly onFailure: (collector: Collector, error: unknown) => void;
}

/** Dates what was read since `startedAt`; by this host's clock, unless the service told the time. */
export function momentOf({ account, project_id, now }: RefreshContext, startedAt: number) {
  const readAt = now();
  return { account, project_id, readAt, servedAt: readAt, durationMs: readAt - startedAt };
}

/** What was read or why it was not; neither where it is not asked for. */
export interface Attempted<Value> {
  readonly value?: Value;
  readonly reason?: Reason;
}

/** What a request of the project gave, or why the service did not give it. Throws what is no failure of the service. */
export async function attempt<Value>(
  { source, collectors: enabled = collectors, onFailure }: RefreshContext,
  collector: Collector,
  read: () => Promise<Value>,
): Promise<Attempted<Value>> {
  if (!enabled.includes(collector)) return {};
  try {
    return { value: await read() };
  } catch (error) {
    const reason = source.reasonOf(error);
    if (reason === undefined) throw error;
    if (reason !== 'not_found') onFailure(collector, error);
    return { reason };
  }
}
