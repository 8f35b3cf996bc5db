import { minOf } from '../../resources/min-max.ts';
import type { ThingMetric } from '../../resources/price-book.ts';
import type { MeteredLedger, UsageLedger, UsageProject } from '../../resources/usage/ledger.ts';
import type { MeteredForecast } from '../../resources/usage/view.ts';
import type { Period } from '../calendar/calendar.ts';
import { type Bound, mapBounds } from './bound.ts';
import { growthFactor } from './metered-growth.ts';
import type { MeteredPast } from './metered-past.ts';
import { projectMeter } from './projected-meter.ts';

/**
 * The metered quantities of some projects in a period, metric by metric: each goes on as in the last week that is complete,
 * as costs of it are forecast.
 *
 * @param past that of these projects; metrics that it does not have are left out.
 */
export function forecastMetered(
  ledger: Pick<UsageLedger, 'metered' | 'projects'>,
  members: readonly UsageProject[],
  past: MeteredPast,
  { fromAt, untilAt }: Period,
): readonly MeteredForecast[] {
  const { metered } = ledger;
  const projected = projectMeter(ledger);
  if (metered === undefined || projected === undefined) return [];
  const settledAt = minOf(members.map(({ account }) => metered.knownSpan(account)?.untilAt ?? fromAt));
  const sum = (meter: MeteredLedger, metric: ThingMetric, at: number) =>
    members.reduce((total, { project_ref }) => {
      const before = meter.meteredUntil(project_ref, metric, fromAt);
      return total + meter.meteredUntil(project_ref, metric, at) - before;
    }, 0);
  return [...past.keys()].map(metric => {
    const used = sum(metered, metric, untilAt);
    const settled = sum(metered, metric, Math.min(Math.max(fromAt, settledAt), untilAt));
    const expected = sum(projected, metric, untilAt);
    const at = (bound: Bound) =>
      Math.max(used, settled + growthFactor(past, metric, untilAt, bound) * (expected - settled));
    return { metric, used, ...mapBounds(at), expected };
  });
}
