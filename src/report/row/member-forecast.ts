import { billingCalendar } from '../../cost/calendar/billing-calendar.ts';
import type { Period } from '../../cost/calendar/calendar.ts';
import { addBounds, shiftBounds } from '../../cost/forecast/bound.ts';
import { ChargeProjection } from '../../cost/forecast/charge-projection.ts';
import { forecastUse } from '../../cost/forecast/forecast.ts';
import { rollMeter } from '../../cost/forecast/metered-past.ts';
import { meteredCost } from '../../cost/forecast/projected-meter.ts';
import { hourClockOf, rollForecasts } from '../../cost/forecast/rolling-forecast.ts';
import { expectCompute, forecastCost } from '../../cost/forecast/scope-forecast.ts';
import { PriceEstimator } from '../../cost/forecast/scope-price.ts';
import { amountNumber } from '../../cost/money/money.ts';
import { cacheReadings } from '../../cost/rating/chosen-ledger.ts';
import { sumLines } from '../../cost/rating/cost-line.ts';
import { type Costing, createCosting } from '../../cost/rating/costing.ts';
import type { PriceBook } from '../../resources/price-book.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { ForecastBounds } from '../../resources/usage/view.ts';
import type { PricedSubject, ReportSubject } from '../content.ts';
import { findKnownHours, findRecentUse, gatherHours, isLongKnown, knownUntilOf } from './member-use.ts';

/** An open period of a report, with what prices use in it; without a price book nothing is forecast in money. */
export interface ForecastPeriod {
  readonly whole: Period;
  readonly costing: Costing;
  readonly book?: PriceBook;
}

/** What some projects use and cost in a whole period. */
interface MemberForecast {
  /** Compute seconds. */
  readonly compute: ForecastBounds;
  /** Compute, and what is metered; absent without a price book. */
  readonly cost?: ForecastBounds;
}

/** Forecasts what some projects use and cost in an open period; undefined where too little is known. */
export function forecastMembers(
  subject: PricedSubject,
  { whole, costing, book }: ForecastPeriod,
  members: readonly UsageProject[],
): MemberForecast | undefined {
  const { history, request, groups } = subject;
  const { usage } = history;
  const accounts = [...new Set(members.map(({ account }) => account))];
  const known = findKnownHours(history, accounts, request.now);
  if (known === undefined || !isLongKnown(history, known, members)) return undefined;
  const past = rollForecasts(
    gatherHours(history, known, members),
    hourClockOf(request.config.usage.timezone),
  );
  const forecast = forecastUse(past, whole.untilAt);
  if (forecast === undefined) return undefined;
  const refs = new Set(members.map(({ project_ref }) => project_ref));
  const isMeant = ({ project_ref }: UsageProject) => refs.has(project_ref);
  const now = knownUntilOf(history, accounts, request.now);
  const rest = { fromAt: Math.max(now, whole.fromAt), untilAt: whole.untilAt };
  const used = [...costing.usageLines({ fromAt: whole.fromAt, untilAt: rest.fromAt }, isMeant)];
  const { usedCuMs, amount } = sumLines(used);
  const compute = expectCompute(forecast, rest, usedCuMs);
  if (book === undefined) return { compute };
  const recentUse = findRecentUse(history, now);
  const billing = billingCalendar(book.billingPeriod);
  const assignments = costing.assignmentsAt(now);
  const prices = new PriceEstimator({ book, ledger: usage, assignments, recentUse, billing, now });
  const computed = forecastCost(forecast, prices.ofScope(isMeant), rest).total;
  const projection = projectMetered({ history, groups }, book, { now, recentUse });
  const metered = projection.metered(whole, isMeant, usage.metered && rollMeter(usage.metered, members));
  const usedUp = amountNumber(amount) - meteredCost(used);
  return { compute, cost: addBounds(computed, shiftBounds(metered, usedUp)) };
}

/** Metered things as they will be. */
export function projectMetered(
  { history: { usage }, groups }: Pick<ReportSubject, 'history' | 'groups'>,
  book: PriceBook,
  lately: { readonly now: number; readonly recentUse: ReadonlyMap<number, number> },
): ChargeProjection {
  return new ChargeProjection({
    ...{ ledger: cacheReadings(usage), ...lately, billing: billingCalendar(book.billingPeriod) },
    costingOf: ledger => createCosting({ book, ledger, groupsOf: groups.groupsOf }),
    forecastOf: () => undefined,
  });
}
