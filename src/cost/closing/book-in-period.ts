import { matchesGlob } from '../../resources/glob.ts';
import type { Grouping } from '../../resources/grouping.ts';
import type { PriceBook } from '../../resources/price-book.ts';
import type { Period } from '../calendar/calendar.ts';
import { canonicalJson } from '../price/fingerprint.ts';
import type { Json } from './book-change.ts';

type JsonObject = { readonly [key: string]: Json };

/** Settings of a plan that advise and charge nothing. */
const unpriced: ReadonlySet<string> = new Set(['smallestSuspendDelayMs']);
/** Keys whose texts are names: other texts of digits are numbers, which can be written in several ways. */
const named: ReadonlySet<string> = new Set([
  'name',
  'unit',
  'currency',
  'displayCurrency',
  'match',
  'account',
]);

/** Lists of a plan that may be written without dates, as what their one entry says. */
const plain: ReadonlySet<string> = new Set(['baseFee', 'included', 'minimum']);

/**
 * The price book as it holds for an account in a billing period, as canonical JSON: dated entries are cut off where the
 * period begins and ends, and what is of other times, accounts or currencies is left out. So a later price from a later
 * date leaves it as it was. Where its plans match by group, the groupings are in it; accepted gaps are not.
 */
export function bookInPeriod(
  { acceptedGaps: _why, ...priced }: PriceBook,
  period: Period,
  account: string,
  groupings: readonly Grouping[],
): string {
  const { exchangeRates, plans, lines, adjustments, ...rest } = JSON.parse(
    canonicalJson(priced),
  ) as JsonObject;
  const isOwn = (entry: JsonObject) => entry.account === undefined || entry.account === account;
  const kept = {
    plans: cutToPeriod(objectsOf(plans), period)
      .filter(plan => isOfAccount(plan, account))
      .map(plan => cutPlan(plan, period)),
    lines: cutToPeriod(objectsOf(lines).filter(isOwn), period),
    adjustments: cutToPeriod(objectsOf(adjustments).filter(isOwn), period),
  };
  const currencies = new Set(Object.values(kept).flatMap(list => list.map(({ currency }) => currency)));
  const rates = [...Map.groupBy(objectsOf(exchangeRates), ({ currency }) => currency)]
    .filter(([currency]) => currencies.has(currency))
    .flatMap(([, ofCurrency]) => cutToPeriod(endAtNext(ofCurrency), period));
  const rounding = cutRounding(rest.rounding, currencies);
  const isGrouped = kept.plans.some(({ match }) => isObject(match) && match.groups !== undefined);
  const groups = isGrouped ? objectsOf(JSON.parse(canonicalJson(groupings))) : [];
  const entries = Object.entries({ ...rest, ...kept, rounding, exchangeRates: rates, groupings: groups });
  return canonicalJson(normalize(Object.fromEntries(entries.filter(([, value]) => !isEmpty(value)))));
}

/** Without decimals of other currencies. */
function cutRounding(rounding: Json | undefined, used: ReadonlySet<Json | undefined>): Json {
  if (!isObject(rounding)) return {};
  const { currencies, ...usual } = rounding;
  const own = Object.entries(isObject(currencies) ? currencies : {}).filter(([currency]) =>
    used.has(currency),
  );
  return own.length === 0 ? usual : { ...usual, currencies: Object.fromEntries(own) };
}

/** Whether a plan can be for projects of an account. */
function isOfAccount({ match }: JsonObject, account: string): boolean {
  const accounts = isObject(match) ? match.accounts : undefined;
  return !Array.isArray(accounts) || accounts.some(glob => matchesGlob(String(glob), account));
}

/** A plan, or a metered thing of one, with its own lists, such as prices, cut to a period. */
function cutPlan(plan: JsonObject, period: Period): JsonObject {
  const kept = Object.entries(plan).filter(([key]) => !unpriced.has(key));
  const cut = kept.map(([key, value]): [string, Json] => {
    if (!Array.isArray(value)) return [key, value];
    const held = cutToPeriod(objectsOf(value), period);
    const entries = key === 'metered' ? held.map(thing => cutPlan(thing, period)) : held;
    const [only, ...others] = entries;
    const isPlain = plain.has(key) && others.length === 0 && only !== undefined && !isDated(only);
    return [key, isPlain ? unwrap(only) : entries];
  });
  return Object.fromEntries(cut.filter(([, value]) => !isEmpty(value)));
}

/** `5` for an entry that is an amount and no more. */
function unwrap(entry: JsonObject): Json {
  const { amount, ...others } = entry;
  return amount !== undefined && Object.keys(others).length === 0 ? amount : entry;
}

/** Entries that hold in a period, without the dates that lie outside of it. */
function cutToPeriod(entries: readonly JsonObject[], period: Period): JsonObject[] {
  return entries.flatMap(({ time, fromAt, untilAt, ...entry }): JsonObject[] => {
    if (isObject(time)) return cutToPeriod([time], period).map(cut => ({ ...entry, time: cut }));
    const { onAt } = entry;
    const from = numberOf(onAt) ?? numberOf(fromAt) ?? Number.NEGATIVE_INFINITY;
    const until = numberOf(untilAt) ?? Number.POSITIVE_INFINITY;
    if (from >= period.untilAt || until <= period.fromAt) return [];
    if (onAt !== undefined) return from < period.fromAt ? [] : [entry];
    return [
      {
        ...entry,
        ...(from > period.fromAt && { fromAt: from }),
        ...(until < period.untilAt && { untilAt: until }),
      },
    ];
  });
}

function isDated({ fromAt, untilAt }: JsonObject): boolean {
  return fromAt !== undefined || untilAt !== undefined;
}

/** A rate holds until the next one of its currency. */
function endAtNext(entries: readonly JsonObject[]): JsonObject[] {
  return entries.map((entry, index) => {
    const nextAt = entries[index + 1]?.fromAt;
    return nextAt === undefined ? entry : { ...entry, untilAt: nextAt };
  });
}

/** A number has one text: 0.160 is 0.16. */
function normalize(value: Json, key = ''): Json {
  if (named.has(key)) return value;
  if (typeof value === 'string') return /^-?\d+\.\d+$/.test(value) ? value.replace(/\.?0+$/, '') : value;
  if (Array.isArray(value)) return value.map(each => normalize(each, key));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, normalize(each, name)]));
}

function isEmpty(value: Json): boolean {
  return Array.isArray(value) && value.length === 0;
}

function numberOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function objectsOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
