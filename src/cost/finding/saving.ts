import { dayMs } from '../../resources/duration.ts';
import type { Saving } from '../../resources/finding.ts';
import type { PriceBook } from '../../resources/price-book.ts';
import { computeHourMs, type UsageLedger, type UsageProject } from '../../resources/usage/ledger.ts';
import { type Amount, addAmounts, minAmount, noAmount, partOfAmount, timesRate } from '../money/money.ts';
import type { PlanAssignment } from '../price/plan-assignment.ts';
import { rateAt } from '../price/price-lookup.ts';
import { type CostLine, sumLinesBy } from '../rating/cost-line.ts';
import type { Costing } from '../rating/costing.ts';
import { monthTerms, spareInTurn } from './month-bill.ts';
import { roundHours } from './spared-use.ts';

/** The last 30 days of the projects of some accounts, at the prices of one instant. */
export interface SavingCase {
  readonly book: PriceBook;
  readonly assignments: readonly PlanAssignment[];
  /** Epoch milliseconds of the prices and exchange rates. */
  readonly at: number;
  /** CU-milliseconds each project used in 30 days, by its number; absent for one that used nothing. */
  readonly monthUse: ReadonlyMap<number, number>;
}

/** Compute hours of a project that a change spares in 30 days. */
export interface SparedUse {
  readonly project_ref: number;
  readonly hours: Saving;
}

/** Compute of a project, and what it cost at the prices of then. */
interface PaidUse {
  readonly usedCuMs: number;
  readonly amount: Amount;
}

/**
 * Prices changes together, in the display currency: each is the difference of two invoices of a month, with it and without
 * it, where larger ones are followed already. So all of them add up to the difference that following all makes, and
 * never to more than what is billed beyond allowances and minimums. What is likely is saved first, and what may be saved
 * besides after all of that. Base fees, counted things, credits and taxes are left out: a change of use changes none of
 * them, or the credit only later.
 *
 * @returns the saving of each change; undefined where the project has no plan, price or exchange rate.
 */
export function priceSavings(
  { book, assignments, at, monthUse }: SavingCase,
  changes: readonly SparedUse[],
): (Saving<Amount> | undefined)[] {
  const savings = new Array<Saving<Amount> | undefined>(changes.length).fill(undefined);
  const byProject = Map.groupBy(changes.entries(), ([, { project_ref }]) => project_ref);
  for (const { projects, plan } of assignments) {
    const own = projects.flatMap(({ project_ref }) => byProject.get(project_ref) ?? []);
    const terms = monthTerms(plan, book, at);
    const { rate } = rateAt(book, plan, at);
    if (own.length === 0 || terms === undefined || rate === undefined) continue;
    const likely = own.map(([, { project_ref, hours }]) => ({ project_ref, parts: partsOf(hours.likely) }));
    const more = own.map(([, { project_ref, hours }]) => {
      return { project_ref, parts: partsOf(hours.most) - partsOf(hours.likely) };
    });
    const likelyAmounts = spareInTurn({ terms, projects, monthUse }, likely);
    const left = new Map(monthUse);
    for (const { project_ref, parts } of likely) {
      left.set(project_ref, Math.max(0, (left.get(project_ref) ?? 0) - parts));
    }
    const isMore = more.some(({ parts }) => parts !== 0);
    const moreAmounts = isMore ? spareInTurn({ terms, projects, monthUse: left }, more) : [];
    for (const [place, [index, { hours }]] of own.entries()) {
      const [first = noAmount, rest = noAmount] = [likelyAmounts[place], moreAmounts[place]];
      savings[index] = {
        ...(hours.likely !== undefined && { likely: timesRate(first, rate) }),
        most: timesRate(addAmounts(first, rest), rate),
      };
    }
  }
  return savings;
}

function partsOf(hours = 0): number {
  return Math.round(hours * computeHourMs);
}

/** Prices changes that were made, as `priceSavings` would have before them: `monthUse` is the use since. */
export function priceDone(
  month: SavingCase,
  changes: readonly { readonly project_ref: number; readonly computeHours: number }[],
): (Amount | undefined)[] {
  const monthUse = new Map(month.monthUse);
  for (const { project_ref, computeHours } of changes) {
    monthUse.set(project_ref, (monthUse.get(project_ref) ?? 0) + partsOf(computeHours));
  }
  const savings = priceSavings(
    { ...month, monthUse },
    changes.map(({ project_ref, computeHours: most }) => ({ project_ref, hours: { most } })),
  );
  return savings.map(saving => saving?.most);
}

/** What was used in the last 30 days, and where there are prices, what that cost. */
export interface SpentMonth extends Pick<SavingCase, 'monthUse'> {
  readonly priced?: Omit<SavingCase, 'monthUse'> & {
    /** What the compute of each project cost in these days, by its number. */
    readonly paid: ReadonlyMap<number, PaidUse>;
  };
}

/** Findings are of so much of the past, and so are their savings: no more is claimed than was used in it. */
export const findingWindowMs = 30 * dayMs;

/** The sources of what a month was spent. */
export interface MonthSource {
  readonly usage: Pick<UsageLedger, 'usedUntil' | 'knownFrom' | 'knownUntil'>;
  /** Absent where there are no prices. */
  readonly prices?: {
    readonly book: PriceBook;
    readonly costing: Pick<Costing, 'assignmentsAt' | 'usageLines'>;
  };
  /** End of the month, epoch milliseconds; prices are those just before it. */
  readonly untilAt: number;
}

/** @param isMeant the projects whose cost is asked for. */
export function spendMonth(
  { usage, prices, untilAt }: MonthSource,
  projects: readonly UsageProject[],
  isMeant: (project: UsageProject) => boolean,
): SpentMonth {
  const monthUse = new Map(
    projects.map(project => {
      const known = {
        knownFromAt: usage.knownFrom(project.account) ?? 0,
        untilAt: Math.min(untilAt, usage.knownUntil(project.account) ?? untilAt),
      };
      return [project.project_ref, readMonthUse(usage, project, known)];
    }),
  );
  if (prices === undefined) return { monthUse };
  const { book, costing } = prices;
  const at = untilAt - 1;
  const paid = sumPaid(costing.usageLines({ fromAt: untilAt - findingWindowMs, untilAt }, isMeant));
  return { monthUse, priced: { book, assignments: costing.assignmentsAt(at), at, paid } };
}

/**
 * CU-milliseconds a project used in the window of findings, or since it is known; 0 for one that is gone.
 *
 * @param knownFromAt epoch milliseconds from which the use of its account is known.
 * @param untilAt end of the window.
 */
export function readMonthUse(
  ledger: Pick<UsageLedger, 'usedUntil'>,
  { project_ref, created_at = 0, gone_at }: UsageProject,
  { knownFromAt, untilAt }: { readonly knownFromAt: number; readonly untilAt: number },
): number {
  const fromAt = Math.max(untilAt - findingWindowMs, knownFromAt, created_at);
  if (gone_at !== undefined || fromAt >= untilAt) return 0;
  return Math.round(ledger.usedUntil(project_ref, untilAt) - ledger.usedUntil(project_ref, fromAt));
}

/** A saving in compute hours, and in the display currency where it has a price. */
export interface SettledSaving {
  readonly hours: Saving;
  readonly money?: Saving<Amount>;
}

/** Savings in the order they are told: of a project never more than it used, and each at the prices of now, but never more than its hours cost. */
export function settleSavings(
  { monthUse, priced }: SpentMonth,
  changes: readonly SparedUse[],
): SettledSaving[] {
  const bounded = boundByUse(changes, monthUse);
  if (priced === undefined) return bounded;
  const prices = priceSavings({ ...priced, monthUse }, bounded);
  return bounded.map(({ project_ref, hours }, index) => {
    const { usedCuMs = 0, amount = noAmount } = priced.paid.get(project_ref) ?? {};
    const used = Math.max(usedCuMs, monthUse.get(project_ref) ?? 0);
    const bound = (saved: Amount, of: number | undefined): Amount => {
      const parts = partsOf(of);
      const cost = partOfAmount(amount, Math.max(0, parts), Math.max(used, parts, 1));
      return parts > 0 ? minAmount(cost, saved) : saved;
    };
    const { likely, most } = prices[index] ?? {};
    if (most === undefined) return { hours };
    return {
      hours,
      money: { ...(likely && { likely: bound(likely, hours.likely) }), most: bound(most, hours.most) },
    };
  });
}

function boundByUse(changes: readonly SparedUse[], monthUse: SavingCase['monthUse']): SparedUse[] {
  const left = new Map<number, number>();
  const take = (project_ref: number, hours: number) => {
    const before = left.get(project_ref) ?? (monthUse.get(project_ref) ?? 0) / computeHourMs;
    const taken = Math.min(hours, before);
    left.set(project_ref, before - taken);
    return taken;
  };
  const likely = changes.map(({ project_ref, hours }) => take(project_ref, hours.likely ?? 0));
  return changes.map(({ project_ref, hours }, index) => {
    const [sure = 0, more] = [likely[index], take(project_ref, hours.most - (hours.likely ?? 0))];
    return {
      project_ref,
      hours: {
        ...(hours.likely !== undefined && { likely: roundHours(sure) }),
        most: roundHours(sure + more),
      },
    };
  });
}

/** What was paid for the compute of each project, by its number. */
export function sumPaid(lines: Iterable<CostLine>): ReadonlyMap<number, PaidUse> {
  const used = Iterator.from(lines).filter(({ kind }) => kind === 'usage');
  return sumLinesBy(used, ({ project }) => project?.project_ref ?? 0);
}
