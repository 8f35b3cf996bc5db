import * as v from 'valibot';
import type { InvoiceRounding } from '../resources/price-book.ts';
import { group, list, type Placed, placed, problemCheck, type Schema, single } from './schema.ts';
import { currency } from './spending-schema.ts';
import { childOf, findRepeatedNames } from './written-node.ts';

const decimals = single(
  'write a number of decimals, 0 to 6',
  v.pipe(v.picklist(['0', '1', '2', '3', '4', '5', '6']), v.transform(Number)),
  { accepts: ['string', 'number'] },
);

interface CurrencyDecimals {
  readonly currency: string;
  readonly decimals: number;
}

const otherDecimals: Schema<Readonly<Record<string, number>>> = v.pipe(
  list(
    'write a list of currencies, such as [{currency: JPY, decimals: 0}]',
    placed(group('write currency and decimals', { currency, decimals })),
    'any number',
  ),
  problemCheck((read: Placed<CurrencyDecimals>[]) =>
    findRepeatedNames(
      read.flatMap(({ node }) => childOf(node, 'currency') ?? []),
      'entry',
    ),
  ),
  v.transform(read => Object.fromEntries(read.map(({ value }) => [value.currency, value.decimals]))),
);

/** How the lines of the vendor's invoice are rounded. */
export const invoiceRounding: Schema<InvoiceRounding> = v.pipe(
  group('write decimals, such as {decimals: 2, line: account}', {
    decimals,
    line: v.exactOptional(single('write account or project', v.picklist(['account', 'project']))),
    currencies: v.exactOptional(otherDecimals),
  }),
  v.transform(({ line = 'account', ...read }) => ({ ...read, line })),
);
