import { dayMs } from '../../resources/duration.ts';
import type { PriceBook } from '../../resources/price-book.ts';
import { computeHourMs, type UsageLedger, type UsageProject } from '../../resources/usage/ledger.ts';
import type { Calendar, Period } from '../calendar/calendar.ts';
import { amountNumber } from '../money/money.ts';
import { includedAt } from '../price/dated-amount.ts';
import type { PlanAssignment } from '../price/plan-assignment.ts';
import { hourPrice, tiersAt } from '../price/price-lookup.ts';

/** Prices for forecast usage, as numbers: an estimate needs no exact decimals. */
export interface ScopePrice {
  /** Price of a compute hour at an instant, the mean over the projects' recent usage; unpriced usage counts as 0. */
  perComputeHour(at: number): number;
  /** The part of the compute hours to come in a billing period that is still included. */
  includedHours(expectedHours: number, period: Period): number;
  /** The billing period of an instant. */
  readonly billing: Calendar;
}

export interface PriceEstimate {
  readonly book: PriceBook;
  readonly ledger: UsageLedger;
  readonly assignments: readonly PlanAssignment[];
  /** Usage of each project in the last week, by its number; usage to come is taken to be in proportion. */
  readonly recentUse: ReadonlyMap<number, number>;
  readonly billing: Calendar;
  readonly now: number;
}

const recentMs = 7 * dayMs;

/** A plan assignment with those of its projects that are in the scope. */
interface Share {
  readonly assignment: PlanAssignment;
  readonly members: readonly UsageProject[];
  /** Their share of the recent usage of all projects in the scope. */
  readonly part: number;
}

/**
 * Estimates the prices of a scope.
 *
 * @param isMeant whether a project is in the scope.
 */
export function estimatePrices(
  estimate: PriceEstimate,
  isMeant: (project: UsageProject) => boolean,
): ScopePrice {
  const { book, ledger, assignments, recentUse, billing } = estimate;
  const sum = (projects: readonly UsageProject[]) =>
    projects.reduce((total, { project_ref }) => total + (recentUse.get(project_ref) ?? 0), 0);
  const all = sum(ledger.projects.filter(isMeant));
  const shares = assignments.map(assignment => {
    const members = assignment.projects.filter(isMeant);
    return { assignment, members, part: all === 0 ? 0 : sum(members) / all };
  });
  const priceAtHour = (at: number) =>
    shares.reduce((price, { assignment, part }) => {
      const own = hourPrice(book, assignment.plan, at, expectBilled(estimate, assignment, at));
      return price + (own === undefined ? 0 : part * amountNumber(own));
    }, 0);
  const known = new Map<number, number>();
  return {
    perComputeHour: at => {
      const price = known.get(at) ?? priceAtHour(at);
      known.set(at, price);
      return price;
    },
    includedHours: (expectedHours, period) =>
      shares.reduce(
        (free, share) => free + includedOf(estimate, share, expectedHours * share.part, period),
        0,
      ),
    billing,
  };
}

/**
 * CU-milliseconds expected to be billed to an assignment from the beginning of the billing period to an instant, for the
 * tier it will have reached: it goes on as it did lately.
 */
function expectBilled(
  { ledger, recentUse, billing, now }: PriceEstimate,
  assignment: PlanAssignment,
  at: number,
) {
  const { plan, projects } = assignment;
  if (tiersAt(plan, at).length < 2) return 0;
  const { fromAt } = billing(at);
  const used = projects.map(({ project_ref }) => {
    const known =
      fromAt >= now ? 0 : ledger.usedUntil(project_ref, now) - ledger.usedUntil(project_ref, fromAt);
    const toCome = ((recentUse.get(project_ref) ?? 0) * Math.max(0, at - Math.max(now, fromAt))) / recentMs;
    return known + toCome;
  });
  const { computeHours = '0', per } = includedAt(plan, Math.max(now, fromAt)) ?? {};
  const allowance = Number(computeHours) * computeHourMs;
  if (per === 'project') return used.reduce((sum, use) => sum + Math.max(0, use - allowance), 0);
  return Math.max(0, used.reduce((sum, use) => sum + use, 0) - allowance);
}

function includedOf(
  estimate: PriceEstimate,
  { assignment, members }: Share,
  expectedHours: number,
  { fromAt }: Period,
): number {
  const { recentUse, ledger, now } = estimate;
  const at = Math.max(now, fromAt);
  const included = includedAt(assignment.plan, at);
  // An amount of money is no included hours, but a charge that takes off.
  if (included?.computeHours === undefined || expectedHours === 0) return 0;
  const allowance = Number(included.computeHours);
  const usedHours = ({ project_ref }: UsageProject) =>
    fromAt >= now
      ? 0
      : (ledger.usedUntil(project_ref, now) - ledger.usedUntil(project_ref, fromAt)) / computeHourMs;
  const recent = ({ project_ref }: UsageProject) => recentUse.get(project_ref) ?? 0;
  const total = (projects: readonly UsageProject[], of: (project: UsageProject) => number) =>
    projects.reduce((sum, project) => sum + of(project), 0);
  if (included.per === 'account') {
    const left = Math.max(0, allowance - total(assignment.projects, usedHours));
    const part = total(members, recent) / Math.max(total(assignment.projects, recent), Number.MIN_VALUE);
    return Math.min(left * part, expectedHours);
  }
  const recentTotal = Math.max(total(members, recent), Number.MIN_VALUE);
  return total(members, project =>
    Math.min(Math.max(0, allowance - usedHours(project)), (expectedHours * recent(project)) / recentTotal),
  );
}
