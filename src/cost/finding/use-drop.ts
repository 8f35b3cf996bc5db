import { dayMs } from '../../resources/duration.ts';
import type { RememberedEndpoint, Span } from '../../resources/endpoint-history.ts';

/** Use that fell from one day to the next and stayed so. */
export interface UseDrop {
  /** Epoch milliseconds; the change came within a day of it. */
  readonly at: number;
  /** Whole weeks, without the day of the change. */
  readonly before: Span;
  readonly after: Span;
  /** CU-milliseconds a day. */
  readonly beforeADay: number;
  readonly afterADay: number;
}

/** Days of each side that are compared at least and at most; the one next to the change is none of them. */
const leastDays = 7;
const mostDays = 28;
/** Smaller drops come by themselves. */
const leastDrop = 0.1;

/** Finds the day on which use fell most; undefined where it did not fall, or one side of it is too short. */
export function findUseDrop({
  known: { fromAt, untilAt },
  usedAtSteps,
}: Pick<RememberedEndpoint, 'known' | 'usedAtSteps'>): UseDrop | undefined {
  const count = Math.floor((untilAt - fromAt) / dayMs);
  if (count < 2 * (leastDays + 1)) return undefined;
  const totals = usedAtSteps({ fromAt: untilAt - count * dayMs, stepMs: dayMs, count: count + 1 });
  const meanOf = (from: number, until: number) =>
    ((totals[until] ?? 0) - (totals[from] ?? 0)) / Math.max(1, until - from);
  let best = { day: 0, contrast: 0 };
  // Whole weeks: weekends count the same on both sides.
  for (let day = leastDays; day <= count - leastDays; day += 1) {
    const [before, after] = [wholeWeeks(day), wholeWeeks(count - day)];
    const fall = meanOf(day - before, day) - meanOf(day, day + after);
    const contrast = fall * Math.sqrt((before * after) / (before + after));
    if (contrast > best.contrast) best = { day, contrast };
  }
  const { day } = best;
  if (best.contrast === 0 || Math.min(day, count - day) <= leastDays) return undefined;
  const before = wholeWeeks(day - 1);
  const after = wholeWeeks(count - day - 1);
  const beforeADay = meanOf(day - 1 - before, day - 1);
  const afterADay = meanOf(day + 1, day + 1 + after);
  if (afterADay > (1 - leastDrop) * beforeADay) return undefined;
  const at = untilAt - (count - day) * dayMs;
  return {
    at,
    before: { fromAt: at - (before + 1) * dayMs, untilAt: at - dayMs },
    after: { fromAt: at + dayMs, untilAt: at + (after + 1) * dayMs },
    beforeADay,
    afterADay,
  };
}

function wholeWeeks(days: number): number {
  return Math.min(mostDays, Math.floor(days / 7) * 7);
}
