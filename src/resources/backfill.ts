/** Instants a step apart, each in epoch milliseconds: `fromAt`, and `count` in all. */
export interface InstantRow {
  readonly fromAt: number;
  readonly stepMs: number;
  readonly count: number;
}

/** A subject at each of a row of instants: the same object while nothing changed, undefined while it did not exist. */
export type BackfillViews = Iterable<unknown>;

/** The name of a series and its labels, in the order of the exposition. */
export interface SeriesName {
  readonly name: string;
  readonly labels: readonly (readonly [name: string, value: string])[];
}

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

/** The instants of a row from one instant until another, the second not included; undefined where there are none. */
export function cutInstants(row: InstantRow, fromAt: number, untilAt: number): InstantRow | undefined {
  const indexOf = (at: number) => Math.min(row.count, Math.max(0, Math.ceil((at - row.fromAt) / row.stepMs)));
  const first = indexOf(fromAt);
  const count = indexOf(untilAt) - first;
  return count > 0 ? { ...row, fromAt: row.fromAt + first * row.stepMs, count } : undefined;
}

/** The instants of a row in epoch milliseconds, oldest first. */
export function* listInstants({ fromAt, stepMs, count }: InstantRow): Generator<number> {
  for (let index = 0; index < count; index += 1) yield fromAt + index * stepMs;
}

/** The last instant of a row in epoch milliseconds. */
export function lastInstant({ fromAt, stepMs, count }: InstantRow): number {
  return fromAt + (count - 1) * stepMs;
}
