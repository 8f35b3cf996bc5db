import Big from 'big.js';
import { isNothing, timesRate } from '../money/money.ts';
import { type BillCase, chargeLine, sumCharged } from './bill-case.ts';
import type { CostLine } from './cost-line.ts';
import { adjustmentLines, freeLines, taxesOf } from './free-charge.ts';
import { planCharges } from './plan-charge.ts';
import { roundingLines, roundTax } from './rounding-line.ts';

/**
 * All lines of a bill but usage, in the order in which they are worked out: what plans charge, free lines, adjustments,
 * credits, the rounding of all these, and taxes, each rounded by itself. None where nothing was recorded of the
 * account by then.
 */
export function billCharges(bill: BillCase): CostLine[] {
  const { ledger, account, period, asOf } = bill;
  const knownFromAt = ledger.knownFrom(account);
  if (knownFromAt === undefined || knownFromAt >= Math.min(period.untilAt, asOf)) return [];
  const lines = [...bill.plans.flatMap(rated => planCharges(bill, rated)), ...freeLines(bill)];
  const charged = () => [...bill.usageLines(), ...lines];
  lines.push(...adjustmentLines(bill, charged));
  if (bill.book.rounding !== undefined) lines.push(...roundingLines(bill, charged()));
  return [...lines, ...taxLines(bill, charged)];
}

/** A line for each tax and currency; taxes are not taxed. */
function taxLines(bill: BillCase, charged: () => readonly CostLine[]): CostLine[] {
  return taxesOf(bill).flatMap(({ name, percent }) => {
    const taxed = charged();
    const currencies = new Set(taxed.flatMap(({ charge }) => charge?.currency ?? []));
    return [...currencies].flatMap(currency => {
      const exact = timesRate(sumCharged(taxed, currency), Big(percent).times('0.01').toFixed());
      const amount = roundTax(bill, exact, currency);
      return isNothing(amount) ? [] : [chargeLine(bill, { kind: 'tax', name, currency, amount })];
    });
  });
}
