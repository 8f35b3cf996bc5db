import type { CostAccrual } from '../resources/cost-accrual.ts';
import type { Calendar, Period } from './calendar.ts';
import { type CostSum, sumLines } from './cost-line.ts';
import type { Costing } from './costing.ts';
import { type Amount, addAmounts, compareAmounts, noAmount, subtractAmounts } from './money.ts';
import { readAmount, writeAmount } from './written-amount.ts';

/** An account to be charged, as far as its use is known. */
export interface AccrualCase {
  readonly account: string;
  readonly currency: string;
  readonly costing: Costing;
  readonly billing: Calendar;
  readonly knownFromAt: number;
  readonly knownUntilAt: number;
}

/**
 * Charges what was used since an account was last charged. A billing period is costed anew every time, and only what it
 * came to more is added: what is found out later of earlier use is charged once, and the total never falls, whatever
 * becomes of the prices.
 */
export function accrue(before: CostAccrual | undefined, accrual: AccrualCase): CostAccrual {
  const { account, currency, billing, knownFromAt, knownUntilAt } = accrual;
  if (before !== undefined && knownUntilAt < before.asOfAt) return before;
  const now = billing(knownUntilAt);
  const then = before === undefined ? { fromAt: knownFromAt } : { fromAt: before.periodFromAt };
  let total = before === undefined ? noAmount : readAmount(before.total);
  let unpricedTotal = before?.unpricedTotal ?? 0;
  let charged = before === undefined ? noAmount : readAmount(before.periodAccrued);
  let unpriced = before?.periodUnpriced ?? 0;
  const charge = (stretch: Period) => {
    const sum = costOf(accrual, stretch);
    total = addAmounts(total, growth(charged, sum.amount));
    unpricedTotal += Math.max(0, sum.unknownCuMs - unpriced);
    charged = sum.amount;
    unpriced = sum.unknownCuMs;
  };
  if (then.fromAt < now.fromAt) {
    charge({ fromAt: then.fromAt, untilAt: now.fromAt });
    charged = noAmount;
    unpriced = 0;
  }
  charge({ fromAt: Math.max(now.fromAt, then.fromAt), untilAt: knownUntilAt });
  return {
    account,
    currency,
    total: writeAmount(total),
    unpricedTotal,
    periodFromAt: now.fromAt,
    periodAccrued: writeAmount(charged),
    periodUnpriced: unpriced,
    asOfAt: knownUntilAt,
  };
}

/**
 * As `accrue`, but with all periods costed anew: for an account that was just added, of whose past more is found out by the
 * minute, so that what moves from one period to the next is not charged in both.
 */
export function accrueAnew(before: CostAccrual | undefined, accrual: AccrualCase): CostAccrual {
  if (before !== undefined && accrual.knownUntilAt < before.asOfAt) return before;
  const anew = accrue(undefined, accrual);
  if (before === undefined) return anew;
  const totals = [readAmount(before.total), readAmount(anew.total)] as const;
  return {
    ...anew,
    total: compareAmounts(...totals) > 0 ? before.total : anew.total,
    unpricedTotal: Math.max(before.unpricedTotal, anew.unpricedTotal),
  };
}

function costOf({ account, costing }: AccrualCase, stretch: Period): CostSum {
  const used = costing.usageLines(stretch, project => project.account === account);
  const minimums = costing.minimumLines(stretch).filter(line => line.account === account);
  return sumLines([...used, ...minimums]);
}

function growth(before: Amount, after: Amount): Amount {
  return compareAmounts(after, before) > 0 ? subtractAmounts(after, before) : noAmount;
}
