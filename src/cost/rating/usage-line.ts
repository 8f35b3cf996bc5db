import type { DecimalText } from '../../resources/price-book.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import { clip, type Period } from '../calendar/calendar.ts';
import { amountOfUse, timesRate } from '../money/money.ts';
import type { PlanAssignment } from '../price/plan-assignment.ts';
import type { UnitPrice } from '../price/price-lookup.ts';
import type { Charge, CostLine } from './cost-line.ts';
import type { RatedPeriod, UsedUntil } from './rated-period.ts';

/** Cost lines of a project for a stretch of a billing period, one for each price, tier and exchange rate. */
export function periodLines(
  project: UsageProject,
  { plan }: PlanAssignment,
  rated: RatedPeriod,
  stretch: Period,
  usedUntil: UsedUntil,
): CostLine[] {
  const { segments, pricedUse, includedUsage } = rated;
  const { project_ref, account } = project;
  let before = usedUntil(project_ref, stretch.fromAt);
  const atEnd = usedUntil(project_ref, stretch.untilAt);
  if (atEnd === before) return [];
  const parts = segments
    .map(segment => ({ segment, ...clip(segment, stretch) }))
    .filter(({ fromAt, untilAt }) => fromAt < untilAt);
  const included = includedUsage(project_ref);
  const isPartlyIncluded = included > 0 && included < Number.POSITIVE_INFINITY;
  const isTiered =
    included < Number.POSITIVE_INFINITY && parts.some(({ segment }) => segment.tiers.length > 1);
  let priced = isPartlyIncluded || isTiered ? pricedUse(project_ref, stretch.fromAt) : 0;
  return parts.flatMap(({ segment, fromAt, untilAt }): CostLine[] => {
    const after = untilAt === stretch.untilAt ? atEnd : usedUntil(project_ref, untilAt);
    const usedCuMs = after - before;
    before = after;
    if (usedCuMs === 0) return [];
    const line = { kind: 'usage', account, project, plan: plan.name, fromAt, untilAt } as const;
    if (segment.tiers.length === 0) {
      return [{ ...line, usedCuMs, includedCuMs: 0, billedCuMs: 0, unpricedCuMs: usedCuMs }];
    }
    const includedCuMs = Math.min(usedCuMs, Math.max(0, included - priced));
    const billedBefore = Math.max(0, priced - included);
    priced += usedCuMs;
    const billed = { fromCuMs: billedBefore, untilCuMs: billedBefore + usedCuMs - includedCuMs };
    return tierBands(rated.tierStarts(segment, project_ref), billed).map((band, index) => {
      const free = index === 0 ? includedCuMs : 0;
      const price = segment.tiers[band.tier]?.price;
      return {
        ...line,
        ...(segment.tiers.length > 1 && { tier: band.tier + 1 }),
        usedCuMs: free + band.cuMs,
        includedCuMs: free,
        billedCuMs: band.cuMs,
        unpricedCuMs: 0,
        ...(price && { charge: chargeFor(band.cuMs, plan.currency, price, segment.rate) }),
      };
    });
  });
}

/** Billed use of a project in a tier, counted from 0. */
interface TierBand {
  readonly tier: number;
  readonly cuMs: number;
}

/** Billed use cut where higher tiers begin; one band, of no use, where nothing is billed. */
function tierBands(
  starts: readonly number[],
  { fromCuMs, untilCuMs }: { readonly fromCuMs: number; readonly untilCuMs: number },
): TierBand[] {
  const bands = [0, ...starts].map((start, tier) => {
    const end = starts[tier] ?? Number.POSITIVE_INFINITY;
    return { tier, cuMs: Math.max(0, Math.min(end, untilCuMs) - Math.max(start, fromCuMs)) };
  });
  const used = bands.filter(({ cuMs }) => cuMs > 0);
  return used.length > 0 ? used : bands.slice(0, 1);
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
