import { cacheReadings } from '../../cost/rating/chosen-ledger.ts';
import type { ReportHistory } from '../../history/usage/report-history.ts';
import { dayMs, type Span } from '../../resources/duration.ts';
import { NumberSlab } from '../../resources/usage/known-reading.ts';
import type { UsageLedger } from '../../resources/usage/ledger.ts';

/** A ledger that knows the use of endpoints, too. */
export interface RolledLedger extends UsageLedger {
  /** CU-milliseconds an endpoint used before an instant, the mean of the reconstructed bounds. */
  computeUntil(endpoint_ref: number, at: number): number;
}

/**
 * The use of projects and endpoints as the history knows it, read faster: at midnights of UTC from the daily roll-ups, where
 * there are any, and elsewhere from the samples.
 *
 * @param span most midnights of it are asked for: where they are few, each is read alone faster.
 */
export function rollLedger(
  { usage, rollUps, activity }: ReportHistory,
  { fromAt, untilAt }: Span,
): RolledLedger {
  const firstDay = Math.floor(fromAt / dayMs);
  const days = Math.floor(untilAt / dayMs) - firstDay + 1;
  const slab = new NumberSlab();
  /** The total at a midnight that is rolled up; undefined at any other instant. */
  const rolledBy = (read: (typeof rollUps)['used']) => {
    const known = new Map<number, Float64Array>();
    return (ref: number, at: number): number | undefined => {
      if (at % dayMs !== 0) return undefined;
      let totals = known.get(ref);
      if (totals === undefined) {
        totals = read(ref, firstDay, days, slab.take(days));
        known.set(ref, totals);
      }
      const total = totals[at / dayMs - firstDay];
      return total === undefined || Number.isNaN(total) ? undefined : total;
    };
  };
  const [usedAt, computeAt] = [rolledBy(rollUps.used), rolledBy(rollUps.compute)];
  // Other instants are few: each is asked for by one row after the other.
  const between = cacheReadings(usage);
  return {
    ...between,
    usedUntil(project_ref, at) {
      const total = usedAt(project_ref, at);
      return total === undefined ? between.usedUntil(project_ref, at) : usage.attributed(project_ref, total);
    },
    computeUntil(endpoint_ref, at) {
      const known = computeAt(endpoint_ref, at);
      if (known !== undefined) return known;
      const { lower, upper } = activity.computeUntil(endpoint_ref, at);
      return (lower + upper) / 2;
    },
  };
}
