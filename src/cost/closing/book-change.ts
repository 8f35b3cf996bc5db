import { dateOf } from '../../resources/utc-date.ts';
/** What is different between two price books of one period. */
export interface BookChange {
  /** The plan it is in, where it is in one. */
  readonly plan?: string;
  /** The setting below `pricing` that it is of, such as `billing_period.from`, where it is one of billing periods. */
  readonly setting?: string;
  /** Such as `per_compute_hour of 0.17 where 0.16 held, in plan "scale"`. */
  readonly phrase: string;
}

/**
 * The first difference between the price book that a period was closed with and the one it would have now; undefined where
 * there is none. Groupings are none: in a closed period projects have the plans they had, whatever groups they are in now.
 * Accepted gaps are none: no amount depends on them.
 *
 * @param closed and `now` as `bookInPeriod` writes them.
 */
export function findChange(closed: string, now: string): BookChange | undefined {
  const [pricesThen, pricesNow] = [readPrices(closed), readPrices(now)];
  if (JSON.stringify(pricesThen) === JSON.stringify(pricesNow)) return undefined;
  const [before, after] = [flatten(pricesThen), flatten(pricesNow)];
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  const found = keys.find(key => before.get(key)?.value !== after.get(key)?.value);
  const place = found === undefined ? undefined : (after.get(found) ?? before.get(found));
  // Nothing but the order of plans: the first that matches a project is its plan.
  if (found === undefined || place === undefined) return { phrase: 'plans in another order' };
  const was = before.get(found)?.value;
  const is = after.get(found)?.value;
  const { owner, word, isNameOfOwner } = place;
  const isOfPeriods = found.startsWith(billingPath);
  const of = isOfPeriods ? { setting: word } : owner?.noun === 'plan' && { plan: owner.name };
  const named = owner && `${owner.noun} ${quote(owner.name)}`;
  if (isNameOfOwner) return { ...of, phrase: `${is === undefined ? 'no' : 'a new'} ${named}` };
  const what = is === undefined ? `no ${word}` : `${word} of ${is}`;
  const where = was === undefined ? 'where there was none' : `where ${was} held`;
  return { ...of, phrase: `${what} ${where}${named === undefined ? '' : `, in ${named}`}` };
}

function readPrices(book: string): Json {
  const { groupings: _, acceptedGaps: _why, ...prices }: { readonly [key: string]: Json } = JSON.parse(book);
  return prices;
}

/** What lists at the top of a price book are of. */
const nouns: Readonly<Record<string, string>> = {
  '.plans': 'plan',
  '.lines': 'line',
  '.adjustments': 'adjustment',
};

/** A single value of a price book, with the key a user writes it under. */
interface Leaf {
  /** The plan, line or adjustment it is in. */
  readonly owner?: Owner;
  readonly isNameOfOwner: boolean;
  readonly word: string;
  readonly value: string;
}

interface Owner {
  readonly noun: string;
  readonly name: string;
  readonly path: string;
}

/** Single values by their place; those of a list whose items have names are found by them. */
function flatten(value: Json, path = '', word = '', owner?: Owner): Map<string, Leaf> {
  if (typeof value !== 'object' || value === null) {
    const isNameOfOwner = path === `${owner?.path}.name`;
    const leaf = { isNameOfOwner, word: wordOf(word, path), value: showValue(word, value) };
    return new Map([[path, { ...leaf, ...(owner && { owner }) }]]);
  }
  const parts = Array.isArray(value)
    ? value.map((item, index): [string, string, Json] => [nameOf(item) ?? String(index), word, item])
    : Object.entries(value)
        // The name first: that a plan is new or gone says more than what is in it.
        .toSorted(([a], [b]) => Number(b === 'name') - Number(a === 'name'))
        .map(([key, item]): [string, string, Json] => [key, key, item]);
  return new Map(
    parts.flatMap(([key, childWord, item]) => {
      const [noun, name] = [nouns[path], nameOf(item)];
      const own = noun === undefined || name === undefined ? owner : { noun, name, path: `${path}.${key}` };
      return [...flatten(item, `${path}.${key}`, childWord, own)];
    }),
  );
}

function nameOf(item: Json): string | undefined {
  return typeof item === 'object' && item !== null && 'name' in item ? String(item.name) : undefined;
}

const quote = (text: string): string => JSON.stringify(text);

const billingPath = '.billingPeriod.';

const words: Readonly<Record<string, string>> = {
  fromAt: 'from',
  untilAt: 'to',
  onAt: 'on',
  anchorAt: 'from',
};

/** `per_compute_hour` for `perComputeHour`, `decimals in JPY` for a currency, and `billing_period.from`. */
function wordOf(key: string, path: string): string {
  if (/^[A-Z]{3}$/.test(key)) return `decimals in ${key}`;
  const word = words[key] ?? key.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
  return path.startsWith(billingPath) ? `billing_period.${word}` : word;
}

function showValue(word: string, value: Json): string {
  if (/At$/.test(word) && typeof value === 'number') return dateOf(value);
  return typeof value === 'string' && !/^-?[\d.]+$/.test(value) ? quote(value) : String(value);
}

/** A value of JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
