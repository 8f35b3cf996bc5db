/** Instants a step apart, each in epoch milliseconds: `fromAt`, and so many in all. */
export interface InstantRow {
  readonly fromAt: number;
  readonly stepMs: number;
  readonly count: number;
}

/** A subject at each of a row of instants: the same object while nothing changed, undefined while it did not exist. */
export type BackfillViews = Iterable<unknown>;

/** Metrics that are backfilled from the same views, and the subjects they have samples of. */
export interface BackfillPart {
  /** By name. */
  readonly metrics: readonly string[];
  readonly subjects: readonly (() => BackfillViews)[];
}

/** Instants that end with `untilAt` and begin with `fromAt` or less than a step later. */
export function layInstants(fromAt: number, untilAt: number, stepMs: number): InstantRow {
  const steps = Math.floor((untilAt - fromAt) / stepMs);
  return { fromAt: untilAt - steps * stepMs, stepMs, count: steps + 1 };
}

/** The instants of a row in epoch milliseconds, oldest first. */
export function* listInstants({ fromAt, stepMs, count }: InstantRow): Generator<number> {
  for (let index = 0; index < count; index += 1) yield fromAt + index * stepMs;
}

/** The last instant of a row in epoch milliseconds. */
export function lastInstant({ fromAt, stepMs, count }: InstantRow): number {
  return fromAt + (count - 1) * stepMs;
}
