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

/** So long after its end a billing period is still open: use may turn out to lie before or after that end. */
const settlingMs = 7 * 86_400_000;

/**
 * Charges what was used since an account was last charged. The billing periods that are open are costed anew every time,
 * and only what they came to more is added: what is found out later of earlier use is charged once, and the total never
 * falls, whatever becomes of the prices.
 */
export function accrue(before: CostAccrual | undefined, accrual: AccrualCase): CostAccrual {
  const { account, currency, knownFromAt, knownUntilAt } = accrual;
  if (before !== undefined && knownUntilAt <= before.asOfAt) return before;
  const whole = costOf(accrual, { fromAt: before?.periodFromAt ?? knownFromAt, untilAt: knownUntilAt });
  const charged = before === undefined ? noAmount : readAmount(before.periodAccrued);
  const total = before === undefined ? noAmount : readAmount(before.total);
  const periodFromAt = Math.max(openFrom(accrual), before?.periodFromAt ?? Number.NEGATIVE_INFINITY);
  const isSame = periodFromAt <= (before?.periodFromAt ?? knownFromAt);
  const open = isSame ? whole : costOf(accrual, { fromAt: periodFromAt, untilAt: knownUntilAt });
  return {
    account,
    currency,
    total: writeAmount(addAmounts(total, growth(charged, whole.amount))),
    unpricedTotal:
      (before?.unpricedTotal ?? 0) + Math.max(0, whole.unknownCuMs - (before?.periodUnpriced ?? 0)),
    periodFromAt,
    periodAccrued: writeAmount(open.amount),
    periodUnpriced: open.unknownCuMs,
    asOfAt: knownUntilAt,
  };
}

/** The beginning of the earliest billing period that is open. */
function openFrom({ billing, knownUntilAt }: AccrualCase): number {
  const { fromAt, untilAt } = billing(knownUntilAt);
  return billing(knownUntilAt - Math.min(settlingMs, untilAt - fromAt)).fromAt;
}

function costOf({ account, costing }: AccrualCase, stretch: Period): CostSum {
  const used = costing.usageLines(stretch, project => project.account === account);
  const minimums = costing.minimumLines(stretch).filter(line => line.account === account);
  return sumLines([...used, ...minimums]);
}

function growth(before: Amount, after: Amount): Amount {
  return compareAmounts(after, before) > 0 ? subtractAmounts(after, before) : noAmount;
}
