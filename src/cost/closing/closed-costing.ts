import { labelBilling } from '../calendar/billing-name.ts';
import type { Calendar, Period } from '../calendar/calendar.ts';
import { addAmounts, isNothing, negateAmount, noAmount } from '../money/money.ts';
import { subtractStretches } from '../price/dated.ts';
import { type Charge, type CostLine, isUse, noUse } from '../rating/cost-line.ts';
import type { Costing } from '../rating/costing.ts';
import type { FrozenBill } from './frozen-bill.ts';

interface ClosedCase {
  readonly costing: Costing;
  /** Of the price book. */
  readonly billing: Calendar;
  /** Of all accounts, in any order; none overlaps another of its account. */
  readonly bills: readonly FrozenBill[];
  /** Whether use is still kept finely enough for a bill to be worked out again. */
  readonly isRecomputable: (bill: FrozenBill) => boolean;
}

/**
 * A costing by which closed billing periods cost what their frozen bills say. A stretch that has only a part of one is
 * worked out anew. What was found since a period was closed is an adjustment in the first open one after it.
 */
export function withClosed({ costing, billing, bills, isRecomputable }: ClosedCase): Costing {
  if (bills.length === 0) return costing;
  const usageLines: Costing['usageLines'] = (stretch, isMeant = () => true) => {
    const whole = Map.groupBy(
      bills.filter(bill => contains(stretch, bill)),
      ({ account }) => account,
    );
    if (whole.size === 0) return costing.usageLines(stretch, isMeant);
    const open = costing.usageLines(stretch, project => !whole.has(project.account) && isMeant(project));
    const frozen = [...whole].flatMap(([account, own]) => {
      const kept = own.flatMap(({ lines }) => lines.filter(({ project }) => project && isMeant(project)));
      const rest = subtractStretches(stretch, own).flatMap(part => [
        ...costing.usageLines(part, project => project.account === account && isMeant(project)),
      ]);
      return [...kept.filter(isUse), ...rest];
    });
    return [...open, ...frozen].sort(byProjectAndTime);
  };

  const later = (stretch: Period, asOf: number, isMeant: (account: string) => boolean) =>
    bills
      .filter(bill => isMeant(bill.account) && isRecomputable(bill))
      .flatMap(bill => {
        const open = firstOpen(bill, bills, billing);
        if (open.fromAt >= asOf || !begins(stretch, open)) return [];
        return findLater(bill, open, { bills, costing });
      });

  const chargeLines: Costing['chargeLines'] = (stretch, asOf, isMeant = () => true) => {
    const closed = bills.filter(({ account }) => isMeant(account));
    const open = costing
      .chargeLines(stretch, asOf, isMeant)
      .filter(line => !closed.some(bill => bill.account === line.account && contains(bill, line)));
    const frozen = closed
      .filter(bill => begins(stretch, bill))
      .flatMap(({ lines }) => lines.filter(line => !isUse(line)));
    return [...open, ...frozen, ...later(stretch, asOf, isMeant)];
  };

  return {
    ...costing,
    usageLines,
    chargeLines,
    billLines: (account, period, asOf) => {
      const bill = bills.find(each => each.account === account && isSame(each, period));
      if (bill !== undefined) return [...bill.lines];
      const isOwn = (each: string) => each === account;
      return [...costing.billLines(account, period, asOf), ...later(period, asOf, isOwn)];
    },
  };
}

/** The first billing period after a closed one that is not closed itself. */
function firstOpen(
  { account, untilAt }: FrozenBill,
  bills: readonly FrozenBill[],
  billing: Calendar,
): Period {
  let period = billing(untilAt);
  while (bills.some(bill => bill.account === account && isSame(bill, period)))
    period = billing(period.untilAt);
  return period;
}

function contains(whole: Period, part: Period): boolean {
  return whole.fromAt <= part.fromAt && part.untilAt <= whole.untilAt;
}

function begins({ fromAt, untilAt }: Period, period: Period): boolean {
  return period.fromAt >= fromAt && period.fromAt < untilAt;
}

function isSame(one: Period, other: Period): boolean {
  return one.fromAt === other.fromAt && one.untilAt === other.untilAt;
}

function byProjectAndTime(a: CostLine, b: CostLine): number {
  return (a.project?.project_ref ?? 0) - (b.project?.project_ref ?? 0) || a.fromAt - b.fromAt;
}

interface LaterCase {
  /** All closed bills. */
  readonly bills: readonly FrozenBill[];
  /** Without regard to what is closed. */
  readonly costing: Costing;
}

/** The name of an adjustment for what was found of a closed billing period later. */
function nameFoundLater(period: Period): string {
  return `found later for ${labelBilling(period)}`;
}

/**
 * Adjustments, one for each currency, by what a closed billing period would be charged more or less by what is known now:
 * the bill worked out anew, less the frozen one, less what later closed periods were adjusted by for it.
 *
 * @param open the billing period that they belong to.
 */
function findLater(bill: FrozenBill, open: Period, { bills, costing }: LaterCase): CostLine[] {
  const { account, fromAt, untilAt } = bill;
  const adjusted = bills
    .filter(later => later.account === account)
    .flatMap(({ lines }) => lines.filter(({ foundOf }) => foundOf === fromAt));
  const charged = [...bill.lines.filter(({ foundOf }) => foundOf === undefined), ...adjusted];
  const chargesOf = (lines: readonly CostLine[]) => lines.flatMap(({ charge }) => charge ?? []);
  const now = chargesOf(costing.billLines(account, { fromAt, untilAt }, untilAt));
  return sumByCurrency([...now, ...chargesOf(charged).map(takeBack)])
    .filter(({ amount }) => !isNothing(amount))
    .map(charge => ({
      ...{ kind: 'adjustment', account, name: nameFoundLater(bill), foundOf: fromAt },
      ...{ fromAt: open.fromAt, untilAt: open.untilAt, ...noUse, charge },
    }));
}

function takeBack({ currency, amount, displayAmount }: Charge): Charge {
  return {
    ...{ currency, amount: negateAmount(amount) },
    ...(displayAmount && { displayAmount: negateAmount(displayAmount) }),
  };
}

/** One charge for each currency, displayed where all of its parts are. */
function sumByCurrency(charges: readonly Charge[]): Charge[] {
  const sums = new Map<string, Charge>();
  for (const { currency, amount, displayAmount } of charges) {
    const sum = sums.get(currency) ?? { currency, amount: noAmount, displayAmount: noAmount };
    const shown = sum.displayAmount && displayAmount && addAmounts(sum.displayAmount, displayAmount);
    const total = addAmounts(sum.amount, amount);
    sums.set(currency, { currency, amount: total, ...(shown && { displayAmount: shown }) });
  }
  return [...sums.values()];
}
