import { billingCalendar } from '../../cost/calendar/billing-calendar.ts';
import type { Period } from '../../cost/calendar/calendar.ts';
import { meteredCost, projectMeter } from '../../cost/forecast/projected-meter.ts';
import { rollForecasts } from '../../cost/forecast/rolling-forecast.ts';
import { boundCost, forecastScope } from '../../cost/forecast/scope-forecast.ts';
import { estimatePrices } from '../../cost/forecast/scope-price.ts';
import { ScopeUsage } from '../../cost/forecast/scope-usage.ts';
import { zoneSlotOf } from '../../cost/forecast/week-slot.ts';
import { amountNumber } from '../../cost/money/money.ts';
import { cacheReadings } from '../../cost/rating/cached-ledger.ts';
import { sumLines } from '../../cost/rating/cost-line.ts';
import { createCosting } from '../../cost/rating/costing.ts';
import { dayMs, hourMs } from '../../resources/duration.ts';
import { largest, smallest } from '../../resources/extreme.ts';
import type { PriceBook } from '../../resources/price-book.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { ForecastBounds } from '../../resources/usage/view.ts';
import type { ReportSubject } from '../content.ts';
import type { PeriodCosts } from './group-cost.ts';

const analyzedHours = 70 * 24;
const recentMs = 7 * dayMs;

/** Forecasts what the compute of some projects costs in an open period, and what they are metered; undefined where too little is known. */
export function forecastCompute(
  { history, request, groups }: ReportSubject,
  book: PriceBook,
  { costing, pair: { whole } }: PeriodCosts,
  members: readonly UsageProject[],
): ForecastBounds | undefined {
  const { usage, hours } = history;
  const accounts = new Set(members.map(({ account }) => account));
  const known = [...accounts].map(account => ({
    fromAt: usage.knownFrom(account) ?? Number.POSITIVE_INFINITY,
    untilAt: Math.min(usage.knownUntil(account) ?? 0, request.now),
  }));
  const until = Math.floor(smallest(known.map(({ untilAt }) => untilAt)) / hourMs);
  const from = Math.floor(largest(known.map(({ fromAt }) => fromAt)) / hourMs);
  const first = Math.max(from, until - analyzedHours);
  if (!Number.isFinite(first) || until <= first) return undefined;
  const use = new ScopeUsage(first * hourMs, until - first, members.length);
  for (const project of members) {
    const bornAt = usage.unplacedOf(project.project_ref)?.untilAt ?? project.created_at;
    const born = bornAt === undefined ? {} : { created_at: bornAt };
    use.add({ ...project, ...born }, hours.hours(project.project_ref, first, until - first));
  }
  const past = rollForecasts(use.hourly(), zoneSlotOf(request.span.timezone));
  const scope = forecastScope(past, whole.untilAt);
  if (scope === undefined) return undefined;
  const refs = new Set(members.map(({ project_ref }) => project_ref));
  const isMeant = ({ project_ref }: UsageProject) => refs.has(project_ref);
  const now = until * hourMs;
  const recentUse = new Map(
    usage.projects.map(({ project_ref }) => [
      project_ref,
      usage.usedUntil(project_ref, now) - usage.usedUntil(project_ref, now - recentMs),
    ]),
  );
  const price = estimatePrices(
    {
      book,
      ledger: usage,
      assignments: costing.assignmentsAt(now),
      recentUse,
      billing: billingCalendar(book.billingPeriod),
      now,
    },
    isMeant,
  );
  const soFar = { fromAt: whole.fromAt, untilAt: Math.max(scope.forecast.fromAt, whole.fromAt) };
  const used = costing.usageLines(soFar, isMeant);
  const toCome = expectMetered({ history, groups }, book, whole, isMeant) - meteredCost(used);
  return boundCost(amountNumber(sumLines(used).amount) + toCome, scope, price);
}

/** The cost of metered things of projects in a whole period. */
function expectMetered(
  { history: { usage }, groups }: Pick<ReportSubject, 'history' | 'groups'>,
  book: PriceBook,
  whole: Period,
  isMeant: (project: UsageProject) => boolean,
): number {
  const metered = projectMeter(usage);
  if (metered === undefined) return 0;
  const ledger = { ...cacheReadings(usage), metered };
  return meteredCost(createCosting({ book, ledger, groupsOf: groups.groupsOf }).usageLines(whole, isMeant));
}
