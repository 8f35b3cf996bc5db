import type { ExchangeRate } from '../resources/price-book.ts';
import { group, list, type NodeKind, nodeProblem, type Placed, placed } from './node-kind.ts';
import type { Problem } from './problem.ts';
import { currency, date, decimalAboveZero, renderDate } from './spending-kind.ts';
import type { WrittenNode } from './written-node.ts';

const several = list(
  'write a list of rates, each after a "- "',
  placed(group('write currency, from and rate', { currency, from: date, rate: decimalAboveZero }, {})),
  'any number',
);

/** By currency in order of time, none for the same day as another. */
export const exchangeRates: NodeKind<readonly Placed<ExchangeRate>[]> = {
  expected: several.expected,
  read: (node, problems) => {
    const rates = several.read(node, problems)?.map(({ value: { from, ...rate }, node: place }) => ({
      value: { ...rate, fromAt: from },
      node: place,
    }));
    problems.push(...findRepeatedDates(rates ?? []));
    return rates?.toSorted(
      ({ value: one }, { value: other }) =>
        Number(one.currency > other.currency) - Number(one.currency < other.currency) ||
        one.fromAt - other.fromAt,
    );
  },
};

function findRepeatedDates(rates: readonly Placed<ExchangeRate>[]): Problem[] {
  const seen = new Map<string, WrittenNode>();
  return rates.flatMap(({ value, node }) => {
    const what = `rate of ${value.currency} from ${renderDate(value.fromAt)}`;
    const earlier = seen.get(what);
    if (earlier === undefined) seen.set(what, node);
    const found = `a second ${what}, after that of ${earlier?.where}`;
    return earlier === undefined ? [] : [nodeProblem(node, found, 'keep one of the two')];
  });
}
