import { clip, type Period } from '../calendar/calendar.ts';
import { amountOfUse } from '../money/money.ts';
import type { PriceSegment, UnitPrice } from '../price/price-lookup.ts';
import { atRate, type CostLine } from './cost-line.ts';
import type { RatedPeriod } from './rated-period.ts';

/** Use of a stretch at one price, in CU-milliseconds or the parts of another unit. */
export interface PricedBand extends Period {
  readonly segment: PriceSegment;
  /** From 1, where the price has tiers. */
  readonly tier?: number;
  /** Absent where there is none. */
  readonly price?: UnitPrice;
  readonly included: number;
  readonly billed: number;
  readonly unpriced: number;
}

/** The use of a project in a stretch of a billing period, one band for each price, tier and exchange rate. */
export function priceBands(project_ref: number, rated: RatedPeriod, stretch: Period): PricedBand[] {
  const { usedUntil } = rated;
  let before = usedUntil(project_ref, stretch.fromAt);
  const atEnd = usedUntil(project_ref, stretch.untilAt);
  if (atEnd === before) return [];
  const parts = rated.segments.filter(
    ({ fromAt, untilAt }) => fromAt < stretch.untilAt && untilAt > stretch.fromAt,
  );
  const allowance = rated.includedUsage(project_ref);
  const isPartlyIncluded = allowance > 0 && allowance < Number.POSITIVE_INFINITY;
  const isTiered = allowance < Number.POSITIVE_INFINITY && parts.some(({ tiers }) => tiers.length > 1);
  let priced = isPartlyIncluded || isTiered ? rated.pricedUse(project_ref, stretch.fromAt) : 0;
  const bands: PricedBand[] = [];
  for (const segment of parts) {
    const { fromAt, untilAt } = clip(segment, stretch);
    const after = untilAt === stretch.untilAt ? atEnd : usedUntil(project_ref, untilAt);
    const used = after - before;
    before = after;
    if (used === 0) continue;
    const { tiers } = segment;
    if (tiers.length === 0) {
      bands.push({ segment, fromAt, untilAt, included: 0, billed: 0, unpriced: used });
      continue;
    }
    const included = Math.min(used, Math.max(0, allowance - priced));
    const from = Math.max(0, priced - allowance);
    const billed = used - included;
    priced += used;
    const starts = tiers.length > 1 ? rated.tierStarts(segment, project_ref) : [];
    for (const { tier, ...amounts } of tierBands(starts, { from, until: from + billed }, included)) {
      const price = tiers[tier]?.price;
      const priced = { segment, fromAt, untilAt, ...(price && { price }), ...amounts, unpriced: 0 };
      bands.push(tiers.length > 1 ? { ...priced, tier: tier + 1 } : priced);
    }
  }
  return bands;
}

/**
 * What use at a price is charged; nothing where it has none.
 *
 * @param partsOfUnit absent where what is billed is compute, in CU-milliseconds.
 */
export function chargeFor(
  { price, billed, segment }: PricedBand,
  currency: string,
  partsOfUnit?: number,
): Pick<CostLine, 'charge'> {
  if (price === undefined) return {};
  const amount = amountOfUse(billed, price.discounted, partsOfUnit);
  return { charge: atRate({ currency, price, amount }, segment.rate) };
}

/** Use of a project in a tier, counted from 0. */
interface TierBand {
  readonly tier: number;
  readonly included: number;
  readonly billed: number;
}

/** Billed use cut where higher tiers begin; free use stands in the first tier, also where nothing of that is billed. */
function tierBands(
  starts: readonly number[],
  { from, until }: { readonly from: number; readonly until: number },
  free: number,
): TierBand[] {
  return [0, ...starts]
    .map((start, tier) => {
      const end = starts[tier] ?? Number.POSITIVE_INFINITY;
      const billed = Math.max(0, Math.min(end, until) - Math.max(start, from));
      return { tier, included: tier === 0 ? free : 0, billed };
    })
    .filter(({ included, billed }) => included + billed > 0);
}
