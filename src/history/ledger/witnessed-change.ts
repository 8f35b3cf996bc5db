import { minuteMs } from '../../resources/duration.ts';
import { isBeforeCreation } from './plausible-instant.ts';
import type { StateLedger, Transition } from './state-ledger.ts';

/** An endpoint with the exact instants at which it last started and was last suspended, in epoch milliseconds. */
export interface DatedEndpoint {
  readonly state: string;
  readonly startedAt: number | null;
  readonly suspendedAt: number | null;
  readonly createdAt: number | null;
}

/**
 * The last changes of state as the endpoint itself dates them, in order. None where they contradict its state or each
 * other, are still to come, or lie before its creation.
 */
export function listWitnessed(
  { state, startedAt, suspendedAt, createdAt }: DatedEndpoint,
  readAt: number,
): readonly Transition[] {
  const started = startedAt === null ? [] : [{ at: startedAt, state: 'active' }];
  const suspended = suspendedAt === null ? [] : [{ at: suspendedAt, state: 'idle' }];
  const changes = [...started, ...suspended].sort((one, other) => one.at - other.at);
  const [first, second = first] = changes;
  if (first === undefined || second === undefined || second.state !== state) return [];
  if (second !== first && second.at === first.at) return [];
  const isOdd = second.at > readAt || (createdAt !== null && isBeforeCreation(first.at, createdAt));
  return isOdd ? [] : changes;
}

/** The end of an operation that starts or suspends an endpoint is no further from the change itself. */
const longestOperationMs = minuteMs;
/** Instants of the service have whole seconds: a change so soon after another is one that is known already. */
const settlingMs = 5_000;

/**
 * Changes of state by operations, each at the exact instant where the endpoint witnesses it, with those that no operation
 * showed: no change is there twice, and none before what is known.
 *
 * @param ledger absent while none of the endpoint was opened.
 */
export function mergeWitnessed(
  ledger: StateLedger | undefined,
  transitions: readonly Transition[],
  witnessed: readonly Transition[],
): readonly Transition[] {
  const merged = [...transitions];
  const added: Transition[] = [];
  for (const change of witnessed) {
    const twin = nearestTwin(merged, change);
    if (twin !== undefined) merged[merged.indexOf(twin)] = change;
    else if (isNews(ledger, change)) added.push(change);
  }
  return [...merged, ...added];
}

function nearestTwin(transitions: readonly Transition[], { at, state }: Transition): Transition | undefined {
  const distance = (transition: Transition) => Math.abs(transition.at - at);
  return transitions
    .filter(transition => transition.state === state && distance(transition) <= longestOperationMs)
    .sort((one, other) => distance(one) - distance(other))[0];
}

function isNews(ledger: StateLedger | undefined, { at }: Transition): boolean {
  return ledger === undefined || (at > ledger.untilAt && at - ledger.sinceAt > settlingMs);
}
