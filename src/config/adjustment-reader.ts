import * as v from 'valibot';
import type { Adjustment } from '../resources/price-book.ts';
import {
  accountKey,
  findMissingAccount,
  findWrongTime,
  ownerOf,
  timeKeys,
  timeOfCharge,
  type WithoutCurrency,
} from './charge-key.ts';
import { datedFrom, findWrongEnd } from './dated-entry.ts';
import {
  anything,
  group,
  isListOrNothing,
  list,
  placed,
  problemCheck,
  type Schema,
  single,
} from './schema.ts';
import { date, decimalAboveZero, percent, signedDecimal, spendingName } from './spending-schema.ts';
import { childOf, nodeProblem, textOf, type WrittenNode } from './written-node.ts';

type ReadAdjustment = WithoutCurrency<Adjustment>;

/**
 * The adjustments of an invoice.
 *
 * @param accounts undefined where they are not known.
 */
export function adjustmentList(accounts: readonly string[] | undefined) {
  const schemas = new Map<string, Schema<ReadAdjustment>>([
    ['credit', moneySchema('credit', accounts)],
    ['adjustment', moneySchema('adjustment', accounts)],
    ['tax', taxSchema(accounts)],
  ]);
  const unknown = unknownSchema(accounts);
  const adjustment = v.lazy((input): Schema<ReadAdjustment> => {
    const kind = childOf(input as WrittenNode, 'kind');
    return (kind && schemas.get(textOf(kind))) ?? unknown;
  });
  return list('write a list, each adjustment after a "- "', adjustment, isListOrNothing);
}

function moneySchema(
  kind: 'credit' | 'adjustment',
  accounts: readonly string[] | undefined,
): Schema<ReadAdjustment> {
  return v.pipe(
    placed(
      group('write name, kind, from or on, and amount', {
        name: spendingName,
        kind: single(`write ${kind}`, v.literal(kind)),
        ...accountKey(accounts),
        ...timeKeys,
        amount: kind === 'credit' ? decimalAboveZero : signedDecimal,
      }),
    ),
    problemCheck(({ node, value }) => [...findMissingAccount(node, accounts), ...findWrongTime(node, value)]),
    v.transform(({ value }): ReadAdjustment => {
      const { name, amount } = value;
      return { name, kind, ...ownerOf(value), ...timeOfCharge(value), amount };
    }),
  );
}

function taxSchema(accounts: readonly string[] | undefined): Schema<ReadAdjustment> {
  return v.pipe(
    placed(
      group('write name, kind and percent', {
        name: spendingName,
        kind: single('write tax', v.literal('tax')),
        ...accountKey(accounts),
        from: v.exactOptional(date),
        to: v.exactOptional(date),
        percent,
        amount: v.exactOptional(anything),
      }),
    ),
    problemCheck(({ node, value }) => {
      const amount = childOf(node, 'amount');
      const stray =
        amount === undefined ? [] : [nodeProblem(amount, 'it in a tax', 'leave it out beside percent')];
      return [...stray, ...findWrongEnd(node, value)];
    }),
    v.transform(({ value }): ReadAdjustment => {
      return {
        name: value.name,
        kind: 'tax',
        ...ownerOf(value),
        ...datedFrom(value),
        percent: value.percent,
      };
    }),
  );
}

/** Gives the problem of a kind that there is not. */
function unknownSchema(accounts: readonly string[] | undefined): Schema<ReadAdjustment> {
  const fields = group('write name, kind, and amount or percent', {
    name: spendingName,
    kind: single('write credit, adjustment or tax', v.picklist([])),
    ...accountKey(accounts),
    ...timeKeys,
    amount: v.exactOptional(anything),
    percent: v.exactOptional(anything),
  });
  return v.pipe(
    fields,
    v.transform(({ kind }): ReadAdjustment => kind),
  );
}
