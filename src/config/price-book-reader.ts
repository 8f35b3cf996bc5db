import * as v from 'valibot';
import { compact } from '../resources/field.ts';
import type {
  Adjustment,
  BillingPeriod,
  ExchangeRate,
  FreeLine,
  PriceBook,
} from '../resources/price-book.ts';
import { dateOf } from '../resources/utc-date.ts';
import { adjustmentList, freeLineList } from './charge-reader.ts';
import { dated } from './dated-entry.ts';
import { computeLedger, meterRules } from './metered-reader.ts';
import { readNode } from './node-reader.ts';
import { planSchema, toPlan } from './plan-reader.ts';
import { acceptedGapList, type PlacedPlan, warnOfPriceBook } from './price-warning.ts';
import type { Problem } from './problem.ts';
import { invoiceRounding } from './rounding-reader.ts';
import { group, list, type Placed, problemCheck, type Schema, single } from './schema.ts';
import { shippedBooks } from './shipped-book.ts';
import { currency, date, decimalAboveZero, reference, wholeNumber } from './spending-schema.ts';
import {
  childOf,
  findRepeatedNames,
  itemsOf,
  missingKey,
  namesOf,
  nodeProblem,
  type WrittenNode,
} from './written-node.ts';

/** Exchange rates by currency in order of time, none for the same day as another. */
const exchangeRates: Schema<Placed<ExchangeRate>[]> = v.pipe(
  list(
    'write a list of rates, each after a "- "',
    dated(group('write currency, from and rate', { currency, from: date, rate: decimalAboveZero })),
    'any number',
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
    const rate = `rate of ${value.currency} from ${dateOf(value.fromAt)}`;
    const earlier = seen.get(rate);
    if (earlier === undefined) seen.set(rate, node);
    const found = `a second ${rate}, after that of ${earlier?.where}`;
    return earlier === undefined ? [] : [nodeProblem(node, found, 'keep one of the two')];
  });
}

/** The rest of the configuration as far as a price book can name it, and where to say what is wrong. */
export interface PriceBookReading {
  /** As `team/platform`. */
  readonly groupNames: readonly string[];
  /** Undefined where they are not known. */
  readonly accounts: readonly string[] | undefined;
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

function pricingSchema({ groupNames, accounts }: PriceBookReading) {
  const plans = list('write a list, each plan after a "- "', planSchema(groupNames), 'any number');
  return group('write currency and plans below "pricing:", indented', {
    book: v.exactOptional(reference(shippedBooks, 'write plans')),
    currency: v.exactOptional(currency),
    display_currency: v.exactOptional(currency),
    billing_period: v.exactOptional(billingPeriod),
    exchange_rates: v.exactOptional(exchangeRates),
    rounding: v.exactOptional(invoiceRounding),
    ledger: v.exactOptional(computeLedger),
    meter: v.exactOptional(meterRules),
    plans: v.exactOptional(plans),
    lines: v.exactOptional(freeLineList(accounts)),
    adjustments: v.exactOptional(adjustmentList(accounts)),
    accepted_gaps: v.exactOptional(acceptedGapList(groupNames)),
  });
}

/** ISO 4217 for what is in no currency: a book without plans has no prices. */
const noCurrency = 'XXX';

/** The section `pricing`; undefined where there is none, or after adding to `problems` what is wrong with it. */
export function readPriceBook(
  node: WrittenNode | undefined,
  reading: PriceBookReading,
): PriceBook | undefined {
  if (node === undefined || node.kind === 'nothing') return undefined;
  const { now, problems, warnings } = reading;
  const read = readNode(pricingSchema(reading), node, problems);
  problems.push(
    ...findRepeatedNames(namesOf(childOf(node, 'plans')), 'plan'),
    ...findWrongCurrencies(node),
    ...findUncountable(node),
  );
  if (read === undefined) return undefined;
  const { display_currency, exchange_rates: rates = [] } = read;
  const displayCurrency = display_currency ?? read.currency ?? noCurrency;
  const usual = { currency: read.currency ?? displayCurrency };
  const plans = (read.plans ?? []).map((plan): PlacedPlan => {
    return { value: toPlan(plan, usual.currency), node: plan.node, prices: plan.value.prices };
  });
  const { accepted_gaps: acceptedGaps, rounding, ledger, meter } = read;
  warnings.push(...warnOfPriceBook({ plans, rates, displayCurrency, acceptedGaps, now }));
  return {
    displayCurrency,
    billingPeriod: read.billing_period ?? month,
    plans: plans.map(({ value }) => value),
    exchangeRates: rates.map(({ value }) => value),
    ...(read.lines && { lines: read.lines.map((line): FreeLine => ({ ...usual, ...line })) }),
    ...(read.adjustments && {
      adjustments: read.adjustments.map(
        (each): Adjustment => (each.kind === 'tax' ? each : { ...usual, ...each }),
      ),
    }),
    ...compact({ rounding, acceptedGaps, ledger, meter }),
  };
}

/** Branches at one time are only counted by a meter that counts hours. */
function findUncountable(node: WrittenNode): Problem[] {
  if (isWord(childOf(node, 'meter.unit'), 'hour')) return [];
  const expected =
    'write "meter: {unit: hour}" below pricing if the service counts branch-hours, or write included';
  return itemsOf(childOf(node, 'plans'))
    .flatMap(plan => itemsOf(childOf(plan, 'metered')))
    .filter(thing => isWord(childOf(thing, 'metric'), 'extra_branches_month'))
    .flatMap(thing => childOf(thing, 'included_at_once') ?? [])
    .map(atOnce => nodeProblem(atOnce, 'it while the meter counts in months', expected));
}

function isWord(node: WrittenNode | undefined, word: string): boolean {
  return node?.kind === 'value' && node.text === word;
}

/** Prices in no currency, in one that nothing changes into the displayed one, and rates that change nothing. */
function findWrongCurrencies(node: WrittenNode): Problem[] {
  const priced = ['plans', 'lines', 'adjustments']
    .flatMap(key => itemsOf(childOf(node, key)))
    .filter(item => childOf(item, 'percent') === undefined);
  const rates = itemsOf(childOf(node, 'exchange_rates'));
  if (childOf(node, 'currency') === undefined) {
    const expected = 'write the currency of the prices, such as "currency: USD"';
    return priced.length > 0 ? [missingKey(node, 'currency', expected)] : [];
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
  const unchanged = priced.flatMap(item => {
    const own = currencyOf(item, 'currency', usual);
    if (own === undefined || own === shown || changed.has(own)) return [];
    const found = `prices in ${own} without an exchange rate to ${shown}`;
    const expected = `write one into pricing.exchange_rates, such as {currency: ${own}, from: 2026-01-01, rate: 0.92}`;
    return [nodeProblem(childOf(item, 'currency') ?? item, found, expected)];
  });
  return [...idle, ...unchanged];
}

/** The currency written there, or the usual one; undefined for one that cannot be, which is a problem already. */
function currencyOf(node: WrittenNode, name: string, usual?: string): string | undefined {
  const child = childOf(node, name);
  return child === undefined ? usual : readNode(currency, child, []);
}
