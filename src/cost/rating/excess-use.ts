import { hourMs } from '../../resources/duration.ts';
import type { Period } from '../calendar/calendar.ts';
import type { UsedUntil } from './rated-period.ts';

/**
 * What projects used beyond so much in each hour, from the beginning of a billing period on: what one hour leaves is lost to
 * the others.
 *
 * @param perHour free in each hour, in whole parts.
 */
export function excessOf(usedUntil: UsedUntil, perHour: number, { fromAt, untilAt }: Period): UsedUntil {
  const sums = new Map<number, readonly number[]>();
  const sumUp = (project_ref: number): readonly number[] => {
    const found = [0];
    let before = usedUntil(project_ref, fromAt);
    let total = 0;
    for (let at = fromAt; at < untilAt; at += hourMs) {
      const after = usedUntil(project_ref, Math.min(at + hourMs, untilAt));
      total += Math.max(0, after - before - perHour);
      before = after;
      found.push(total);
    }
    return found;
  };
  return (project_ref, at) => {
    const totals = sums.get(project_ref) ?? sumUp(project_ref);
    sums.set(project_ref, totals);
    const hours = Math.max(0, Math.min(totals.length - 1, (at - fromAt) / hourMs));
    const [before = 0, after = 0] = [totals[Math.floor(hours)], totals[Math.ceil(hours)]];
    return before + Math.floor((after - before) * (hours % 1));
  };
}
