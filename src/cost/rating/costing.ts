import type { PriceBook } from '../../resources/price-book.ts';
import type { UsageLedger, UsageProject } from '../../resources/usage/ledger.ts';
import { billingCalendar } from '../calendar/billing-calendar.ts';
import { clip, type Period, periodsBetween } from '../calendar/calendar.ts';
import type { Amount } from '../money/money.ts';
import { assignPlans, type GroupsOf, type PlanAssignment } from '../price/plan-assignment.ts';
import { hourPrice } from '../price/price-lookup.ts';
import type { CostLine } from './cost-line.ts';
import { minimumLines } from './minimum-charge.ts';
import { type RatedPeriod, ratePeriod, type UsedUntil } from './rated-period.ts';
import { periodLines, unpricedLines } from './usage-line.ts';

/**
 * Rates usage by a price book. A project's cost between two instants is the difference of two running totals, so that
 * it adds up however time is cut. Rated billing periods are kept: make a new costing when the ledger has grown.
 */
export interface Costing {
  /** The plan of each project: projects of an account with the same plan share one. */
  readonly assignments: readonly PlanAssignment[];
  /** Lines for the usage of a stretch, by project and in order of time. */
  usageLines(stretch: Period, isMeant?: (project: UsageProject) => boolean): CostLine[];
  /**
   * All lines but usage, of the billing periods that begin within a stretch, wherever they end, as far as they are known
   * at an instant: a minimum is known once its billing period is over.
   *
   * @param asOf no later than now and than use is known; epoch milliseconds.
   */
  chargeLines(stretch: Period, asOf: number, isMeant?: (account: string) => boolean): CostLine[];
  /** The bill of an account for a billing period: usage until an instant, and the charges that are known by then. */
  billLines(account: string, period: Period, asOf: number): CostLine[];
  /**
   * The price of one more compute hour of a project in the display currency, once its included hours are used up;
   * undefined while it is unpriced or has no exchange rate.
   */
  marginalPrice(project: UsageProject, at: number): Amount | undefined;
}

export interface CostingInput {
  readonly book: PriceBook;
  readonly ledger: UsageLedger;
  readonly groupsOf?: GroupsOf;
}

/** @param groupsOf finds the groups of a project for plans that match by group; without it no project is in any. */
export function createCosting({ book, ledger, groupsOf = () => [] }: CostingInput): Costing {
  const calendar = billingCalendar(book.billingPeriod);
  const assignments = assignPlans(book, ledger.projects, groupsOf);
  const assignmentOf = new Map(
    assignments.flatMap(assignment =>
      assignment.projects.map(({ project_ref }) => [project_ref, assignment]),
    ),
  );
  const usedUntil: UsedUntil = (project_ref, at) => ledger.usedUntil(project_ref, at);
  const ratedOf = rememberRated((assignment, period) => ratePeriod(book, assignment, period, usedUntil));

  const linesOf = (project: UsageProject, period: Period, stretch: Period): CostLine[] => {
    const assignment = assignmentOf.get(project.project_ref);
    const part = clip(period, stretch);
    return assignment === undefined
      ? unpricedLines(project, part, usedUntil)
      : periodLines(project, assignment, ratedOf(assignment, period), part, usedUntil);
  };

  const usageLines: Costing['usageLines'] = (stretch, isMeant = () => true) => {
    const periods = periodsBetween(calendar, stretch);
    return ledger.projects
      .filter(isMeant)
      .flatMap(project => periods.flatMap(period => linesOf(project, period, stretch)));
  };

  const chargeLines: Costing['chargeLines'] = ({ fromAt, untilAt }, asOf, isMeant = () => true) => {
    const begun = periodsBetween(calendar, { fromAt, untilAt: Math.min(untilAt, asOf) });
    const over = begun.filter(period => period.fromAt >= fromAt && period.untilAt <= asOf);
    const charged = assignments.filter(({ account }) => isMeant(account));
    return charged.flatMap(assignment =>
      over.flatMap(period => {
        const useLines = () => assignment.projects.flatMap(project => linesOf(project, period, period));
        return minimumLines({ book, ledger, assignment, period, useLines });
      }),
    );
  };

  return {
    assignments: assignments,
    usageLines,
    chargeLines,
    billLines: (account, { fromAt, untilAt }, asOf) => [
      ...usageLines({ fromAt, untilAt: Math.min(untilAt, asOf) }, project => project.account === account),
      ...chargeLines({ fromAt, untilAt }, asOf, each => each === account),
    ],
    marginalPrice: ({ project_ref }, at) => {
      const assignment = assignmentOf.get(project_ref);
      return assignment === undefined ? undefined : hourPrice(book, assignment.plan, at);
    },
  };
}

type Rate = (assignment: PlanAssignment, period: Period) => RatedPeriod;

function rememberRated(rate: Rate): Rate {
  const known = new Map<PlanAssignment, Map<number, RatedPeriod>>();
  return (assignment, period) => {
    const rated = known.get(assignment) ?? new Map<number, RatedPeriod>();
    known.set(assignment, rated);
    const ratedPeriod = rated.get(period.fromAt) ?? rate(assignment, period);
    rated.set(period.fromAt, ratedPeriod);
    return ratedPeriod;
  };
}
