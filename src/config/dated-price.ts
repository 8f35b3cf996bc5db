import * as v from 'valibot';
import type { DatedPrice, ExchangeRate } from '../resources/price-book.ts';
import type { Problem } from './problem.ts';
import { group, isListOrNothing, list, type Placed, placed, problemCheck, type Schema } from './schema.ts';
import { currency, date, decimal, decimalAboveZero, percent, renderDate } from './spending-schema.ts';
import { childOf, nodeProblem, type WrittenNode } from './written-node.ts';

const price = v.pipe(
  placed(
    group('write from and per_compute_hour', {
      from: date,
      per_compute_hour: decimal,
      to: v.exactOptional(date),
      discount_percent: v.exactOptional(percent),
    }),
  ),
  problemCheck(({ node, value: { from, to } }) => {
    if (to === undefined || to > from) return [];
    const found = `${renderDate(to)}, which is not after from: ${renderDate(from)}`;
    return [nodeProblem(childOf(node, 'to') ?? node, found, 'write the first day it no longer holds')];
  }),
  v.transform(
    ({ node, value: { from, to, per_compute_hour, discount_percent = '0' } }): Placed<DatedPrice> => {
      const end = to !== undefined && { untilAt: to };
      return {
        node,
        value: { fromAt: from, ...end, perComputeHour: per_compute_hour, discountPercent: discount_percent },
      };
    },
  ),
);

/** The prices of a plan in order of time, none overlapping another: one without an end holds until the next begins. */
export const datedPrices: Schema<Placed<DatedPrice>[]> = v.pipe(
  list('write a list of prices, each after a "- "', price),
  v.transform(prices => prices.toSorted((one, other) => one.value.fromAt - other.value.fromAt)),
  problemCheck(findOverlaps),
  v.transform(prices =>
    prices.map(({ value, node }, index) => {
      const untilAt = value.untilAt ?? prices[index + 1]?.value.fromAt;
      return { node, value: { ...value, ...(untilAt !== undefined && { untilAt }) } };
    }),
  ),
  v.description('write a list of prices, each after a "- "'),
);

/** A problem for each price that begins before one that began earlier has ended. */
function findOverlaps(prices: Placed<DatedPrice>[]): Problem[] {
  const problems: Problem[] = [];
  let [longest] = prices;
  for (const { value, node } of prices.slice(1)) {
    if (longest === undefined) break;
    const { fromAt, untilAt } = longest.value;
    const begins = renderDate(value.fromAt);
    if (value.fromAt === fromAt) {
      const found = `a second price from ${begins}, after that of ${longest.node.where}`;
      problems.push(nodeProblem(node, found, 'keep one of the two'));
    } else if (untilAt !== undefined && untilAt > value.fromAt) {
      const ends = renderDate(untilAt);
      const found = `a price from ${begins}, while that of ${longest.node.where} holds from ${renderDate(fromAt)} to ${ends}`;
      problems.push(nodeProblem(node, found, `write from: ${ends} here or to: ${begins} there`));
    }
    if (untilAt === undefined || (value.untilAt ?? Number.POSITIVE_INFINITY) >= untilAt) {
      longest = { value, node };
    }
  }
  return problems;
}

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
