import type { PriceBook, PricePlan } from '../resources/price-book.ts';
import { billingPeriod, defaultBillingPeriod } from './billing-period-kind.ts';
import { datedPrices } from './dated-price-reader.ts';
import { exchangeRates } from './exchange-rate-reader.ts';
import { planMatch } from './grouping-reader.ts';
import { group, list, type NodeKind, nodeProblem, placed, single } from './node-kind.ts';
import { type PlacedPlan, warnOfPriceBook } from './price-warning.ts';
import type { Problem } from './problem.ts';
import { findRepeatedNames } from './repeated-name.ts';
import { currency, decimal, spendingName } from './spending-kind.ts';
import { childOf, itemsOf, type WrittenNode } from './written-node.ts';

export interface PriceBookReading {
  /** As `team/platform`. */
  readonly groupNames: readonly string[];
  readonly now: number;
  readonly problems: Problem[];
  readonly warnings: Problem[];
}

const scopeAdvice = 'write account or project';
const includedScope = single(scopeAdvice, (text): { value: 'account' | 'project' } | { expected: string } =>
  text === 'account' || text === 'project' ? { value: text } : { expected: scopeAdvice },
);

const included = group('write compute_hours and per', { compute_hours: decimal, per: includedScope }, {});

function planKind(groupNames: readonly string[]) {
  return group(
    'write name and prices',
    { name: spendingName, prices: datedPrices },
    { match: planMatch(groupNames), currency, included, minimum: decimal },
  );
}

function pricingKind(groupNames: readonly string[]) {
  const plans = list('write a list, each plan after a "- "', placed(planKind(groupNames)), 'any number');
  return group(
    'write currency and plans below "pricing:", indented',
    {},
    {
      currency,
      display_currency: currency,
      billing_period: billingPeriod,
      exchange_rates: exchangeRates,
      plans,
    },
  );
}

type ValueOf<Kind> = Kind extends NodeKind<infer Value> ? Value : never;
type WrittenPlan = ValueOf<ReturnType<typeof planKind>>;

/** ISO 4217 for what is in no currency: a book without plans has no prices. */
const noCurrency = 'XXX';

/** The section `pricing`; undefined where there is none, or after adding to `problems` what is wrong with it. */
export function readPriceBook(
  node: WrittenNode | undefined,
  { groupNames, now, problems, warnings }: PriceBookReading,
): PriceBook | undefined {
  if (node === undefined || node.kind === 'nothing') return undefined;
  const read = pricingKind(groupNames).read(node, problems);
  problems.push(...findRepeatedNames(childOf(node, 'plans'), 'plan'), ...findWrongCurrencies(node));
  if (read === undefined) return undefined;
  const displayCurrency = read.display_currency ?? read.currency ?? noCurrency;
  const plans = (read.plans ?? []).map(
    ({ value, node: place }): PlacedPlan => ({
      value: toPlan(value, read.currency ?? displayCurrency),
      node: place,
      prices: value.prices,
    }),
  );
  const rates = read.exchange_rates ?? [];
  warnings.push(...warnOfPriceBook({ plans, rates, displayCurrency, now }));
  return {
    displayCurrency,
    billingPeriod: read.billing_period ?? defaultBillingPeriod,
    plans: plans.map(({ value }) => value),
    exchangeRates: rates.map(({ value }) => value),
  };
}

function toPlan(written: WrittenPlan, usual: string): PricePlan {
  const { name, match = {}, currency: own = usual, prices, minimum } = written;
  return {
    name,
    match,
    currency: own,
    prices: prices.map(({ value }) => value),
    ...(written.included && {
      included: { computeHours: written.included.compute_hours, per: written.included.per },
    }),
    ...(minimum !== undefined && { minimum }),
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
  return child === undefined ? usual : currency.read(child, []);
}
