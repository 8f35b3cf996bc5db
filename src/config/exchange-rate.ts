import * as v from 'valibot';
import type { ExchangeRate } from '../resources/price-book.ts';
import type { Problem } from './problem.ts';
import { group, isListOrNothing, list, type Placed, placed, problemCheck, type Schema } from './schema.ts';
import { currency, date, decimalAboveZero, renderDate } from './spending-schema.ts';
import { nodeProblem, type WrittenNode } from './written-node.ts';

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
