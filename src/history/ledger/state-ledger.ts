import { minuteMs, type Span } from '../../resources/duration.ts';
import { isBeforeCreation } from './plausible-instant.ts';

/** In which state an endpoint is, since when, and until when its time is accounted for; epoch milliseconds. */
interface StateLedger {
  readonly state: string;
  readonly sinceAt: number;
  readonly untilAt: number;
}

/** A change of state an operation made, dated by the end of the operation. */
export interface Transition {
  readonly at: number;
  readonly state: string;
}

/** A state that began; `doubt` holds the instants between which that was, where no operation dates it. */
export interface BegunInterval extends Transition {
  readonly doubt?: Span;
}

/** The state an endpoint was read to be in. */
export interface Observation {
  readonly at: number;
  readonly state: string;
  /** When the endpoint says it was last updated. */
  readonly updatedAt?: number;
  /** A change is under way: what was read may be either side of it. */
  readonly changing: boolean;
}

export interface LedgerEntry {
  readonly ledger: StateLedger;
  /** Intervals that began, in order. */
  readonly begun: readonly BegunInterval[];
  readonly durations: ReadonlyMap<string, number>;
}

/** Instants of the service have whole seconds and lists may be a moment behind: within this, operations are believed. */
const settlingMs = 5_000;

/** How far the clocks of the service and of this host may differ. */
const clockSlackMs = minuteMs;

/** When something happened that was read at `readAt`: as the service dates it, but not in the future. */
export function dateEvent(updatedAt: number | undefined, readAt: number): number {
  return updatedAt === undefined ? readAt : Math.min(updatedAt, readAt + clockSlackMs);
}

/** Enters changes and an observation; time already accounted for is never taken back. */
export function enter(
  ledger: StateLedger,
  transitions: readonly Transition[],
  observation: Observation | undefined,
): LedgerEntry {
  const durations = new Map<string, number>();
  const begun: BegunInterval[] = [];
  let { state, sinceAt, untilAt } = ledger;
  // When the state really changed, which may be before the time that is still open (`sinceAt`).
  let changedAt = sinceAt;

  const accountUntil = (at: number) => {
    if (at <= untilAt) return;
    durations.set(state, (durations.get(state) ?? 0) + at - untilAt);
    untilAt = at;
  };
  const change = (transition: Transition, doubt?: BegunInterval['doubt']) => {
    if (transition.at < changedAt) return;
    accountUntil(transition.at);
    if (transition.state === state) return;
    state = transition.state;
    changedAt = transition.at;
    sinceAt = untilAt;
    begun.push({ at: sinceAt, state, ...(doubt && { doubt }) });
  };

  const ordered = [...transitions].sort((a, b) => a.at - b.at);
  const observedAt = observation?.at ?? Number.POSITIVE_INFINITY;
  for (const transition of ordered) if (transition.at <= observedAt) change(transition);
  if (observation !== undefined) {
    const isLatest = observation.at >= untilAt;
    const settled = isLatest && !observation.changing && observation.at - sinceAt > settlingMs;
    if (settled && observation.state !== state) {
      const at = Math.min(observation.updatedAt ?? observation.at, observation.at);
      const doubt = { fromAt: untilAt, untilAt: observation.at };
      change({ at: Math.max(at, untilAt), state: observation.state }, doubt);
    }
    accountUntil(observation.at);
  }
  for (const transition of ordered) if (transition.at > observedAt) change(transition);
  return { ledger: { state, sinceAt, untilAt }, begun, durations };
}

/**
 * Opens the ledger of an endpoint seen for the first time. It reaches back to the endpoint's creation (state
 * `init`, as the specification has it) when the operations do (`knownFromAt`), else to its first known change
 * of state, else only to the observation.
 */
export function open(
  createdAt: number | undefined,
  knownFromAt: number | undefined,
  transitions: readonly Transition[],
  observation: Observation,
): LedgerEntry {
  const first = transitions.toSorted((a, b) => a.at - b.at)[0];
  const beginning: Transition =
    createdAt !== undefined &&
    knownFromAt !== undefined &&
    knownFromAt <= createdAt &&
    createdAt <= observation.at + clockSlackMs
      ? { at: createdAt, state: 'init' }
      : (first ?? observation);
  const entry = enter(
    { state: beginning.state, sinceAt: beginning.at, untilAt: beginning.at },
    transitions,
    observation,
  );
  return { ...entry, begun: [{ at: beginning.at, state: beginning.state }, ...entry.begun] };
}

/** An endpoint with the exact instants at which it last started and was last suspended, in epoch milliseconds. */
interface DatedEndpoint {
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
const sameChangeMs = 5_000;

/**
 * Changes of state by operations, each at the exact instant where the endpoint witnesses it, with ones that no operation
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
  return ledger === undefined || (at > ledger.untilAt && at - ledger.sinceAt > sameChangeMs);
}
