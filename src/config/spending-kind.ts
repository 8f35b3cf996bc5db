import type { DecimalText } from '../resources/price-book.ts';
import { list, type NodeKind, single } from './node-kind.ts';

const decimalAdvice = 'write a number such as 0.16, of at most 18 digits, without an exponent';
const isDecimal = (text: string): boolean =>
  /^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) && text.replace('.', '').length <= 18;

function decimalKind(expected: string, isRight: (text: string) => boolean): NodeKind<DecimalText> {
  return single(
    expected,
    text => (isDecimal(text) && isRight(text) ? { value: text } : { expected }),
    'text or number',
  );
}

/** A decimal number that stays the text it was written as. */
export const decimal = decimalKind(decimalAdvice, () => true);

export const decimalAboveZero = decimalKind(
  'write a number above 0 such as 0.92, of at most 18 digits, without an exponent',
  text => /[1-9]/.test(text),
);

export const percent = decimalKind('write a number from 0 to 100, such as 12.5', text =>
  /^(?:100(?:\.0+)?|\d{1,2}(?:\.\d+)?)$/.test(text),
);

export function wholeNumber(
  expected: string,
  { least, most }: { readonly least: number; readonly most: number },
): NodeKind<number> {
  const parse = (text: string) => {
    const isRight = /^[1-9]\d{0,8}$/.test(text) && Number(text) >= least && Number(text) <= most;
    return isRight ? { value: Number(text) } : { expected };
  };
  return single(expected, parse, 'text or number');
}

const dateAdvice = 'write a date such as 2026-01-31';

/** The first instant of a day in UTC, as epoch milliseconds. */
export const date: NodeKind<number> = single(dateAdvice, text => {
  if (!/^(?:19[7-9]|2\d\d)\d-\d\d-\d\d$/.test(text)) return { expected: dateAdvice };
  const at = Date.parse(`${text}T00:00:00Z`);
  // A day that its month does not have would be one of the next month.
  return Number.isFinite(at) && renderDate(at) === text ? { value: at } : { expected: dateAdvice };
});

/** As it was written. */
export function renderDate(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

const currencyAdvice = 'write the code of a currency, such as USD or EUR';
const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** ISO 4217. */
export const currency: NodeKind<string> = single(currencyAdvice, text => {
  if (currencies.has(text)) return { value: text };
  const meant = text.toUpperCase();
  return { expected: currencies.has(meant) ? `write ${meant}` : currencyAdvice };
});

const longestName = 100;
const nameAdvice = `write a name of at most ${longestName} characters on one line, in quotes if it looks like a number`;

/** Names become label values and columns. */
const isName = (text: string): boolean =>
  text.trim() === text && text !== '' && text.length <= longestName && !/\p{Cc}/u.test(text);

export const spendingName: NodeKind<string> = single(nameAdvice, text =>
  isName(text) ? { value: text } : { expected: nameAdvice },
);

/** What to write instead of a name that a group or grouping cannot have; `/` parts the two. */
export function checkGroupName(name: string): string | undefined {
  return isName(name) && !name.includes('/')
    ? undefined
    : `write a name without "/" of at most ${longestName} characters on one line`;
}

/** Globs, as a list or one text with commas as everywhere; each on one line. */
export function globs(expected: string): NodeKind<readonly string[]> {
  const isGlob = (text: string) => text.trim() !== '' && !/\p{Cc}/u.test(text);
  const parse = (text: string) => (isGlob(text) ? { value: text } : { expected });
  const several = list(expected, single(expected, parse, 'text or number'));
  const parseAll = (text: string) => {
    const items = text.split(',').map(item => item.trim());
    return items.every(isGlob) ? { value: items } : { expected };
  };
  const one = single(expected, parseAll, 'text or number');
  return { expected, read: (node, problems) => (node.kind === 'value' ? one : several).read(node, problems) };
}
