import { dayMs } from '../../resources/duration.ts';
import type { PriceBook } from '../../resources/price-book.ts';
import { sumOf } from '../../resources/sum.ts';
import { computeHourMs, type UsageLedger, type UsageProject } from '../../resources/usage/ledger.ts';
import type { Calendar, Period } from '../calendar/calendar.ts';
import { amountNumber } from '../money/money.ts';
import { includedAt } from '../price/dated-amount.ts';
import type { PlanAssignment } from '../price/plan-assignment.ts';
import { hourPrice, tiersAt } from '../price/price-lookup.ts';

/** Prices for forecast usage, as numbers: an estimate needs no exact decimals. What has no plan has no price. */
export interface ScopePrice {
  readonly plans: readonly PlanPrice[];
  /** The billing period of an instant. */
  readonly billing: Calendar;
}

/** The price of the usage that one plan is for. */
interface PlanPrice {
  /** Its part of all usage: it goes on in proportion to the recent one. */
  readonly part: number;
  /** Price of a compute hour at an instant; 0 where there is none. */
  perComputeHour(at: number): number;
  /** The part of the compute hours to come in a billing period that is still included. */
  includedHours(expectedHours: number, period: Period): number;
}

interface PriceEstimate {
  readonly book: PriceBook;
  readonly ledger: UsageLedger;
  readonly assignments: readonly PlanAssignment[];
  /** Usage of each project in the last week, by its number; usage to come is taken to be in proportion. */
  readonly recentUse: ReadonlyMap<number, number>;
  readonly billing: Calendar;
  readonly now: number;
}

const recentMs = 7 * dayMs;

/** A plan assignment with its projects in the scope. */
interface Share {
  readonly assigned: AssignedUse;
  readonly members: readonly UsageProject[];
  /** Their share of the recent usage of all projects in the scope. */
  readonly part: number;
}

/** Estimates the prices of several scopes: what it needs to know of a plan assignment is worked out once. */
export class PriceEstimator {
  readonly #estimate: PriceEstimate;
  readonly #assigned: readonly AssignedUse[];
  readonly #byProject: ReadonlyMap<number, AssignedUse>;

  constructor(estimate: PriceEstimate) {
    this.#estimate = estimate;
    this.#assigned = estimate.assignments.map(assignment => new AssignedUse(estimate, assignment));
    this.#byProject = new Map(
      this.#assigned.flatMap(assigned =>
        assigned.projects.map(({ project_ref }) => [project_ref, assigned] as const),
      ),
    );
  }

  /** @param isMeant whether a project is in the scope. */
  ofScope(isMeant: (project: UsageProject) => boolean): ScopePrice {
    const { recentUse, ledger } = this.#estimate;
    const sum = (projects: readonly UsageProject[]) =>
      projects.reduce((total, { project_ref }) => total + (recentUse.get(project_ref) ?? 0), 0);
    const all = sum(ledger.projects.filter(isMeant));
    return this.#priceOf(
      this.#assigned.map(assigned => {
        const members = assigned.projects.filter(isMeant);
        return { assigned, members, part: all === 0 ? 0 : sum(members) / all };
      }),
    );
  }

  ofProject(project: UsageProject): ScopePrice {
    const assigned = this.#byProject.get(project.project_ref);
    const part = (this.#estimate.recentUse.get(project.project_ref) ?? 0) === 0 ? 0 : 1;
    return this.#priceOf(assigned === undefined ? [] : [{ assigned, members: [project], part }]);
  }

  #priceOf(shares: readonly Share[]): ScopePrice {
    return {
      plans: shares.map(share => ({
        part: share.part,
        perComputeHour: at => share.assigned.perComputeHour(at),
        includedHours: (expectedHours, period) => includedOf(this.#estimate, share, expectedHours, period),
      })),
      billing: this.#estimate.billing,
    };
  }
}

/** CU-milliseconds from an instant until now: of each project, by its number, and of all. */
interface UsedSince {
  readonly byProject: ReadonlyMap<number, number>;
  readonly all: number;
}

/** A plan assignment with what its projects used and will use: the tier that it has reached, and what is left included. */
class AssignedUse {
  readonly assignment: PlanAssignment;
  readonly #estimate: PriceEstimate;
  readonly #used = new Map<number, UsedSince>();
  readonly #prices = new Map<number, number>();
  #recent: number | undefined;

  constructor(estimate: PriceEstimate, assignment: PlanAssignment) {
    this.#estimate = estimate;
    this.assignment = assignment;
  }

  get projects(): readonly UsageProject[] {
    return this.assignment.projects;
  }

  /** CU-milliseconds of all its projects in the last week. */
  get recent(): number {
    const { recentUse } = this.#estimate;
    this.#recent ??= this.projects.reduce(
      (sum, { project_ref }) => sum + (recentUse.get(project_ref) ?? 0),
      0,
    );
    return this.#recent;
  }

  usedSince(fromAt: number): UsedSince {
    const used = this.#used.get(fromAt) ?? this.#readUsed(fromAt);
    this.#used.set(fromAt, used);
    return used;
  }

  #readUsed(fromAt: number): UsedSince {
    const { ledger, now } = this.#estimate;
    const byProject = new Map(
      this.projects.map(({ project_ref }) => [
        project_ref,
        fromAt >= now ? 0 : ledger.usedUntil(project_ref, now) - ledger.usedUntil(project_ref, fromAt),
      ]),
    );
    return { byProject, all: sumOf(byProject.values()) };
  }

  /** The price of a compute hour at an instant; 0 where there is none. */
  perComputeHour(at: number): number {
    const { book } = this.#estimate;
    const known = this.#prices.get(at);
    if (known !== undefined) return known;
    const own = hourPrice(book, this.assignment.plan, at, this.#expectBilled(at));
    const price = own === undefined ? 0 : amountNumber(own);
    this.#prices.set(at, price);
    return price;
  }

  /**
   * CU-milliseconds expected to be billed from the beginning of the billing period to an instant, for the tier it will have
   * reached: it goes on as it did lately.
   */
  #expectBilled(at: number): number {
    const { recentUse, billing, now } = this.#estimate;
    const { plan } = this.assignment;
    if (tiersAt(plan, at).length < 2) return 0;
    const { fromAt } = billing(at);
    const since = Math.max(0, at - Math.max(now, fromAt)) / recentMs;
    const used = [...this.usedSince(fromAt).byProject].map(
      ([project_ref, known]) => known + (recentUse.get(project_ref) ?? 0) * since,
    );
    const { computeHours = '0', per } = includedAt(plan, Math.max(now, fromAt)) ?? {};
    const allowance = Number(computeHours) * computeHourMs;
    if (per === 'project') return used.reduce((sum, use) => sum + Math.max(0, use - allowance), 0);
    return Math.max(0, sumOf(used) - allowance);
  }
}

function includedOf(
  { recentUse, now }: PriceEstimate,
  { assigned, members }: Share,
  expectedHours: number,
  { fromAt }: Period,
): number {
  const included = includedAt(assigned.assignment.plan, Math.max(now, fromAt));
  // An amount of money is no included hours, but a charge that takes off.
  if (included?.computeHours === undefined || expectedHours === 0) return 0;
  const allowance = Number(included.computeHours);
  const used = assigned.usedSince(fromAt);
  const recentOf = ({ project_ref }: UsageProject) => recentUse.get(project_ref) ?? 0;
  const recent = members.reduce((sum, project) => sum + recentOf(project), 0);
  if (included.per === 'account') {
    const left = Math.max(0, allowance - used.all / computeHourMs);
    return Math.min(left * (recent / Math.max(assigned.recent, Number.MIN_VALUE)), expectedHours);
  }
  return members.reduce((free, project) => {
    const left = Math.max(0, allowance - (used.byProject.get(project.project_ref) ?? 0) / computeHourMs);
    return free + Math.min(left, (expectedHours * recentOf(project)) / Math.max(recent, Number.MIN_VALUE));
  }, 0);
}
