import type { DecimalText } from '../../resources/price-book.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import { clip, type Period } from '../calendar/calendar.ts';
import { amountOfUse, timesRate } from '../money/money.ts';
import type { PlanAssignment } from '../price/plan-assignment.ts';
import type { UnitPrice } from '../price/price-lookup.ts';
import type { Charge, CostLine } from './cost-line.ts';
import type { RatedPeriod, UsedUntil } from './rated-period.ts';

/** Cost lines of a project for a stretch of a billing period, one for each price and exchange rate. */
export function periodLines(
  project: UsageProject,
  { plan }: PlanAssignment,
  { segments, pricedUse, includedUsage }: RatedPeriod,
  stretch: Period,
  usedUntil: UsedUntil,
): CostLine[] {
  const { project_ref, account } = project;
  let before = usedUntil(project_ref, stretch.fromAt);
  const atEnd = usedUntil(project_ref, stretch.untilAt);
  if (atEnd === before) return [];
  const parts = segments
    .map(segment => ({ ...segment, ...clip(segment, stretch) }))
    .filter(({ fromAt, untilAt }) => fromAt < untilAt);
  const included = includedUsage(project);
  const isPartlyIncluded = included > 0 && included < Number.POSITIVE_INFINITY;
  let priced = isPartlyIncluded ? pricedUse(project_ref, stretch.fromAt) : 0;
  return parts.flatMap((part): CostLine[] => {
    const { fromAt, untilAt } = part;
    const after = untilAt === stretch.untilAt ? atEnd : usedUntil(project_ref, untilAt);
    const usedCuMs = after - before;
    before = after;
    if (usedCuMs === 0) return [];
    const line = { kind: 'usage', account, project, plan: plan.name, fromAt, untilAt, usedCuMs } as const;
    if (part.price === undefined) {
      return [{ ...line, includedCuMs: 0, billedCuMs: 0, unpricedCuMs: usedCuMs }];
    }
    const includedCuMs = Math.min(usedCuMs, Math.max(0, included - priced));
    priced += usedCuMs;
    const billedCuMs = usedCuMs - includedCuMs;
    const charge = chargeFor(billedCuMs, plan.currency, part.price, part.rate);
    return [{ ...line, includedCuMs, billedCuMs, unpricedCuMs: 0, charge }];
  });
}

function chargeFor(billedCuMs: number, currency: string, price: UnitPrice, rate?: DecimalText): Charge {
  const amount = amountOfUse(billedCuMs, price.discounted);
  const displayed = rate === undefined ? {} : { displayAmount: timesRate(amount, rate) };
  return { currency, price, amount, ...displayed };
}

/** The line of a project without a plan: its usage is unpriced. */
export function unpricedLines(
  project: UsageProject,
  { fromAt, untilAt }: Period,
  usedUntil: UsedUntil,
): CostLine[] {
  const { project_ref, account } = project;
  const usedCuMs = usedUntil(project_ref, untilAt) - usedUntil(project_ref, fromAt);
  if (usedCuMs === 0) return [];
  const unpriced = { usedCuMs, includedCuMs: 0, billedCuMs: 0, unpricedCuMs: usedCuMs };
  return [{ kind: 'usage', account, project, fromAt, untilAt, ...unpriced }];
}
