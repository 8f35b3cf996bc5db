import type { Span } from '../../resources/duration.ts';
import { sumOf } from '../../resources/sum.ts';

/** A row of slots of the same length, in epoch milliseconds. */
export interface SlotRow {
  readonly fromAt: number;
  readonly slotMs: number;
  readonly count: number;
}

/**
 * Running totals at the beginnings of slots, and at the end of the last: what is known of slots is theirs, and the rest of the
 * whole is spread evenly over some stretches.
 *
 * @param parts by the number of their slot.
 * @param open stretches within the row, at least one, in order of time.
 */
export function spreadRest(
  whole: number,
  parts: ReadonlyMap<number, number>,
  { fromAt, slotMs, count }: SlotRow,
  open: readonly Span[],
): Float64Array {
  const told = sumOf(parts.values());
  const rest = Math.max(0, whole - told);
  const openMs = openUntil(open, Number.POSITIVE_INFINITY);
  const totals = new Float64Array(count + 1);
  let known = 0;
  for (let slot = 0; slot < count; slot += 1) {
    known += parts.get(slot) ?? 0;
    const spread = rest === 0 ? 0 : (rest * openUntil(open, fromAt + (slot + 1) * slotMs)) / openMs;
    totals[slot + 1] = known + Math.floor(spread);
  }
  return totals;
}

/** Milliseconds of stretches before an instant. */
function openUntil(open: readonly Span[], at: number): number {
  return open.reduce((sum, { fromAt, untilAt }) => sum + Math.max(0, Math.min(untilAt, at) - fromAt), 0);
}
