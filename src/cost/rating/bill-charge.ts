import Big from 'big.js';
import type { Adjustment, ChargeTime, InvoiceRounding } from '../../resources/price-book.ts';
import { type UsageProject, wasThere } from '../../resources/usage/ledger.ts';
import { clip, type Period } from '../calendar/calendar.ts';
import {
  type Amount,
  addAmounts,
  amountOf,
  compareAmounts,
  isNothing,
  minAmount,
  negateAmount,
  noAmount,
  partOfAmount,
  roundAmount,
  subtractAmounts,
  timesRate,
} from '../money/money.ts';
import { holdsAt, lengthOf, sharedTime, timeOf } from '../price/dated.ts';
import { amountInPeriod, datedAmounts } from '../price/dated-amount.ts';
import { type BillCase, chargeLine, sumCharged } from './bill-case.ts';
import type { CostLine } from './cost-line.ts';
import { countedLines, showQuantity } from './counted-line.ts';
import type { RatedPeriod } from './rated-period.ts';

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

/** Lines for what the service does not tell, such as storage. */
function freeLines(bill: BillCase): CostLine[] {
  return ofAccount(bill, bill.book.lines).flatMap(line => {
    const { name, currency, sharedBy, quantity: all, time } = line;
    const quantity = inPeriod(amountOf(all ?? line.amount), time, bill.period);
    const amount = all === undefined ? quantity : timesRate(quantity, line.price);
    if (isNothing(amount)) return [];
    const counted = all !== undefined && {
      quantity: { value: showQuantity(quantity), unit: line.unit },
      price: { list: line.price, discounted: line.price },
    };
    const shared = sharedBy && { sharedBy };
    return [chargeLine(bill, { kind: 'line', name, currency, amount, ...counted, ...shared })];
  });
}

/** Amounts that are added to an invoice, then credits, which take off at most what is charged. */
function adjustmentLines(bill: BillCase, charged: () => readonly CostLine[]): CostLine[] {
  const lines: CostLine[] = [];
  for (const kind of ['adjustment', 'credit'] as const) {
    for (const adjustment of ofAccount(bill, bill.book.adjustments)) {
      if (adjustment.kind !== kind) continue;
      const { name, currency, time } = adjustment;
      const written = inPeriod(amountOf(adjustment.amount), time, bill.period);
      const amount =
        kind === 'credit' && !isNothing(written)
          ? takenOff(written, sumCharged([...charged(), ...lines], currency))
          : written;
      if (!isNothing(amount)) lines.push(chargeLine(bill, { kind, name, currency, amount }));
    }
  }
  return lines;
}

/** The taxes of a billing period: all that hold at its last instant. */
function taxesOf(bill: BillCase): readonly (Adjustment & { readonly kind: 'tax' })[] {
  const isDue = (each: Adjustment) => each.kind === 'tax' && holdsAt(each, bill.period.untilAt - 1);
  return ofAccount(bill, bill.book.adjustments).filter(
    (each): each is Adjustment & { readonly kind: 'tax' } => isDue(each),
  );
}

function ofAccount<Charge extends { readonly account?: string }>(
  bill: BillCase,
  charges: readonly Charge[] = [],
): readonly Charge[] {
  return charges.filter(({ account = bill.account }) => account === bill.account);
}

/** The part of an amount for the time in which it holds, or all of it in the period of its day. */
function inPeriod(amount: Amount, { onAt, ...dated }: ChargeTime, period: Period): Amount {
  const { fromAt, untilAt } = period;
  if (onAt !== undefined) return fromAt <= onAt && onAt < untilAt ? amount : noAmount;
  return partOfAmount(amount, lengthOf(sharedTime([timeOf(dated)], [period])), untilAt - fromAt);
}

function takenOff(credit: Amount, charged: Amount): Amount {
  if (compareAmounts(charged, noAmount) <= 0) return noAmount;
  return negateAmount(minAmount(credit, charged));
}

/** What rounding the lines of an invoice one by one adds or takes, by currency, once the billing period is over. */
function roundingLines(bill: BillCase, lines: readonly CostLine[]): CostLine[] {
  const { rounding } = bill.book;
  if (rounding === undefined || !isOver(bill)) return [];
  const invoiceLines = Map.groupBy(lines.entries(), ([index, line]) => invoiceKey(line, index, rounding));
  const differences = new Map<string, Amount>();
  for (const members of invoiceLines.values()) {
    const [[, { charge }] = [0, {}]] = members as [number, Partial<CostLine>][];
    if (charge === undefined) continue;
    const { currency } = charge;
    const exact = sumCharged(
      members.map(([, line]) => line),
      currency,
    );
    const difference = subtractAmounts(roundInvoiced(exact, currency, rounding), exact);
    differences.set(currency, addAmounts(differences.get(currency) ?? noAmount, difference));
  }
  return [...differences].flatMap(([currency, amount]) =>
    isNothing(amount) ? [] : [chargeLine(bill, { kind: 'rounding', currency, amount })],
  );
}

/** A tax as the invoice has it: rounded once the billing period is over, where lines are. */
function roundTax(bill: BillCase, exact: Amount, currency: string): Amount {
  const { rounding } = bill.book;
  return rounding === undefined || !isOver(bill) ? exact : roundInvoiced(exact, currency, rounding);
}

function roundInvoiced(exact: Amount, currency: string, { currencies, decimals }: InvoiceRounding): Amount {
  return roundAmount(exact, currencies?.[currency] ?? decimals);
}

function isOver({ period, asOf }: BillCase): boolean {
  return period.untilAt <= asOf;
}

/** Usage, each metered thing and allowances are one line of the invoice for each plan, price and tier, and project where it says so. */
function invoiceKey(
  { kind, plan, name, tier, charge, project }: CostLine,
  index: number,
  { line }: InvoiceRounding,
): string {
  const own = kind === 'usage' || kind === 'allowance' ? undefined : kind === 'metered' ? name : index;
  const { list, discounted } = charge?.price ?? {};
  const of = line === 'project' ? project?.project_ref : undefined;
  return JSON.stringify([kind, plan, tier, charge?.currency, list, discounted, of, own]);
}

/**
 * The charges of an account for a plan beside its usage: allowances, the rest of the minimum once the period is over, the
 * base fee, and counted things. Nothing where the plan had no price, or no project of it existed by then.
 */
function planCharges(bill: BillCase, rated: RatedPeriod): CostLine[] {
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

function isCharged({ ledger, asOf, period }: BillCase, rated: RatedPeriod): boolean {
  const { assignment, segments, inForce } = rated;
  const { account, projects } = assignment;
  const priced = segments.filter(({ tiers }) => tiers.length > 0);
  if (sharedTime(priced, inForce).length === 0) return false;
  const knownFromAt = ledger.knownFrom(account) ?? Number.POSITIVE_INFINITY;
  return projects.some(project =>
    assignment.stretchesOf(project.project_ref).some(stretch => {
      const { fromAt, untilAt } = clip(stretch, period);
      const soFar = { fromAt, untilAt: Math.min(untilAt, asOf) };
      return fromAt < untilAt && wasThere(project, soFar, knownFromAt);
    }),
  );
}

/** Compute for an amount of money is taken off, as far as there is any. */
function allowanceLines(
  bill: BillCase,
  { assignment: { plan }, allowance }: RatedPeriod,
  used: () => readonly CostLine[],
): CostLine[] {
  if (allowance === undefined || isNothing(allowance.amount)) return [];
  const takeOff = (lines: readonly CostLine[], project?: UsageProject): CostLine[] => {
    const amount = minAmount(allowance.amount, sumCharged(lines, plan.currency));
    if (isNothing(amount)) return [];
    const facts = { kind: 'allowance', plan: plan.name, currency: plan.currency } as const;
    return [chargeLine(bill, { ...facts, amount: negateAmount(amount), ...(project && { project }) })];
  };
  if (allowance.per === 'account') return takeOff(used());
  const byProject = Map.groupBy(used(), ({ project }) => project);
  return [...byProject].flatMap(([project, lines]) => takeOff(lines, project));
}

function minimumLines(bill: BillCase, rated: RatedPeriod, charged: () => Amount): CostLine[] {
  const { plan } = rated.assignment;
  if (plan.minimum === undefined || bill.period.untilAt > bill.asOf) return [];
  const minimum = amountInPeriod(plan, datedAmounts(plan.minimum), rated);
  const amount = subtractAmounts(minimum, charged());
  if (compareAmounts(amount, noAmount) <= 0) return [];
  return [chargeLine(bill, { kind: 'minimum', plan: plan.name, currency: plan.currency, amount })];
}

function baseFeeLines(bill: BillCase, rated: RatedPeriod): CostLine[] {
  const { plan } = rated.assignment;
  const amount = amountInPeriod(plan, datedAmounts(plan.baseFee), rated);
  if (isNothing(amount)) return [];
  return [chargeLine(bill, { kind: 'base_fee', plan: plan.name, currency: plan.currency, amount })];
}
