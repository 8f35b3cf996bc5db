import { type InstantRow, listInstants } from '../../resources/backfill.ts';
import type { Span } from '../../resources/endpoint-history.ts';

/** The time something was there, in epoch milliseconds; without an end it still is. */
export interface Life {
  readonly fromAt: number;
  readonly untilAt?: number | undefined;
  /** Times in which another of several histories speaks for it. */
  readonly elsewhere?: readonly Span[];
}

/** Whether something has samples at an instant. */
export function isShownAt(
  { fromAt, untilAt = Number.POSITIVE_INFINITY, elsewhere = [] }: Life,
  at: number,
): boolean {
  if (at < fromAt || at >= untilAt) return false;
  return !elsewhere.some(span => at >= span.fromAt && at < span.untilAt);
}

/**
 * The view at each instant after all that had happened by then; undefined outside of a life.
 *
 * @param events in order.
 * @param show is asked for the view where something happened since the last instant.
 */
export function* replay<Event extends { readonly at: number }>(
  instants: InstantRow,
  life: Life,
  events: Iterable<Event>,
  { apply, show }: { apply(event: Event): void; show(): unknown },
): Generator<unknown> {
  const rest = events[Symbol.iterator]();
  let next = rest.next();
  let shown: { readonly view: unknown } | undefined;
  for (const at of listInstants(instants)) {
    for (; next.done !== true && next.value.at <= at; next = rest.next()) {
      apply(next.value);
      shown = undefined;
    }
    if (!isShownAt(life, at)) {
      yield undefined;
      continue;
    }
    shown ??= { view: show() };
    yield shown.view;
  }
}

/** The same view at all instants of a life. */
export function remain(instants: InstantRow, life: Life, view: unknown): Iterable<unknown> {
  return replay(instants, life, [], { apply() {}, show: () => view });
}
