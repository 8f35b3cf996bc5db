import type { UsageProject } from '../../resources/usage/ledger.ts';
import { labelBilling } from '../calendar/billing-name.ts';
import type { Calendar, Period } from '../calendar/calendar.ts';
import { addAmounts, isNothing, negateAmount, noAmount } from '../money/money.ts';
import { subtractStretches } from '../price/dated.ts';
import { type Charge, type CostLine, isUse, noUse, type RatedUse, sumLines } from '../rating/cost-line.ts';
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
 * A costing by which closed billing periods cost what their frozen bills say. What was found since a period was closed is an
 * adjustment in the first open one after it. Use of a part of a closed period is worked out anew, and adjustments beside the
 * frozen charges take off what was found later of each project: however use is cut, it comes to the frozen bill.
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
        const charged = chargesOf(bills.flatMap(({ lines }) => lines.filter(isAbout(bill))));
        const found = findLater(bill, costing).flatMap(({ charges }) => charges);
        return adjust(bill, open, [...found, ...charged.map(takeBack)]);
      });

  const chargeLines: Costing['chargeLines'] = (stretch, asOf, isMeant = () => true, used = [stretch]) => {
    const begun = bills.filter(bill => isMeant(bill.account) && begins(stretch, bill));
    const isWhole = (bill: FrozenBill) => used.some(part => contains(part, bill));
    // A period that went on at the instant asked about has the charges that were known by then.
    const closed = begun.filter(bill => isWhole(bill) || bill.untilAt <= asOf);
    const isKept = (bill: FrozenBill, line: CostLine) =>
      closed.includes(bill) ? !isUse(line) : line.foundOf !== undefined;
    return [
      ...costing
        .chargeLines(stretch, asOf, isMeant)
        .filter(line => !closed.some(bill => bill.account === line.account && contains(bill, line))),
      ...begun.flatMap(bill => bill.lines.filter(line => isKept(bill, line))),
      ...closed
        .filter(bill => !isWhole(bill))
        .flatMap(bill => findLater(bill, costing).flatMap(found => takeOff(bill, found))),
      ...later(stretch, asOf, isMeant),
    ];
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

/** The name of an adjustment for what was found of a closed billing period later. */
function nameFoundLater(period: Period): string {
  return `found later for ${labelBilling(period)}`;
}

/** What was found of a closed billing period later: of the use of a project, or of what an account is charged besides. */
interface Found {
  readonly project: UsageProject | undefined;
  readonly use: RatedUse;
  readonly charges: readonly Charge[];
}

/** The bill of a closed billing period worked out anew, less the frozen one. */
function findLater({ account, fromAt, untilAt, lines }: FrozenBill, costing: Costing): Found[] {
  const frozen = lines.filter(({ foundOf }) => foundOf === undefined);
  const now = costing.billLines(account, { fromAt, untilAt }, untilAt);
  const userOf = (line: CostLine) => (isUse(line) ? line.project : undefined);
  const before = Map.groupBy(frozen, line => userOf(line)?.project_ref);
  const after = Map.groupBy(now, line => userOf(line)?.project_ref);
  return [...new Set([...before.keys(), ...after.keys()])].map(user => {
    const [earlier, later] = [before.get(user) ?? [], after.get(user) ?? []];
    const project = [...later, ...earlier].map(userOf)[0];
    const charges = [...chargesOf(later), ...chargesOf(earlier).map(takeBack)];
    return { project, use: subtractUse(sumLines(later), sumLines(earlier)), charges };
  });
}

function subtractUse(one: RatedUse, other: RatedUse): RatedUse {
  return {
    usedCuMs: one.usedCuMs - other.usedCuMs,
    includedCuMs: one.includedCuMs - other.includedCuMs,
    billedCuMs: one.billedCuMs - other.billedCuMs,
    unpricedCuMs: one.unpricedCuMs - other.unpricedCuMs,
  };
}

/** Adjustments that take off the use of a project that was found later, hours too, where use is worked out anew. */
function takeOff(bill: FrozenBill, { project, use, charges }: Found): CostLine[] {
  if (project === undefined) return [];
  const lines = adjust(bill, bill, charges.map(takeBack)).map(line => ({ ...line, project }));
  if (Object.values(use).every(cuMs => cuMs === 0)) return lines;
  const [first = { ...adjustmentOf(bill, bill), project }, ...others] = lines;
  return [{ ...first, ...subtractUse(noUse, use) }, ...others];
}

/** Whether a line adjusts a bill by what was found later. */
function isAbout({ account, fromAt }: FrozenBill): (line: CostLine) => boolean {
  return line => line.account === account && line.foundOf === fromAt;
}

/** Adjustments for what was found of a closed bill later, one for each currency, in a billing period. */
function adjust(bill: FrozenBill, { fromAt, untilAt }: Period, charges: readonly Charge[]): CostLine[] {
  return sumByCurrency(charges)
    .filter(({ amount }) => !isNothing(amount))
    .map(charge => ({ ...adjustmentOf(bill, { fromAt, untilAt }), charge }));
}

function adjustmentOf(bill: FrozenBill, { fromAt, untilAt }: Period): CostLine {
  return {
    ...{ kind: 'adjustment', account: bill.account, name: nameFoundLater(bill), foundOf: bill.fromAt },
    ...{ fromAt, untilAt, ...noUse },
  };
}

function chargesOf(lines: readonly CostLine[]): Charge[] {
  return lines.flatMap(({ charge }) => charge ?? []);
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
