import type { PriceBook, Tariff } from '../../resources/price-book.ts';
import type { Period } from '../calendar/calendar.ts';
import { joinStretches, sharedTime } from '../price/dated.ts';
import type { PlanTime } from '../price/dated-amount.ts';
import {
  allowanceOf,
  type PeriodAllowance,
  type Pool,
  shareIncludedUsage,
  sharePool,
  type UsedUntil,
} from '../price/included-usage.ts';
import { type PriceSegment, type PriceTier, priceSegments } from '../price/price-lookup.ts';
import type { DatedAssignment } from './plan-history.ts';

/** Prices and included usage of a plan assignment in a billing period; of metered things in their parts in place of CU-milliseconds. */
export interface RatedPeriod extends PlanTime {
  readonly assignment: DatedAssignment;
  readonly segments: readonly PriceSegment[];
  readonly allowance: PeriodAllowance | undefined;
  readonly usedUntil: UsedUntil;
  /** What was used at a price since the period began. */
  readonly pricedUse: UsedUntil;
  /** CU-milliseconds a project, by its number, may use before it is billed. */
  readonly includedUsage: (project_ref: number) => number;
  /** CU-milliseconds of a project that are billed before each higher tier of a segment. */
  readonly tierStarts: (segment: PriceSegment, project_ref: number) => readonly number[];
  /** The beginnings of the hours in which several projects used up what they share: included usage, or a tier. */
  readonly usedUpAt: () => readonly number[];
}

/**
 * Rates a billing period: finds its prices, and shares included usage and tiers out among the projects of a plan.
 *
 * @param tariff what is charged for use, whose parts are those of `usedUntil`; by default compute.
 */
export function ratePeriod(
  book: PriceBook,
  assignment: DatedAssignment,
  period: Period,
  usedUntil: UsedUntil,
  tariff: Tariff = assignment.plan,
): RatedPeriod {
  const { projects } = assignment;
  const segments = priceSegments(book, tariff, period);
  // Fewer readings than one by one.
  const priced = joinStretches(segments.filter(({ tiers }) => tiers.length > 0));
  // Asked for thousands of projects at many instants: nothing is made that has to be collected again.
  const pricedUse: UsedUntil = (project_ref, at) => {
    let use = 0;
    for (const stretch of assignment.stretchesOf(project_ref)) {
      for (const each of priced) {
        const fromAt = Math.max(stretch.fromAt, each.fromAt);
        const untilAt = Math.min(stretch.untilAt, each.untilAt, at);
        if (fromAt < untilAt) use += usedUntil(project_ref, untilAt) - usedUntil(project_ref, fromAt);
      }
    }
    return use;
  };
  const inForce = findInForce(assignment, period);
  const allowance = allowanceOf(tariff, { period, inForce });
  const usedUp = new Set<number>();
  const pool: Pool = { projects, period, usedUntil: pricedUse, onUsedUp: hourAt => usedUp.add(hourAt) };
  const includedUsage = shareIncludedUsage(allowance, pool);
  const billedUse: UsedUntil = (project_ref, at) =>
    Math.max(0, pricedUse(project_ref, at) - includedUsage(project_ref));
  const startsOf = rememberStarts(segment => shareTiers(segment.tiers, { ...pool, usedUntil: billedUse }));
  return {
    ...{ assignment, period, inForce, segments, allowance },
    ...{ usedUntil, pricedUse, includedUsage },
    tierStarts: (segment, project_ref) => startsOf(segment)(project_ref),
    usedUpAt: () => {
      for (const segment of segments) startsOf(segment);
      return [...usedUp];
    },
  };
}

type Rate<Thing> = (assignment: DatedAssignment, period: Period, thing: Thing) => RatedPeriod;

/** Rates each thing of each plan once a billing period. */
export function rememberRated<Thing = undefined>(rate: Rate<Thing>): Rate<Thing> {
  const known = new Map<DatedAssignment, Map<Thing, Map<number, RatedPeriod>>>();
  return (assignment, period, thing) => {
    const byThing = known.get(assignment) ?? new Map<Thing, Map<number, RatedPeriod>>();
    known.set(assignment, byThing);
    const byPeriod = byThing.get(thing) ?? new Map<number, RatedPeriod>();
    byThing.set(thing, byPeriod);
    const rated = byPeriod.get(period.fromAt) ?? rate(assignment, period, thing);
    byPeriod.set(period.fromAt, rated);
    return rated;
  };
}

/** The time of a period in which a project of an assignment has its plan, there or not. */
function findInForce(assignment: DatedAssignment, period: Period): Period[] {
  return joinStretches(sharedTime(assignment.inForce, [period]));
}

/** Segments with the same tiers share one pool. */
function rememberStarts(share: (segment: PriceSegment) => TierStarts): (segment: PriceSegment) => TierStarts {
  const known = new Map<string, TierStarts>();
  return segment => {
    const key = segment.tiers.map(({ beyondCuMs }) => beyondCuMs).join(' ');
    const starts = known.get(key) ?? share(segment);
    known.set(key, starts);
    return starts;
  };
}

/** How much of a project, by its number, is billed in a billing period before each higher tier begins. */
type TierStarts = (project_ref: number) => readonly number[];

/**
 * Shares the tiers of a price out to projects as the included hours of an account are, one after another: each takes its
 * hours from the billed use that the tiers before it left.
 */
function shareTiers([, ...higher]: readonly PriceTier[], pool: Pool): TierStarts {
  const starts: ReadonlyMap<number, number>[] = [];
  let taken: ReadonlyMap<number, number> = new Map();
  let before = 0;
  for (const { beyondCuMs } of higher) {
    const earlier = taken;
    const left: UsedUntil = (project_ref, at) =>
      Math.max(0, pool.usedUntil(project_ref, at) - (earlier.get(project_ref) ?? 0));
    const shares = sharePool(beyondCuMs - before, { ...pool, usedUntil: left });
    if (shares === undefined) break;
    taken = new Map([...shares].map(([ref, share]) => [ref, (earlier.get(ref) ?? 0) + share]));
    starts.push(taken);
    before = beyondCuMs;
  }
  return project_ref => higher.map((_, index) => starts[index]?.get(project_ref) ?? Number.POSITIVE_INFINITY);
}
