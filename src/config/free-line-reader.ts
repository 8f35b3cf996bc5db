import * as v from 'valibot';
import type { FreeLine } from '../resources/price-book.ts';
import {
  accountKey,
  findMissingAccount,
  findWrongTime,
  ownerOf,
  timeKeys,
  timeOfCharge,
  type WithoutCurrency,
} from './charge-key.ts';
import type { Problem } from './problem.ts';
import { group, isListOrNothing, list, placed, problemCheck, single } from './schema.ts';
import { decimal, spendingName } from './spending-schema.ts';
import { childOf, findWrongChoice, nodeProblem, type WrittenNode } from './written-node.ts';

/**
 * The free lines of an invoice.
 *
 * @param accounts undefined where they are not known.
 */
export function freeLineList(accounts: readonly string[] | undefined) {
  const line = v.pipe(
    placed(
      group('write name, from or on, and amount, or quantity, unit and price', {
        name: spendingName,
        ...accountKey(accounts),
        ...timeKeys,
        amount: v.exactOptional(decimal),
        quantity: v.exactOptional(decimal),
        unit: v.exactOptional(spendingName),
        price: v.exactOptional(decimal),
        share: v.exactOptional(
          single('write cost, hours or evenly', v.picklist(['cost', 'hours', 'evenly'])),
        ),
      }),
    ),
    problemCheck(({ node, value }) => [
      ...findMissingAccount(node, accounts),
      ...findWrongTime(node, value),
      ...findWrongChoice(node, ['amount', 'quantity']),
      ...findWrongQuantity(node),
    ]),
    v.transform(({ value }): WithoutCurrency<FreeLine> => {
      const { name, share, amount, quantity = '0', unit = '', price = '0' } = value;
      const what = amount === undefined ? { quantity, unit, price } : { amount };
      const shared = share !== undefined && { sharedBy: share };
      return { name, ...ownerOf(value), ...timeOfCharge(value), ...what, ...shared };
    }),
  );
  return list('write a list, each line after a "- "', line, isListOrNothing);
}

const quantityAdvice = { unit: 'write what is counted, such as GB-month', price: 'write the price of one' };

/** A quantity has a unit and a price, an amount has neither. */
function findWrongQuantity(node: WrittenNode): Problem[] {
  const isQuantity = childOf(node, 'quantity') !== undefined;
  return (['unit', 'price'] as const).flatMap(key => {
    const child = childOf(node, key);
    if (isQuantity === (child !== undefined)) return [];
    return child === undefined
      ? [{ where: node.where, key: `${node.key}.${key}`, found: 'nothing', expected: quantityAdvice[key] }]
      : [nodeProblem(child, 'it without quantity', 'write quantity in place of amount, or leave it out')];
  });
}
