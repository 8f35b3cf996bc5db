import {
  type Amount,
  amountOf,
  amountOfUse,
  compareAmounts,
  currencyDecimals,
  noAmount,
  showAmount,
  sumAmounts,
} from '../cost/money/money.ts';
import type { CostLine } from '../cost/rating/cost-line.ts';
import { sumLines } from '../cost/rating/cost-line.ts';
import type { Costing } from '../cost/rating/costing.ts';
import type { PriceBook } from '../resources/price-book.ts';
import { type Billed, type BillLine, billLineColumns } from './column/bill-line.ts';
import { type ReportContent, type ReportSubject, titleOf } from './content.ts';
import { showCosts } from './format/cost-text.ts';
import { tabulate } from './format/report.ts';
import { describeMinimums } from './minimum-note.ts';
import { describeMoney } from './money-note.ts';
import { nameCharge, noScope } from './row/scope.ts';
import { knownCharges, priceUse, type ScopedCost } from './row/scoped-cost.ts';
import { cutSubject } from './row/step.ts';

/** The line of totals. */
const nothingBilled: Billed = {
  ...{ line: '', plan: '', tier: '', quantity: '', unit: '', included: '', price: '' },
};

/** Decimals of quantities. */
const decimals = 2;

/** The report of the lines of bills, as an invoice has them: what was billed of each, at which price, and what it costs. */
export function reportBillLines(subject: ReportSubject, book: PriceBook): ReportContent {
  const costing = priceUse(subject, book);
  const steps = cutSubject(subject).map(step => gatherLines(step, costing));
  const lines = nameCurrencies(steps.flatMap(step => step.lines));
  const charges = steps.flatMap(step => step.charges);
  const shown = showCosts(lines, currencyDecimals(book.displayCurrency));
  const sums = lines.map(({ sum }) => sum);
  const { notes, gaps } = describeMoney(subject, book, costing, sums);
  return {
    title: titleOf('Cost', subject.request),
    currency: book.displayCurrency,
    ...tabulate<BillLine>(
      [...subject.rule.columns, ...billLineColumns],
      lines.map(({ scope, billed }, index) => ({ scope, ...billed, cost: shown.cells[index] })),
      { scope: noScope, ...nothingBilled, cost: shown.total },
    ),
    notes: [...notes, ...describeMinimums(subject, book, charges)],
    gaps,
  };
}

/** A line before its cost is rounded. */
interface GatheredLine extends ScopedCost {
  readonly billed: Billed;
  /** Absent where there is no price. */
  readonly currency: string | undefined;
}

/** The lines of a step, the dearest first, and the charges that are among them. */
function gatherLines(subject: ReportSubject, costing: Costing) {
  const charges = knownCharges(subject, costing);
  const used = [...costing.usageLines(subject.request.span), ...charges];
  const lines = [...Map.groupBy(used, keyOf).values()].map(members => describe(subject, members));
  return { lines: lines.toSorted((a, b) => compareAmounts(b.sum.amount, a.sum.amount)), charges };
}

/** Lines that differ in their currency alone, such as taxes of one name, are named with it. */
function nameCurrencies(lines: readonly GatheredLine[]): GatheredLine[] {
  const nameOf = ({ scope, billed: { line, plan, tier, price } }: GatheredLine) =>
    JSON.stringify([scope.cells.account, line, plan, tier, price]);
  const byName = Map.groupBy(lines, nameOf);
  return lines.map(line => {
    const currencies = new Set(byName.get(nameOf(line))?.map(({ currency }) => currency));
    if (currencies.size < 2 || line.currency === undefined) return line;
    return { ...line, billed: { ...line.billed, line: `${line.billed.line}, ${line.currency}` } };
  });
}

function keyOf({ kind, account, plan, name, tier, charge, quantity }: CostLine): string {
  const price = charge?.price?.discounted;
  return JSON.stringify([account, kind, name, plan, tier, price, charge?.currency, quantity?.unit]);
}

/** @param members what is one line of the invoice. */
function describe({ rule }: ReportSubject, members: readonly CostLine[]): GatheredLine {
  const [first] = members;
  if (first === undefined) throw new Error('a line of a bill consists of some');
  const sum = sumLines(members);
  const { account, plan = '', tier, charge } = first;
  const price = charge?.price?.discounted;
  return {
    scope: rule.inStep({ key: keyOf(first), cells: { account } }),
    sum,
    currency: charge?.currency,
    billed: {
      line: first.kind === 'usage' ? 'compute' : nameCharge(first).replaceAll('_', ' '),
      ...{ plan, tier },
      ...describeQuantity(members, sum),
      price: price === undefined ? '' : `${price} ${charge?.currency}`,
    },
  };
}

function describeQuantity(
  members: readonly CostLine[],
  { billedCuMs, unpricedCuMs, includedCuMs }: ScopedCost['sum'],
): Pick<Billed, 'quantity' | 'unit' | 'included'> {
  const [{ kind, quantity } = { kind: 'line', quantity: undefined }] = members;
  if (kind === 'usage') {
    const billed = showAmount(amountOfUse(billedCuMs + unpricedCuMs), decimals);
    return { quantity: billed, unit: 'compute-hour', included: showFree(amountOfUse(includedCuMs)) };
  }
  if (quantity === undefined) return { quantity: undefined, unit: '', included: undefined };
  const add = (of: 'value' | 'included') =>
    sumAmounts(members.map(line => amountOf(line.quantity?.[of] ?? '0')));
  return {
    quantity: showAmount(add('value'), decimals),
    unit: quantity.unit,
    included: showFree(add('included')),
  };
}

function showFree(included: Amount): string | undefined {
  return compareAmounts(included, noAmount) > 0 ? showAmount(included, decimals) : undefined;
}
