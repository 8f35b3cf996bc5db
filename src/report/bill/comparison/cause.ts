import { decimalsOf } from '../../../cost/money/decimal-sum.ts';
import {
  type Amount,
  addAmounts,
  amountOf,
  compareAmounts,
  isNothing,
  negateAmount,
  noAmount,
  subtractAmounts,
  sumAmounts,
  timesRate,
} from '../../../cost/money/money.ts';
import type { DecimalText } from '../../../resources/price-book.ts';
import type { BillItem } from './bill-item.ts';
import type { InvoiceLine } from './invoice-line.ts';

/** Why an invoice differs, in the order in which people are told. */
export const causes = [
  'not_modelled',
  'not_invoiced',
  'gap',
  'quantity',
  'price',
  'rounding',
  'not_metered',
] as const;
export type Cause = (typeof causes)[number];

/** Whether it makes a difference: what the service bills and does not meter could not be worked out. */
export function isDifference(cause: Cause): boolean {
  return cause !== 'not_metered';
}

/** The amount each cause adds to the invoice; those without a part are not there. */
export type CauseParts = ReadonlyMap<Cause, Amount>;

/** Lines of an invoice beside what is the same of ours. */
export interface Sides {
  readonly lines: readonly InvoiceLine[];
  readonly items: readonly BillItem[];
}

/** The same with all that tells why they differ. */
export interface Pairing extends Sides {
  /** Hours that gaps in observation can hide at most; absent where nothing bounds them. */
  readonly hiddenAtMost?: Amount;
  /** Decimals the currency is written with. */
  readonly decimals: number;
}

/** Splits the difference of a pairing by what causes it: the parts add up to it exactly. */
export function splitDifference(pairing: Pairing): CauseParts {
  const parts = new Map<Cause, Amount>();
  const add = (cause: Cause, amount: Amount) => {
    if (!isNothing(amount)) parts.set(cause, addAmounts(parts.get(cause) ?? noAmount, amount));
  };
  const difference = differenceOf(pairing);
  const known = quantitiesOf(pairing);
  if (known === undefined) {
    add(isWithin(difference, roundingOf(pairing)) ? 'rounding' : 'price', difference);
    return parts;
  }
  const price = referencePrice(pairing, difference, known);
  const more = subtractAmounts(known.invoiced, known.ours);
  const byQuantity = timesRate(more, price);
  if (isWithin(more, known.rounding)) add('rounding', byQuantity);
  else {
    const hidden = hiddenIn(pairing);
    add('gap', timesRate(hidden, price));
    add('quantity', timesRate(subtractAmounts(more, hidden), price));
  }
  const rest = subtractAmounts(difference, byQuantity);
  const byPrice = priceDifference(pairing, price);
  const last = subtractAmounts(rest, byPrice);
  add('price', byPrice);
  add(isWithin(last, roundingOf(pairing)) ? 'rounding' : 'price', last);
  return parts;
}

/** Hours of the invoice that gaps in observation can have hidden. */
export function hiddenIn(pairing: Pairing): Amount {
  const known = quantitiesOf(pairing);
  if (known === undefined) return noAmount;
  const more = subtractAmounts(known.invoiced, known.ours);
  if (isWithin(more, known.rounding) || !isAbove(more, noAmount)) return noAmount;
  return lesser(more, pairing.hiddenAtMost);
}

/** The amount by which the invoice is more than ours. */
export function differenceOf({ lines, items }: Sides): Amount {
  return subtractAmounts(
    sumAmounts(lines.map(line => amountOf(line.amount))),
    sumAmounts(items.map(item => item.amount)),
  );
}

/** Without its sign. */
export function sizeOf(amount: Amount): Amount {
  return isAbove(noAmount, amount) ? negateAmount(amount) : amount;
}

/** The most that rounding the amounts of the lines can come to. */
export function roundingOf({ lines, decimals }: Pick<Pairing, 'lines' | 'decimals'>): Amount {
  return sumAmounts(lines.map(({ amount }) => halfUnit(Math.max(decimals, decimalsOf(amount)))));
}

export function isWithin(amount: Amount, most: Amount): boolean {
  return compareAmounts(sizeOf(amount), most) <= 0;
}

interface Quantities {
  readonly invoiced: Amount;
  readonly ours: Amount;
  /** The most that rounding the quantities of the invoice can come to. */
  readonly rounding: Amount;
}

/** Undefined where a line or an item has none. */
function quantitiesOf({ lines, items }: Sides): Quantities | undefined {
  const invoiced = lines.flatMap(({ quantity }) => quantity ?? []);
  const ours = items.flatMap(({ quantity }) => quantity ?? []);
  if (invoiced.length < lines.length || ours.length < items.length) return undefined;
  if (pricesOf({ lines, items }).length === 0) return undefined;
  return {
    invoiced: sumAmounts(invoiced.map(quantity => amountOf(quantity))),
    ours: sumAmounts(ours),
    rounding: sumAmounts(invoiced.map(quantity => halfUnit(decimalsOf(quantity)))),
  };
}

/** Our prices, or those of the invoice where we have none. */
function pricesOf({ lines, items }: Sides): readonly DecimalText[] {
  const ours = items.flatMap(({ price }) => price ?? []);
  return ours.length > 0 ? ours : lines.flatMap(({ unitPrice }) => unitPrice ?? []);
}

/** Of several prices the one by which least is left to explain. */
function referencePrice(pairing: Sides, difference: Amount, { invoiced, ours }: Quantities): DecimalText {
  const more = subtractAmounts(invoiced, ours);
  const left = (price: DecimalText) => sizeOf(subtractAmounts(difference, timesRate(more, price)));
  return pricesOf(pairing).reduce((best, price) =>
    compareAmounts(left(price), left(best)) < 0 ? price : best,
  );
}

/** What the prices that an invoice names add, where we have one price alone. */
function priceDifference({ lines, items }: Sides, price: DecimalText): Amount {
  if (new Set(items.map(item => item.price)).size > 1) return noAmount;
  return sumAmounts(
    lines.map(({ quantity = '0', unitPrice = price }) =>
      subtractAmounts(timesRate(amountOf(quantity), unitPrice), timesRate(amountOf(quantity), price)),
    ),
  );
}

/** The most that rounding to this number of decimals can come to. */
export function halfUnit(places: number): Amount {
  return amountOf(`0.${'0'.repeat(places)}5`);
}

function lesser(amount: Amount, most: Amount | undefined): Amount {
  return most === undefined || isAbove(most, amount) ? amount : most;
}

function isAbove(amount: Amount, other: Amount): boolean {
  return compareAmounts(amount, other) > 0;
}
