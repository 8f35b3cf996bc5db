import { type InstantRow, listInstants } from '../../resources/backfill.ts';

/** The time something was there, in epoch milliseconds; without an end it still is. */
export interface Life {
  readonly fromAt: number;
  readonly untilAt?: number | undefined;
}

/**
 * The view at each instant after all that had happened by then; undefined outside of a life.
 *
 * @param events in order.
 * @param show is asked for the view where something happened since the last instant.
 */
export function* replay<Event extends { readonly at: number }>(
  instants: InstantRow,
  { fromAt, untilAt = Number.POSITIVE_INFINITY }: Life,
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
    if (at < fromAt || at >= untilAt) {
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
