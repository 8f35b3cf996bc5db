import * as v from 'valibot';
import type { DecimalText } from '../resources/price-book.ts';
import { dateOf } from '../resources/utc-date.ts';
import { items, type Schema, single } from './schema.ts';
import { isOneLine, nameLike } from './value-schema.ts';

const textOrNumber = { accepts: ['string', 'number'] } as const;

const isDecimal = (text: string): boolean =>
  /^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) && text.replace('.', '').length <= 18;

/** A decimal number that stays the text it was written as. */
function decimalOf(expected: string, isRight: (text: string) => boolean): Schema<DecimalText> {
  return single(expected, v.pipe(v.string(), v.check(isDecimal), v.check(isRight)), textOrNumber);
}

export const decimal = decimalOf(
  'write a number such as 0.16, of at most 18 digits, without an exponent',
  () => true,
);

export const signedDecimal: Schema<DecimalText> = single(
  'write a number such as 7.30 or -7.30, of at most 18 digits, without an exponent',
  v.pipe(
    v.string(),
    v.check(text => isDecimal(text.replace(/^-/, ''))),
  ),
  textOrNumber,
);

export const decimalAboveZero = decimalOf(
  'write a number above 0 such as 0.92, of at most 18 digits, without an exponent',
  text => /[1-9]/.test(text),
);

export const percent = decimalOf('write a number from 0 to 100, such as 12.5', text => Number(text) <= 100);

const percentageAdvice = 'write percentages above 0, such as [50%, 80%, 100%]';

const percentage = v.pipe(v.string(), v.check(isPercentage), v.transform(readPercentage));

/** Parts of a whole, each once, in rising order; `80%` is 0.8. */
export const percentages = v.pipe(
  items(percentageAdvice, percentage, 'any number'),
  v.transform(parts => [...new Set(parts)].toSorted((a, b) => a - b)),
);

function isPercentage(text: string): boolean {
  return /^\d{1,4}(?:\.\d{1,2})?%$/.test(text) && readPercentage(text) > 0;
}

function readPercentage(text: string): number {
  return Number.parseFloat(text) / 100;
}

export function wholeNumber(expected: string, least: number, most: number): Schema<number> {
  const whole = v.pipe(v.string(), v.regex(/^[1-9]\d{0,8}$/), v.transform(Number));
  return single(expected, v.pipe(whole, v.minValue(least), v.maxValue(most)), textOrNumber);
}

const parseDate = (text: string): number => Date.parse(`${text}T00:00:00Z`);
/** A day that its month does not have would be one of the next month. */
const isDate = (text: string): boolean =>
  /^(?:19[7-9]|2\d\d)\d-\d\d-\d\d$/.test(text) &&
  Number.isFinite(parseDate(text)) &&
  dateOf(parseDate(text)) === text;

/** The first instant of a day in UTC, as epoch milliseconds. */
export const date = single(
  'write a date such as 2026-01-31',
  v.pipe(v.string(), v.check(isDate), v.transform(parseDate)),
);

const currencyAdvice = 'write the code of a currency, such as USD or EUR';
const currencies = Intl.supportedValuesOf('currency');

/** ISO 4217. */
export const currency = single(
  currencyAdvice,
  v.picklist(currencies, ({ input }) => {
    const meant = String(input).toUpperCase();
    return currencies.includes(meant) ? `write ${meant}` : currencyAdvice;
  }),
);

const longestName = 100;
/** Names become label values and columns. */
const isName = (text: string): boolean =>
  text.trim() === text && text !== '' && text.length <= longestName && !/\p{Cc}/u.test(text);

export const spendingName = single(
  `write a name of at most ${longestName} characters on one line, in quotes if it looks like a number`,
  v.pipe(v.string(), v.check(isName)),
);

/** The name of a group or a grouping; `/` parts the two. */
export const groupName = v.pipe(
  v.string(),
  v.check(
    text => isName(text) && !text.includes('/'),
    `write a name without "/" of at most ${longestName} characters on one line`,
  ),
);

export function globs(expected: string): Schema<string[]> {
  return items(expected, v.pipe(v.string(), v.check(isOneLine)));
}

/** Advice to write one of some words; only the first are named. */
export function adviseOn(words: readonly string[], otherwise: string): string {
  const [first, ...others] = words.slice(0, 10);
  if (first === undefined) return otherwise;
  return others.length === 0 ? `write ${first}` : `write one of ${[first, ...others].join(', ')}`;
}

/**
 * The name of something else in the configuration; any text where `names` are not known.
 *
 * @param isMeant whether a name stands for a text that is not the same.
 */
export function reference(
  names: readonly string[] | undefined,
  otherwise: string,
  isMeant: (name: string, text: string) => boolean = () => false,
): Schema<string> {
  const advice = adviseOn(names ?? [], otherwise);
  const isKnown = (text: string) =>
    names === undefined || names.some(name => name === text || isMeant(name, text));
  return single(
    advice,
    nameLike(isKnown, () => names ?? [], advice),
  );
}
