import * as v from 'valibot';
import { compact } from '../resources/field.ts';
import type { MeteredPrice } from '../resources/price-book.ts';
import { dated, datedList, dates } from './dated-entry.ts';
import type { Problem } from './problem.ts';
import { anything, group, list, type Placed, placed, problemCheck, type Schema } from './schema.ts';
import { decimal, decimalAboveZero, percent } from './spending-schema.ts';
import { childOf, nodeProblem, type WrittenNode } from './written-node.ts';

/** The price of a unit from a day on, or prices by how much was used. */
type ReadPrice = MeteredPrice & { readonly fromAt: number };

/** The key of a price, and the unit of its tiers. */
interface PriceWords {
  readonly key: string;
  readonly quantity: string;
}

const discount = { discount_percent: v.exactOptional(percent) };

interface WrittenTier {
  readonly up_to?: string;
  readonly price: string;
}

/** Values with the one of a key that is not known before as `price`. */
function priceUnder(key: string) {
  return <Values extends object>(values: Values): Values & { readonly price: string } => ({
    ...values,
    price: (values as unknown as Readonly<Record<string, string>>)[key] ?? '0',
  });
}

function tierList({ key, quantity }: PriceWords): Schema<Placed<WrittenTier>[]> {
  const tier: Schema<WrittenTier> = v.pipe(
    group(`write up_to and ${key}`, { up_to: v.exactOptional(decimalAboveZero), [key]: decimal }),
    v.transform(values => priceUnder(key)(values as { up_to?: string })),
  );
  const expected = `write a list of tiers, such as [{up_to: 1000, ${key}: 0.15}, {${key}: 0.12}]`;
  return v.pipe(
    list(expected, placed(tier)),
    problemCheck(written => findWrongTiers(written, quantity)),
    v.description(expected),
  );
}

/** Each tier but the last ends after the one before it; the last has no end. */
function findWrongTiers(written: Placed<WrittenTier>[], quantity: string): Problem[] {
  return written.flatMap(({ node, value: { up_to } }, index) => {
    const before = written[index - 1]?.value.up_to;
    const place = childOf(node, 'up_to') ?? node;
    if (index === written.length - 1) {
      const expected = 'leave it out: the last tier is for all use beyond the others';
      return up_to === undefined ? [] : [nodeProblem(place, 'an end of the last tier', expected)];
    }
    if (up_to === undefined) {
      const found = 'a tier without up_to before another one';
      return [nodeProblem(node, found, `write up_to, ${quantity} at which it ends`)];
    }
    if (before === undefined || Number(up_to) > Number(before)) return [];
    return [nodeProblem(place, `${up_to}, after a tier up to ${before}`, `write more than ${before}`)];
  });
}

interface WrittenKeys {
  readonly from: number;
  readonly to?: number;
  readonly discount_percent?: string;
}

type WrittenPrice = Omit<ReadPrice, 'fromAt' | 'untilAt'> & Pick<WrittenKeys, 'from' | 'to'>;

function flatPrice({ key }: PriceWords): Schema<WrittenPrice> {
  const keys = { ...dates, [key]: decimal, tiers: v.exactOptional(anything), ...discount };
  return v.pipe(
    group(`write from and ${key}`, keys),
    v.transform(values => priceUnder(key)(values as unknown as WrittenKeys)),
    v.transform(values => toPrice(values, [values])),
  );
}

function tieredPrice(words: PriceWords): Schema<WrittenPrice> {
  const { key } = words;
  const keys = { ...dates, tiers: tierList(words), [key]: v.exactOptional(anything), ...discount };
  return v.pipe(
    placed(group(`write from and ${key}`, keys)),
    problemCheck(({ node }) => {
      const beside = childOf(node, key);
      return beside === undefined
        ? []
        : [nodeProblem(beside, 'it beside tiers', `keep one of ${key} and tiers`)];
    }),
    v.transform(({ value }) => value as unknown as WrittenKeys & { readonly tiers: Placed<WrittenTier>[] }),
    v.transform(({ tiers, ...keys }) =>
      toPrice(
        keys,
        tiers.map(({ value }) => value),
      ),
    ),
  );
}

/** One price is one tier; each tier after it begins where the one before ends. */
function toPrice(
  { from, to, discount_percent: discountPercent = '0' }: WrittenKeys,
  tiers: readonly WrittenTier[],
): WrittenPrice {
  const [first, ...others] = tiers;
  const higher = others.map(({ price }, index) => ({ beyond: tiers[index]?.up_to ?? '0', price }));
  return {
    ...{ from, price: first?.price ?? '0', discountPercent, ...compact({ to }) },
    ...(higher.length > 0 && { tiers: higher }),
  };
}

/** Prices in order of time, none overlapping another: one without an end holds until the next begins. */
export function unitPrices(words: PriceWords): Schema<Placed<ReadPrice>[]> {
  const [flat, tiered] = [flatPrice(words), tieredPrice(words)];
  const price = v.lazy(
    (input): Schema<WrittenPrice> => (childOf(input as WrittenNode, 'tiers') === undefined ? flat : tiered),
  );
  return datedList<ReadPrice>('price', 'write a list of prices, each after a "- "', dated(price));
}
