import { hourMs } from '../../resources/duration.ts';
import type { Saving } from '../../resources/finding.ts';
import type { MeteredThing, MeterRules, PriceBook } from '../../resources/price-book.ts';
import type { MeteredLedger, UsageLedger, UsageProject } from '../../resources/usage/ledger.ts';
import type { Period } from '../calendar/calendar.ts';
import { type Amount, addAmounts, amountOfUse, noAmount, showAmount, timesRate } from '../money/money.ts';
import { holdsAt } from '../price/dated.ts';
import type { UsedUntil } from '../price/included-usage.ts';
import { tariffOf, unitOf, usualMeterRules } from '../price/metered-tariff.ts';
import type { PlanAssignment } from '../price/plan-assignment.ts';
import { rateAt } from '../price/price-lookup.ts';
import { excessOf } from '../rating/metered-line.ts';
import { isShared, monthMs, monthTerms, spareInTurn } from './month-bill.ts';

/** The last 30 days by the meter of some accounts, at the prices of one instant. */
export interface MeteredMonth {
  readonly book: PriceBook;
  readonly ledger: Pick<UsageLedger, 'metered'>;
  readonly assignments: readonly PlanAssignment[];
  /** Epoch milliseconds of the prices and exchange rates. */
  readonly at: number;
}

/** Branches of a project that could go. */
export interface SpareBranches {
  readonly project_ref: number;
  readonly count: number;
  /** Their part of what all branches besides the root store, 0 to 1; absent where that is not known. */
  readonly storedShare?: number;
}

/** Their cost in 30 days, in the display currency, and the metered quantities it is of. */
interface BranchSaving {
  /** What each branch stores is not metered: storage that is shared out is none that is likely. */
  readonly amount: Saving<Amount>;
  /** Such as `9.00 branch-months of extra branches`. */
  readonly quantities: readonly string[];
}

/** The meter of a shorter time says too little. */
const leastKnownMs = 24 * hourMs;
const shownDecimals = 2;

/**
 * Prices deleting branches: the difference of two bills of these days, with them and without, for what the meter counted of
 * branches at a price. Changes are taken as `priceSavings` takes them.
 *
 * @returns the saving of each; undefined where nothing of it is metered, or has a price.
 */
export function priceBranches(
  month: MeteredMonth,
  spare: readonly SpareBranches[],
): (BranchSaving | undefined)[] {
  const { book, ledger, assignments, at } = month;
  const savings = new Map<number, BranchSaving>();
  for (const assignment of assignments) {
    const { rate } = rateAt(book, assignment.plan, at);
    const refs = new Set(assignment.projects.map(({ project_ref }) => project_ref));
    const own = spare.filter(({ project_ref }) => refs.has(project_ref));
    const window = own.length === 0 ? undefined : windowOf(ledger, assignment.account);
    if (window === undefined || rate === undefined) continue;
    const things = (assignment.plan.metered ?? []).filter(thing => holdsAt(thing, at));
    for (const each of things.flatMap(thing => priceThing(month, assignment, thing, own, window))) {
      const { amount, quantities = [] } = savings.get(each.project_ref) ?? {};
      const most = timesRate(each.amount, rate);
      const likely = each.isUpperBound ? amount?.likely : addAmounts(amount?.likely ?? noAmount, most);
      savings.set(each.project_ref, {
        amount: { ...(likely && { likely }), most: addAmounts(amount?.most ?? noAmount, most) },
        quantities: [...quantities, each.quantity],
      });
    }
  }
  return spare.map(({ project_ref }) => savings.get(project_ref));
}

interface ThingSaving {
  readonly project_ref: number;
  /** In the currency of the plan. */
  readonly amount: Amount;
  readonly quantity: string;
  readonly isUpperBound: boolean;
}

function priceThing(
  { book, ledger, at }: MeteredMonth,
  { plan, projects }: PlanAssignment,
  thing: MeteredThing,
  spare: readonly SpareBranches[],
  window: Period,
): ThingSaving[] {
  const unit = unitOf(thing.metric, book.meter);
  const terms = monthTerms(tariffOf(plan, thing, unit), book, at);
  if (terms === undefined || ledger.metered === undefined) return [];
  const month = thingMonth(thing, { metered: ledger.metered, rules: book.meter ?? usualMeterRules, window });
  const byRef = new Map(spare.map(each => [each.project_ref, each]));
  const present = projects.filter(({ gone_at }) => gone_at === undefined);
  const spared = present.flatMap(project => {
    const branches = byRef.get(project.project_ref);
    const parts = branches && month.spared(project, branches);
    return parts === undefined ? [] : [{ ...project, ...branches, parts }];
  });
  const counted = isShared(terms) ? present : spared;
  const monthUse = new Map(counted.map(project => [project.project_ref, month.used(project)]));
  const amounts = spareInTurn({ terms, projects: counted, monthUse }, spared);
  return spared.map(({ project_ref, parts, storedShare = 1 }, index) => {
    const isUpperBound = thing.metric === 'child_branch_bytes_month' && storedShare < 1;
    const units = showAmount(amountOfUse(parts, '1', unit.parts), shownDecimals);
    return {
      ...{ project_ref, isUpperBound },
      amount: amounts[index] ?? noAmount,
      quantity: `${isUpperBound ? 'at most ' : ''}${units} ${unit.name}s of ${thing.name}`,
    };
  });
}

interface MeterPast {
  readonly metered: MeteredLedger;
  readonly rules: MeterRules;
  readonly window: Period;
}

interface ThingMonth {
  /** Parts of the unit of a thing that a project uses. */
  used(project: UsageProject): number;
  /** Parts it would not use without some of its branches; undefined where they have none, or it is not known. */
  spared(project: UsageProject, branches: SpareBranches): number | undefined;
}

function thingMonth(
  { metric, includedAtOnce }: MeteredThing,
  { metered, rules, window }: MeterPast,
): ThingMonth {
  const usedUntil: UsedUntil = (project_ref, at) => metered.meteredUntil(project_ref, metric, at);
  /** @param free in each hour. */
  const usedBeyond = ({ project_ref, created_at = 0 }: UsageProject, free: number | undefined) => {
    const fromAt = Math.max(window.fromAt, Math.floor(created_at / hourMs) * hourMs);
    const { untilAt } = window;
    if (fromAt >= untilAt) return 0;
    return Math.round(
      free === undefined
        ? usedUntil(project_ref, untilAt) - usedUntil(project_ref, fromAt)
        : excessOf(usedUntil, free, { fromAt, untilAt })(project_ref, untilAt),
    );
  };
  const used = (project: UsageProject) => usedBeyond(project, includedAtOnce);
  return {
    used,
    spared: (project, { count, storedShare }) => {
      if (metric === 'child_branch_bytes_month')
        return storedShare === undefined ? undefined : Math.round(used(project) * storedShare);
      if (metric !== 'extra_branches_month') return undefined;
      // Counted in months they are whole ones, and the meter has taken off what the plan includes.
      if (rules.unit === 'month') return Math.min(used(project), count);
      return used(project) - usedBeyond(project, (includedAtOnce ?? 0) + count);
    },
  };
}

/** The last 30 days that the meter knows wholly of an account, or less; undefined where that is too little. */
function windowOf({ metered }: Pick<UsageLedger, 'metered'>, account: string): Period | undefined {
  const span = metered?.knownSpan(account);
  if (span === undefined) return undefined;
  const fromAt = Math.ceil(Math.max(span.fromAt, span.untilAt - monthMs) / hourMs) * hourMs;
  return span.untilAt - fromAt < leastKnownMs ? undefined : { fromAt, untilAt: span.untilAt };
}
