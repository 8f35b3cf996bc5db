import { listInstants } from '../../resources/backfill.ts';
import { isShownAt, replay } from './replay.ts';
import type { BackfillEndpoint, BackfillSource } from './source.ts';

/** A state that began, and lasts until the next one begins. */
export interface Interval {
  readonly at: number;
  readonly state: string;
}

/** The state an endpoint was in at each instant. */
export function backfillStates(
  { instants }: BackfillSource,
  { life, name }: BackfillEndpoint,
  intervals: readonly Interval[],
): Iterable<unknown> {
  let current_state: string | undefined;
  return replay(instants, life, intervals, {
    apply(interval) {
      current_state = interval.state;
    },
    show: () => ({ ...name, current_state }),
  });
}

/**
 * Time an endpoint had spent in each state, as far as the ledger accounts for it; pruned time stays in what it begins
 * with.
 *
 * @param durationsByNow milliseconds by state.
 */
export function* backfillStateSeconds(
  { instants }: BackfillSource,
  { life, name, row }: BackfillEndpoint,
  intervals: readonly Interval[],
  durationsByNow: readonly [state: string, durationMs: number][],
): Generator<unknown> {
  const durations = new Map(durationsByNow);
  const accountedAt = Number(row.ledger_until_at);
  const spans = intervals.map(({ at, state }, index) => {
    const untilAt = Math.max(at, Math.min(intervals[index + 1]?.at ?? accountedAt, accountedAt));
    return { at, state, untilAt };
  });
  for (const { at, state, untilAt } of spans) {
    durations.set(state, (durations.get(state) ?? 0) - (untilAt - at));
  }
  let index = 0;
  let countedAt = Number.NaN;
  let view: unknown;
  for (const at of listInstants(instants)) {
    for (let span = spans[index]; span !== undefined && span.untilAt <= at; span = spans[++index]) {
      durations.set(span.state, (durations.get(span.state) ?? 0) + span.untilAt - span.at);
    }
    const current = spans[index];
    const isBegun = index > 0 || (current !== undefined && current.at <= at);
    const until = Math.min(at, accountedAt);
    if (isBegun && until !== countedAt) {
      const running = current !== undefined && current.at <= at ? current : undefined;
      view = { ...name, stateDurations: listDurations(durations, running, at) };
      countedAt = until;
    }
    yield isShownAt(life, at) ? view : undefined;
  }
}

function listDurations(
  durations: ReadonlyMap<string, number>,
  running: Interval | undefined,
  at: number,
): readonly { readonly state: string; readonly durationMs: number }[] {
  return [...durations].map(([state, durationMs]) => {
    const sinceMs = running?.state === state ? at - running.at : 0;
    return { state, durationMs: Math.max(0, durationMs + sinceMs) };
  });
}
