import type { PriceBook } from '../../resources/price-book.ts';
import type { UsageLedger, UsageProject } from '../../resources/usage/ledger.ts';
import { billingCalendar } from '../calendar/billing-calendar.ts';
import { clip, type Period, periodsBetween } from '../calendar/calendar.ts';
import type { UsedUntil } from '../price/included-usage.ts';
import {
  assignPlans,
  type ClosedPlans,
  type GroupsOf,
  type PlanAssignment,
} from '../price/plan-assignment.ts';
import { type PriceSegment, priceSegments } from '../price/price-lookup.ts';
import { billCharges } from './bill-charge.ts';
import { findMembers } from './charge-share.ts';
import { chooseLedger } from './chosen-ledger.ts';
import type { CostLine } from './cost-line.ts';
import { MeteredRating, type UnpricedAmount } from './metered-line.ts';
import { type DatedAssignment, PlanHistory } from './plan-history.ts';
import { ratePeriod, rememberRated } from './rated-period.ts';
import { periodLines, unpricedLines } from './usage-line.ts';

/** Included usage or a tier that the projects of a plan share, and the hour in which it was used up. */
export interface UsedUpPool {
  readonly account: string;
  readonly plan: string;
  /** The beginning of the hour. */
  readonly hourAt: number;
}

/**
 * Rates usage by a price book. A project's cost between two instants is the difference of two running totals, so that
 * it adds up however time is cut. Rated billing periods are kept: make a new costing when the ledger has grown.
 */
export interface Costing {
  /** The plan of each project at an instant: projects of an account with the same plan share one. */
  assignmentsAt(at: number): readonly PlanAssignment[];
  /** A stretch of a project, cut where its plan, its price or its exchange rate changes. */
  segmentsOf(project: UsageProject, stretch: Period): readonly PriceSegment[];
  /**
   * Lines for what was used in a stretch, by project and in order of time: compute, and what is metered at a price. They are
   * worked out each time they are gone through, as those of a large fleet take much memory.
   */
  usageLines(stretch: Period, isMeant?: (project: UsageProject) => boolean): Iterable<CostLine>;
  /** Things besides compute that the meter told of in a stretch and that have no price: no line has it. */
  unpricedThings(stretch: Period, isMeant?: (project: UsageProject) => boolean): UnpricedAmount[];
  /** What several projects share and used up, in the billing periods that share a stretch. */
  usedUpPools(stretch: Period): UsedUpPool[];
  /**
   * All lines but what was used, of the billing periods that begin within a stretch, wherever they end, as far as they are known
   * at an instant: base fees and free lines as soon as the billing period has begun; allowances, counted things, credits
   * and taxes by what is known so far; minimums and rounding once it is over.
   *
   * @param asOf no later than now and than use is known; epoch milliseconds.
   * @param used the stretches that use is asked for beside them; without it the stretch itself.
   */
  chargeLines(
    stretch: Period,
    asOf: number,
    isMeant?: (account: string) => boolean,
    used?: readonly Period[],
  ): CostLine[];
  /** The bill of an account for a billing period: usage until an instant, and the charges that are known by then. */
  billLines(account: string, period: Period, asOf: number): CostLine[];
  /** The projects of a charge: those of its account and plan that were there in its billing period. */
  membersOf(charge: CostLine): readonly UsageProject[];
}

export interface CostingInput {
  readonly book: PriceBook;
  readonly ledger: UsageLedger;
  /** Finds the groups of a project for plans that match by group; without it no project is in any. */
  readonly groupsOf?: GroupsOf;
  /** Closed billing periods, in which projects have the plans that they had then. */
  readonly closed?: readonly ClosedPlans[];
}

export function createCosting({
  book,
  ledger: known,
  groupsOf = () => [],
  closed = [],
}: CostingInput): Costing {
  const ledger = chooseLedger(known, book.ledger);
  const calendar = billingCalendar(book.billingPeriod);
  const plans = new PlanHistory(book, ledger.projects, groupsOf, closed);
  const usedUntil: UsedUntil = (project_ref, at) => ledger.usedUntil(project_ref, at);
  const rate = rememberRated((assignment, period) => ratePeriod(book, assignment, period, usedUntil));
  const ratedOf = (assignment: DatedAssignment, period: Period) => rate(assignment, period, undefined);
  const metered = ledger.metered && new MeteredRating(book, ledger.metered);

  function* linesOf(project: UsageProject, period: Period, shared: Period): Generator<CostLine> {
    for (const { assignment, part } of plans.partsOf(project, shared)) {
      if (assignment === undefined) yield* unpricedLines(project, part, usedUntil);
      else {
        yield* periodLines(project, ratedOf(assignment, period), part);
        if (metered !== undefined) yield* metered.lines({ project, assignment, period, part });
      }
    }
  }

  const usageLines: Costing['usageLines'] = (stretch, isMeant = () => true) => {
    const periods = periodsBetween(calendar, stretch).map(period => [period, clip(period, stretch)] as const);
    return {
      *[Symbol.iterator]() {
        for (const project of ledger.projects)
          if (isMeant(project))
            for (const [period, shared] of periods) yield* linesOf(project, period, shared);
      },
    };
  };

  const chargesOf = (account: string, period: Period, asOf: number): CostLine[] => {
    const untilAt = Math.min(period.untilAt, asOf);
    const rated = plans.ofAccount(account).map(assignment => ratedOf(assignment, period));
    let known: readonly CostLine[] | undefined;
    const ownLines = () => {
      known ??= [...usageLines({ fromAt: period.fromAt, untilAt }, project => project.account === account)];
      return known;
    };
    return billCharges({ book, ledger, account, period, asOf, plans: rated, usageLines: ownLines });
  };

  const chargeLines: Costing['chargeLines'] = ({ fromAt, untilAt }, asOf, isMeant = () => true) => {
    const shared = periodsBetween(calendar, { fromAt, untilAt: Math.min(untilAt, asOf) });
    const begun = shared.filter(period => period.fromAt >= fromAt);
    return plans.accounts
      .filter(isMeant)
      .flatMap(account => begun.flatMap(period => chargesOf(account, period, asOf)));
  };

  return {
    assignmentsAt: at => assignPlans(book, ledger.projects, groupsOf, at),
    segmentsOf: (project, stretch) =>
      plans
        .partsOf(project, stretch)
        .flatMap(({ assignment, part }) =>
          assignment === undefined ? [{ ...part, tiers: [] }] : priceSegments(book, assignment.plan, part),
        ),
    usageLines,
    unpricedThings: (stretch, isMeant = () => true) =>
      metered === undefined
        ? []
        : ledger.projects
            .filter(isMeant)
            .flatMap(project =>
              plans.partsOf(project, stretch).flatMap(part => metered.unpriced(project, part)),
            ),
    usedUpPools: stretch =>
      plans.accounts
        .flatMap(account => plans.ofAccount(account))
        .flatMap(assignment =>
          periodsBetween(calendar, stretch).flatMap(period => {
            const things = metered?.usedUpAt(assignment, period) ?? [];
            const { account, plan } = assignment;
            return [...ratedOf(assignment, period).usedUpAt(), ...things].map(hourAt => {
              return { account, plan: plan.name, hourAt };
            });
          }),
        ),
    chargeLines,
    billLines: (account, { fromAt, untilAt }, asOf) => [
      ...usageLines({ fromAt, untilAt: Math.min(untilAt, asOf) }, project => project.account === account),
      ...chargeLines({ fromAt, untilAt }, asOf, each => each === account),
    ],
    membersOf: charge => findMembers(charge, plans.ofAccount(charge.account), ledger),
  };
}
