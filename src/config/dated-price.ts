import * as v from 'valibot';
import type { DatedPrice, ExchangeRate, HigherTier } from '../resources/price-book.ts';
import { datedList, findWrongEnd } from './dated-entry.ts';
import type { Problem } from './problem.ts';
import {
  anything,
  group,
  isListOrNothing,
  list,
  type Placed,
  placed,
  problemCheck,
  type Schema,
} from './schema.ts';
import { currency, date, decimal, decimalAboveZero, percent, renderDate } from './spending-schema.ts';
import { childOf, nodeProblem, type WrittenNode } from './written-node.ts';

const dates = { from: date, to: v.exactOptional(date) };
const discount = { discount_percent: v.exactOptional(percent) };
const priceAdvice = 'write from and per_compute_hour';

interface WrittenTier {
  readonly up_to?: string;
  readonly per_compute_hour: string;
}

const tiers: Schema<Placed<WrittenTier>[]> = v.pipe(
  list(
    'write a list of tiers, such as [{up_to: 1000, per_compute_hour: 0.15}, {per_compute_hour: 0.12}]',
    placed(
      group('write up_to and per_compute_hour', {
        per_compute_hour: decimal,
        up_to: v.exactOptional(decimalAboveZero),
      }),
    ),
  ),
  problemCheck(findWrongTiers),
);

/** Each tier but the last ends after the one before it; the last has no end. */
function findWrongTiers(written: Placed<WrittenTier>[]): Problem[] {
  return written.flatMap(({ node, value: { up_to } }, index) => {
    const before = written[index - 1]?.value.up_to;
    const place = childOf(node, 'up_to') ?? node;
    if (index === written.length - 1) {
      const expected = 'leave it out: the last tier is for all use beyond the others';
      return up_to === undefined ? [] : [nodeProblem(place, 'an end of the last tier', expected)];
    }
    if (up_to === undefined) {
      const found = 'a tier without up_to before another one';
      return [nodeProblem(node, found, 'write up_to, the compute hours at which it ends')];
    }
    if (before === undefined || Number(up_to) > Number(before)) return [];
    return [nodeProblem(place, `${up_to}, after a tier up to ${before}`, `write more than ${before}`)];
  });
}

/** A price before its dates become instants. */
interface ReadPrice extends Omit<DatedPrice, 'fromAt' | 'untilAt'> {
  readonly from: number;
  readonly to?: number;
}

const flatPrice: Schema<ReadPrice> = v.pipe(
  group(priceAdvice, { ...dates, per_compute_hour: decimal, tiers: v.exactOptional(anything), ...discount }),
  v.transform(({ per_compute_hour, discount_percent = '0', from, to }) => {
    const end = to !== undefined && { to };
    return { from, ...end, perComputeHour: per_compute_hour, discountPercent: discount_percent };
  }),
);

const tieredPrice: Schema<ReadPrice> = v.pipe(
  placed(group(priceAdvice, { ...dates, tiers, per_compute_hour: v.exactOptional(anything), ...discount })),
  problemCheck(({ node }) => {
    const beside = childOf(node, 'per_compute_hour');
    const expected = 'keep one of per_compute_hour and tiers';
    return beside === undefined ? [] : [nodeProblem(beside, 'it beside tiers', expected)];
  }),
  v.transform(({ value: { tiers: written, discount_percent = '0', from, to } }): ReadPrice => {
    const higher = written.slice(1).map(({ value }, index): HigherTier => {
      return { beyondHours: written[index]?.value.up_to ?? '0', perComputeHour: value.per_compute_hour };
    });
    return {
      from,
      ...(to !== undefined && { to }),
      perComputeHour: written[0]?.value.per_compute_hour ?? '0',
      discountPercent: discount_percent,
      ...(higher.length > 0 && { tiers: higher }),
    };
  }),
);

const price: Schema<Placed<DatedPrice>> = v.pipe(
  placed(
    v.lazy(
      (input): Schema<ReadPrice> =>
        childOf(input as WrittenNode, 'tiers') === undefined ? flatPrice : tieredPrice,
    ),
  ),
  problemCheck(({ node, value }) => findWrongEnd(node, value)),
  v.transform(({ node, value: { from, to, ...rest } }): Placed<DatedPrice> => {
    return { node, value: { fromAt: from, ...(to !== undefined && { untilAt: to }), ...rest } };
  }),
);

/** The prices of a plan in order of time, none overlapping another: one without an end holds until the next begins. */
export const datedPrices = datedList('price', 'write a list of prices, each after a "- "', price);

/** Exchange rates by currency in order of time, none for the same day as another. */
export const exchangeRates: Schema<Placed<ExchangeRate>[]> = v.pipe(
  list(
    'write a list of rates, each after a "- "',
    placed(group('write currency, from and rate', { currency, from: date, rate: decimalAboveZero })),
    isListOrNothing,
  ),
  v.transform(rates =>
    rates.map(({ value: { from, ...rate }, node }) => ({ value: { ...rate, fromAt: from }, node })),
  ),
  problemCheck(findRepeatedDates),
  v.transform(rates =>
    rates.toSorted(
      ({ value: one }, { value: other }) =>
        Number(one.currency > other.currency) - Number(one.currency < other.currency) ||
        one.fromAt - other.fromAt,
    ),
  ),
);

function findRepeatedDates(rates: Placed<ExchangeRate>[]): Problem[] {
  const seen = new Map<string, WrittenNode>();
  return rates.flatMap(({ value, node }) => {
    const rate = `rate of ${value.currency} from ${renderDate(value.fromAt)}`;
    const earlier = seen.get(rate);
    if (earlier === undefined) seen.set(rate, node);
    const found = `a second ${rate}, after that of ${earlier?.where}`;
    return earlier === undefined ? [] : [nodeProblem(node, found, 'keep one of the two')];
  });
}
