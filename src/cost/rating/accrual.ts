import type { CostAccrual } from '../../resources/cost-accrual.ts';
import { type Calendar, clip, type Period, periodsBetween } from '../calendar/calendar.ts';
import {
  type Amount,
  addAmounts,
  compareAmounts,
  maxAmount,
  noAmount,
  readAmount,
  subtractAmounts,
  writeAmount,
} from '../money/money.ts';
import { sumLines } from './cost-line.ts';
import type { Costing } from './costing.ts';

/** An account to be charged, as far as its use is known. */
export interface AccrualCase {
  readonly account: string;
  readonly currency: string;
  readonly costing: Costing;
  readonly billing: Calendar;
  readonly knownFromAt: number;
  readonly knownUntilAt: number;
  /** Usage before this instant will not change any more, epoch milliseconds. */
  readonly settledUntilAt: number;
}

/**
 * Adds the cost of the usage since an account was last charged. Billing periods whose usage may still change are costed
 * again every time, all together, as usage may move from one to another; only the growth over the highest cost so far
 * is added. So late usage is charged once, a price that was wrong for a while is not charged twice, and the total never
 * falls.
 */
export function accrue(before: CostAccrual | undefined, accrual: AccrualCase): CostAccrual {
  const { account, currency, billing, knownFromAt, knownUntilAt, settledUntilAt } = accrual;
  if (before !== undefined && knownUntilAt < before.asOfAt) return before;
  const openFromAt = before?.periodFromAt ?? knownFromAt;
  const periodFromAt = Math.max(openFromAt, billing(Math.min(settledUntilAt, knownUntilAt)).fromAt);
  const closed = costOf(accrual, { fromAt: openFromAt, untilAt: periodFromAt });
  const open = costOf(accrual, { fromAt: periodFromAt, untilAt: knownUntilAt });
  const charged = before === undefined ? noAmount : readAmount(before.periodAccrued);
  const total = before === undefined ? noAmount : readAmount(before.total);
  const costed = addAmounts(closed.amount, open.amount);
  const unpriced = closed.unknownCuMs + open.unknownCuMs;
  const unpricedBefore = before?.periodUnpriced ?? 0;
  const isStillOpen = periodFromAt === openFromAt;
  return {
    account,
    currency,
    total: writeAmount(addAmounts(total, growth(charged, costed))),
    unpricedTotal: (before?.unpricedTotal ?? 0) + Math.max(0, unpriced - unpricedBefore),
    periodFromAt,
    periodAccrued: writeAmount(isStillOpen ? maxAmount(charged, open.amount) : open.amount),
    periodUnpriced: isStillOpen ? Math.max(unpricedBefore, open.unknownCuMs) : open.unknownCuMs,
    asOfAt: knownUntilAt,
  };
}

/** Period by period: all lines of a year of short ones would take too much memory. */
function costOf({ account, billing, costing, knownUntilAt }: AccrualCase, stretch: Period) {
  let amount = noAmount;
  let unknownCuMs = 0;
  for (const period of periodsBetween(billing, stretch)) {
    const part = clip(period, stretch);
    const used = costing.usageLines(part, project => project.account === account);
    const charges = costing.chargeLines(period, knownUntilAt, each => each === account);
    const sum = sumLines([...used, ...charges]);
    amount = addAmounts(amount, sum.amount);
    unknownCuMs += sum.unknownCuMs;
  }
  return { amount, unknownCuMs };
}

function growth(before: Amount, after: Amount): Amount {
  return compareAmounts(after, before) > 0 ? subtractAmounts(after, before) : noAmount;
}
