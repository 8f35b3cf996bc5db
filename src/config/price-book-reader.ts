import * as v from 'valibot';
import type { BillingPeriod, PriceBook, PricePlan } from '../resources/price-book.ts';
import { datedPrices, exchangeRates } from './dated-price.ts';
import { planMatch } from './grouping-reader.ts';
import { readNode } from './node-reader.ts';
import { type PlacedPlan, warnOfPriceBook } from './price-warning.ts';
import type { Problem } from './problem.ts';
import { group, isListOrNothing, list, placed, type Schema, single } from './schema.ts';
import { currency, date, decimal, spendingName, wholeNumber } from './spending-schema.ts';
import { duration } from './value-schema.ts';
import {
  childOf,
  findRepeatedNames,
  itemsOf,
  namesOf,
  nodeProblem,
  type WrittenNode,
} from './written-node.ts';

export interface PriceBookReading {
  /** As `team/platform`. */
  readonly groupNames: readonly string[];
  readonly now: number;
  readonly problems: Problem[];
  readonly warnings: Problem[];
}

const periodAdvice = 'write month, {anchor_day: 15} or {hours: 744, from: 2026-01-01}';
const month: BillingPeriod = { kind: 'month', anchorDay: 1 };

const monthlyPeriod: Schema<BillingPeriod> = single(
  periodAdvice,
  v.pipe(
    v.literal('month'),
    v.transform(() => month),
  ),
);

const anchoredPeriod: Schema<BillingPeriod> = v.pipe(
  group(periodAdvice, { anchor_day: wholeNumber('write a day of the month, 1 to 31', 1, 31) }),
  v.transform(({ anchor_day }) => ({ kind: 'month' as const, anchorDay: anchor_day })),
);

const fixedPeriod: Schema<BillingPeriod> = v.pipe(
  group(periodAdvice, { hours: wholeNumber('write a number of hours, 24 to 8784', 24, 8784), from: date }),
  v.transform(({ hours, from }) => ({ kind: 'hours' as const, hours, anchorAt: from })),
);

const billingPeriod: Schema<BillingPeriod> = v.lazy(input => {
  const node = input as WrittenNode;
  if (node.kind !== 'group') return monthlyPeriod;
  return (childOf(node, 'hours') ?? childOf(node, 'from')) === undefined ? anchoredPeriod : fixedPeriod;
});

function planSchema(groupNames: readonly string[]) {
  const included = group('write compute_hours and per', {
    compute_hours: decimal,
    per: single('write account or project', v.picklist(['account', 'project'])),
  });
  return group('write name and prices', {
    name: spendingName,
    prices: datedPrices,
    match: v.exactOptional(planMatch(groupNames)),
    currency: v.exactOptional(currency),
    included: v.exactOptional(included),
    minimum: v.exactOptional(decimal),
    smallest_suspend_delay: v.exactOptional(duration({ atLeast: '1s', atMost: '7d', default: '5m' })),
  });
}

function pricingSchema(groupNames: readonly string[]) {
  const plans = list('write a list, each plan after a "- "', placed(planSchema(groupNames)), isListOrNothing);
  return group('write currency and plans below "pricing:", indented', {
    currency: v.exactOptional(currency),
    display_currency: v.exactOptional(currency),
    billing_period: v.exactOptional(billingPeriod),
    exchange_rates: v.exactOptional(exchangeRates),
    plans: v.exactOptional(plans),
  });
}

/** ISO 4217 for what is in no currency: a book without plans has no prices. */
const noCurrency = 'XXX';

/** The section `pricing`; undefined where there is none, or after adding to `problems` what is wrong with it. */
export function readPriceBook(
  node: WrittenNode | undefined,
  { groupNames, now, problems, warnings }: PriceBookReading,
): PriceBook | undefined {
  if (node === undefined || node.kind === 'nothing') return undefined;
  const read = readNode(pricingSchema(groupNames), node, problems);
  problems.push(...findRepeatedNames(namesOf(childOf(node, 'plans')), 'plan'), ...findWrongCurrencies(node));
  if (read === undefined) return undefined;
  const { display_currency, exchange_rates: rates = [] } = read;
  const displayCurrency = display_currency ?? read.currency ?? noCurrency;
  const plans = (read.plans ?? []).map(({ value, node: place }): PlacedPlan => {
    const plan = toPlan(value, read.currency ?? displayCurrency);
    return { value: plan, node: place, prices: value.prices };
  });
  warnings.push(...warnOfPriceBook({ plans, rates, displayCurrency, now }));
  return {
    displayCurrency,
    billingPeriod: read.billing_period ?? month,
    plans: plans.map(({ value }) => value),
    exchangeRates: rates.map(({ value }) => value),
  };
}

type WrittenPlan = v.InferOutput<ReturnType<typeof planSchema>>;

function toPlan(
  { match = {}, prices, included, smallest_suspend_delay: smallestSuspendDelayMs, ...plan }: WrittenPlan,
  usual: string,
): PricePlan {
  return {
    name: plan.name,
    match,
    currency: plan.currency ?? usual,
    prices: prices.map(({ value }) => value),
    ...(included && { included: { computeHours: included.compute_hours, per: included.per } }),
    ...(plan.minimum !== undefined && { minimum: plan.minimum }),
    ...(smallestSuspendDelayMs !== undefined && { smallestSuspendDelayMs }),
  };
}

/** Prices in no currency, in one that nothing changes into the displayed one, and rates that change nothing. */
function findWrongCurrencies(node: WrittenNode): Problem[] {
  const plans = itemsOf(childOf(node, 'plans'));
  const rates = itemsOf(childOf(node, 'exchange_rates'));
  if (childOf(node, 'currency') === undefined) {
    const expected = 'write the currency of the prices, such as "currency: USD"';
    const problem = { where: node.where, key: `${node.key}.currency`, found: 'nothing', expected };
    return plans.length > 0 ? [problem] : [];
  }
  const usual = currencyOf(node, 'currency');
  const shown = currencyOf(node, 'display_currency', usual);
  if (shown === undefined) return [];
  const changed = new Set(rates.map(rate => currencyOf(rate, 'currency')));
  const idle = rates
    .filter(rate => currencyOf(rate, 'currency') === shown)
    .map(rate =>
      nodeProblem(rate, `a rate of ${shown}, which is displayed`, 'write rates of other currencies'),
    );
  const unchanged = plans.flatMap(plan => {
    const own = currencyOf(plan, 'currency', usual);
    if (own === undefined || own === shown || changed.has(own)) return [];
    const found = `prices in ${own} without an exchange rate to ${shown}`;
    const expected = `write one into pricing.exchange_rates, such as {currency: ${own}, from: 2026-01-01, rate: 0.92}`;
    return [nodeProblem(childOf(plan, 'currency') ?? plan, found, expected)];
  });
  return [...idle, ...unchanged];
}

/** The currency written there, or the usual one; undefined for one that cannot be, which is a problem already. */
function currencyOf(node: WrittenNode, name: string, usual?: string): string | undefined {
  const child = childOf(node, name);
  return child === undefined ? usual : readNode(currency, child, []);
}
