import type { DatedPrice } from '../resources/price-book.ts';
import { group, list, type NodeKind, nodeProblem, type Placed, placed } from './node-kind.ts';
import type { Problem } from './problem.ts';
import { date, decimal, percent, renderDate } from './spending-kind.ts';
import { childOf, type WrittenNode } from './written-node.ts';

const written = group(
  'write from and per_compute_hour',
  { from: date, per_compute_hour: decimal },
  { to: date, discount_percent: percent },
);

const price: NodeKind<DatedPrice> = {
  expected: written.expected,
  read: (node, problems) => {
    const value = written.read(node, problems);
    if (value === undefined) return undefined;
    const { from, to, per_compute_hour, discount_percent = '0' } = value;
    if (to !== undefined && to <= from) {
      const found = `${renderDate(to)}, which is not after from: ${renderDate(from)}`;
      problems.push(
        nodeProblem(childOf(node, 'to') ?? node, found, 'write the first day it no longer holds'),
      );
      return undefined;
    }
    return {
      fromAt: from,
      ...(to !== undefined && { untilAt: to }),
      perComputeHour: per_compute_hour,
      discountPercent: discount_percent,
    };
  },
};

const several = list('write a list of prices, each after a "- "', placed(price));

/** The prices of a plan in order of time, none overlapping another: one without an end holds until the next begins. */
export const datedPrices: NodeKind<readonly Placed<DatedPrice>[]> = {
  expected: several.expected,
  read: (node, problems) => {
    const prices = several
      .read(node, problems)
      ?.toSorted((one, other) => one.value.fromAt - other.value.fromAt);
    if (prices === undefined) return undefined;
    problems.push(...findOverlaps(prices));
    return prices.map(({ value, node: place }, index) => {
      const next = prices[index + 1]?.value.fromAt;
      const untilAt = value.untilAt ?? next;
      return { value: { ...value, ...(untilAt !== undefined && { untilAt }) }, node: place };
    });
  },
};

/** A problem for each price that begins before one that began earlier has ended. */
function findOverlaps(prices: readonly Placed<DatedPrice>[]): Problem[] {
  const problems: Problem[] = [];
  let [longest] = prices;
  for (const { value, node } of prices.slice(1)) {
    if (longest === undefined) break;
    const { fromAt, untilAt } = longest.value;
    if (value.fromAt === fromAt) problems.push(describeSameStart(node, longest.node, fromAt));
    else if (untilAt !== undefined && untilAt > value.fromAt) {
      const ends = renderDate(untilAt);
      const begins = renderDate(value.fromAt);
      const found = `a price from ${begins}, while that of ${longest.node.where} holds from ${renderDate(fromAt)} to ${ends}`;
      problems.push(nodeProblem(node, found, `write from: ${ends} here or to: ${begins} there`));
    }
    if (untilAt === undefined || (value.untilAt ?? Number.POSITIVE_INFINITY) >= untilAt) {
      longest = { value, node };
    }
  }
  return problems;
}

function describeSameStart(node: WrittenNode, other: WrittenNode, fromAt: number): Problem {
  const found = `a second price from ${renderDate(fromAt)}, after that of ${other.where}`;
  return nodeProblem(node, found, 'keep one of the two');
}
