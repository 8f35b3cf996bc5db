import type { UsageProject } from '../../resources/usage/ledger.ts';
import { clip } from '../calendar/calendar.ts';
import {
  type Amount,
  compareAmounts,
  isNothing,
  negateAmount,
  noAmount,
  subtractAmounts,
} from '../money/money.ts';
import { sharedTime } from '../price/dated.ts';
import { amountInPeriod, datedAmounts } from '../price/dated-amount.ts';
import { type BillCase, chargeLine, type RatedAssignment, sumCharged } from './bill-case.ts';
import type { CostLine } from './cost-line.ts';
import { countedLines } from './counted-line.ts';

/**
 * What an account is charged for a plan beside its usage: allowances, what is missing to the minimum once the period is
 * over, the base fee, and counted things. Nothing where the plan had no price, or no project of it existed by then.
 */
export function planCharges(bill: BillCase, rated: RatedAssignment): CostLine[] {
  if (!isCharged(bill, rated)) return [];
  const { plan } = rated.assignment;
  const used = () =>
    bill.usageLines().filter(({ kind, ...line }) => kind === 'usage' && line.plan === plan.name);
  const allowances = allowanceLines(bill, rated, used);
  return [
    ...allowances,
    ...minimumLines(bill, rated, () => sumCharged([...used(), ...allowances], plan.currency)),
    ...baseFeeLines(bill, rated),
    ...countedLines(bill, rated),
  ];
}

function isCharged({ ledger, asOf, period }: BillCase, { assignment, rated }: RatedAssignment): boolean {
  const { account, projects } = assignment;
  const priced = rated.segments.filter(({ tiers }) => tiers.length > 0);
  if (sharedTime(priced, rated.inForce).length === 0) return false;
  const knownFromAt = ledger.knownFrom(account) ?? Number.POSITIVE_INFINITY;
  return projects.some(({ project_ref, created_at = knownFromAt, gone_at = Number.POSITIVE_INFINITY }) =>
    assignment.stretchesOf(project_ref).some(stretch => {
      const { fromAt, untilAt } = clip(stretch, period);
      return fromAt < untilAt && created_at < Math.min(untilAt, asOf) && gone_at > fromAt;
    }),
  );
}

/** Compute for an amount of money is taken off, as far as there is any. */
function allowanceLines(
  bill: BillCase,
  { assignment: { plan }, rated: { allowance } }: RatedAssignment,
  used: () => readonly CostLine[],
): CostLine[] {
  if (allowance === undefined || isNothing(allowance.amount)) return [];
  const takeOff = (lines: readonly CostLine[], project?: UsageProject): CostLine[] => {
    const amount = least(allowance.amount, sumCharged(lines, plan.currency));
    if (isNothing(amount)) return [];
    const facts = { kind: 'allowance', plan: plan.name, currency: plan.currency } as const;
    return [chargeLine(bill, { ...facts, amount: negateAmount(amount), ...(project && { project }) })];
  };
  if (allowance.per === 'account') return takeOff(used());
  const byProject = Map.groupBy(used(), ({ project }) => project);
  return [...byProject].flatMap(([project, lines]) => takeOff(lines, project));
}

function minimumLines(
  bill: BillCase,
  { assignment: { plan }, rated }: RatedAssignment,
  charged: () => Amount,
): CostLine[] {
  if (plan.minimum === undefined || bill.period.untilAt > bill.asOf) return [];
  const minimum = amountInPeriod(plan, datedAmounts(plan.minimum), rated);
  const amount = subtractAmounts(minimum, charged());
  if (compareAmounts(amount, noAmount) <= 0) return [];
  return [chargeLine(bill, { kind: 'minimum', plan: plan.name, currency: plan.currency, amount })];
}

function baseFeeLines(bill: BillCase, { assignment: { plan }, rated }: RatedAssignment): CostLine[] {
  const amount = amountInPeriod(plan, datedAmounts(plan.baseFee), rated);
  if (isNothing(amount)) return [];
  return [chargeLine(bill, { kind: 'base_fee', plan: plan.name, currency: plan.currency, amount })];
}

function least(one: Amount, other: Amount): Amount {
  return compareAmounts(one, other) < 0 ? one : other;
}
