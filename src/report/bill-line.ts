import {
  type Amount,
  addAmounts,
  amountOf,
  amountOfUse,
  compareAmounts,
  currencyDecimals,
  noAmount,
  showAmount,
} from '../cost/money/money.ts';
import type { CostLine } from '../cost/rating/cost-line.ts';
import { sumLines } from '../cost/rating/cost-line.ts';
import type { Costing } from '../cost/rating/costing.ts';
import type { PriceBook } from '../resources/price-book.ts';
import { findAcceptedUse } from './accepted-gap.ts';
import { type ReportContent, type ReportSubject, titleOf } from './content.ts';
import { describeUnknown, showCosts } from './format/cost-text.ts';
import type { Column, ReportRow } from './format/report.ts';
import { describeLedgers } from './ledger-note.ts';
import { describeMinimums, describeUnreadMinimums } from './minimum-note.ts';
import { nameCharge } from './row/scope.ts';
import { type GatheredCosts, knownCharges, priceUse, type ScopedCost } from './row/scoped-cost.ts';
import { cutSubject } from './row/step.ts';
import { describeUnpricedThings } from './unpriced-thing.ts';

const columns: readonly Column[] = [
  { key: 'line', kind: 'text' },
  { key: 'plan', kind: 'text' },
  { key: 'tier', kind: 'count' },
  { key: 'quantity', kind: 'decimal' },
  { key: 'unit', kind: 'text' },
  { key: 'included', kind: 'decimal' },
  { key: 'price', kind: 'text' },
  { key: 'cost', kind: 'decimal' },
];

/** Decimals of quantities. */
const decimals = 2;

/** The report of the lines of bills, as an invoice has them: what was billed of each, at which price, and what it costs. */
export function reportBillLines(subject: ReportSubject, book: PriceBook): ReportContent {
  const costing = priceUse(subject, book);
  const steps = cutSubject(subject).map(step => gatherLines(step, costing));
  const sorted = steps.flatMap(({ costs }) => costs);
  const charges = steps.flatMap(step => step.charges);
  const own = [...subject.rule.columns, ...columns];
  const shown = showCosts(sorted, currencyDecimals(book.displayCurrency));
  const accepted = findAcceptedUse(subject, book);
  return {
    title: titleOf('Cost', subject.request),
    currency: book.displayCurrency,
    columns: own,
    rows: sorted.map(({ scope }, index) => [...scope.cells, shown.cells[index]]),
    totals: ['total', ...own.slice(2).map(() => ''), shown.total],
    notes: [
      ...describeLedgers(subject, book),
      ...describeUnpricedThings(costing, subject.request, book),
      ...accepted.notes,
      ...describeMinimums(subject, book, charges),
    ],
    gaps: [...describeUnknown(sorted, accepted.cuMs), ...describeUnreadMinimums(subject, book)],
  };
}

/** The lines of a step, the dearest first, and the charges that are among them. */
function gatherLines(subject: ReportSubject, costing: Costing): GatheredCosts {
  const charges = knownCharges(subject, costing);
  const lines = [...costing.usageLines(subject.request.span), ...charges];
  const costs = [...Map.groupBy(lines, keyOf).values()].map(members => {
    const { scope, sum } = describe(members);
    return { scope: subject.rule.inStep(scope), sum };
  });
  return { costs: costs.toSorted((a, b) => compareAmounts(b.sum.amount, a.sum.amount)), charges };
}

function keyOf({ kind, account, plan, name, tier, charge, quantity }: CostLine): string {
  const price = charge?.price?.discounted;
  return JSON.stringify([account, kind, name, plan, tier, price, charge?.currency, quantity?.unit]);
}

/** @param members what is one line of the invoice. */
function describe(members: readonly CostLine[]): ScopedCost {
  const [first] = members;
  if (first === undefined) throw new Error('a line of a bill consists of some');
  const sum = sumLines(members);
  const { account, plan = '', tier, charge } = first;
  const price = charge?.price?.discounted;
  const cells: ReportRow = [
    account,
    first.kind === 'usage' ? 'compute' : nameCharge(first).replaceAll('_', ' '),
    plan,
    tier,
    ...quantityCells(members, sum),
    price === undefined ? '' : `${price} ${charge?.currency}`,
  ];
  return { scope: { key: keyOf(first), cells }, sum };
}

function quantityCells(members: readonly CostLine[], sum: ScopedCost['sum']): ReportRow {
  const [{ kind, quantity } = { kind: 'line', quantity: undefined }] = members;
  if (kind === 'usage') {
    const billed = amountOfUse(sum.billedCuMs + sum.unpricedCuMs);
    return [showAmount(billed, decimals), 'compute-hour', showFree(amountOfUse(sum.includedCuMs))];
  }
  if (quantity === undefined) return [undefined, '', undefined];
  const add = (of: 'value' | 'included') =>
    members.map(line => amountOf(line.quantity?.[of] ?? '0')).reduce(addAmounts, noAmount);
  return [showAmount(add('value'), decimals), quantity.unit, showFree(add('included'))];
}

function showFree(included: Amount): string | undefined {
  return compareAmounts(included, noAmount) > 0 ? showAmount(included, decimals) : undefined;
}
