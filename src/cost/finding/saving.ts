import type { PriceBook } from '../../resources/price-book.ts';
import { computeHourMs } from '../../resources/usage/ledger.ts';
import { type Amount, timesRate } from '../money/money.ts';
import type { PlanAssignment } from '../price/plan-assignment.ts';
import { rateAt } from '../price/price-lookup.ts';
import { monthTerms, spareInTurn } from './month-bill.ts';

/** A typical month of some accounts: 30 days in which their projects go on as they did, at the prices of one instant. */
export interface SavingCase {
  readonly book: PriceBook;
  readonly assignments: readonly PlanAssignment[];
  /** Epoch milliseconds of the prices and exchange rates. */
  readonly at: number;
  /** CU-milliseconds each project uses in 30 days, by its number; absent for one that uses nothing. */
  readonly monthUse: ReadonlyMap<number, number>;
}

/** Use of a project that a change spares in 30 days. */
export interface SparedUse {
  readonly project_ref: number;
  readonly computeHours: number;
}

/**
 * Prices changes together, in the display currency: each is the difference of two invoices of a typical month, with it
 * and without it, where those that save more are followed already. So all of them add up to the difference that
 * following all makes, and never to more than what is billed beyond allowances and minimums. Base fees, counted things,
 * credits and taxes are left out: a change of use changes none of them, or the credit only later.
 *
 * @returns the saving of each change; undefined where the project has no plan, price or exchange rate.
 */
export function priceSavings(
  { book, assignments, at, monthUse }: SavingCase,
  changes: readonly SparedUse[],
): (Amount | undefined)[] {
  const savings = new Array<Amount | undefined>(changes.length).fill(undefined);
  const byProject = Map.groupBy(changes.entries(), ([, { project_ref }]) => project_ref);
  for (const { projects, plan } of assignments) {
    const own = projects.flatMap(({ project_ref }) => byProject.get(project_ref) ?? []);
    const terms = monthTerms(plan, book, at);
    const { rate } = rateAt(book, plan, at);
    if (own.length === 0 || terms === undefined || rate === undefined) continue;
    const spared = own.map(([, { project_ref, computeHours }]) => {
      return { project_ref, parts: Math.round(computeHours * computeHourMs) };
    });
    for (const [place, amount] of spareInTurn({ terms, projects, monthUse }, spared).entries()) {
      const [index] = own[place] ?? [];
      if (index !== undefined) savings[index] = timesRate(amount, rate);
    }
  }
  return savings;
}

/** Prices changes that were made, as `priceSavings` would have before them: `monthUse` is the use since. */
export function priceDone(month: SavingCase, changes: readonly SparedUse[]): (Amount | undefined)[] {
  const monthUse = new Map(month.monthUse);
  for (const { project_ref, computeHours } of changes) {
    monthUse.set(project_ref, (monthUse.get(project_ref) ?? 0) + Math.round(computeHours * computeHourMs));
  }
  return priceSavings({ ...month, monthUse }, changes);
}
