import * as v from 'valibot';
import type { Adjustment, ChargeTime, FreeLine } from '../resources/price-book.ts';
import { anyDates, dated, findWrongEnd } from './dated-entry.ts';
import type { Problem } from './problem.ts';
import { anything, group, list, placed, problemCheck, type Schema, single } from './schema.ts';
import {
  currency,
  date,
  decimal,
  decimalAboveZero,
  percent,
  reference,
  signedDecimal,
  spendingName,
} from './spending-schema.ts';
import {
  childOf,
  findWrongChoice,
  missingKey,
  nodeProblem,
  textOf,
  type WrittenNode,
} from './written-node.ts';

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
  return list('write a list, each adjustment after a "- "', adjustment, 'any number');
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
    dated(
      group('write name, kind and percent', {
        name: spendingName,
        kind: single('write tax', v.literal('tax')),
        ...accountKey(accounts),
        ...anyDates,
        percent,
        amount: v.exactOptional(anything),
      }),
      ({ node }) => {
        const amount = childOf(node, 'amount');
        return amount === undefined
          ? []
          : [nodeProblem(amount, 'it in a tax', 'leave it out beside percent')];
      },
    ),
    v.transform(({ value: { amount: _stray, ...tax } }): ReadAdjustment => tax),
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

/** A charge that may lack its currency: that is the one of the price book then. */
type WithoutCurrency<Charge> = Charge extends { readonly currency: string }
  ? Omit<Charge, 'currency'> & { readonly currency?: string }
  : Charge;

/** When a charge is made, and in what. */
const timeKeys = {
  ...anyDates,
  on: v.exactOptional(date),
  currency: v.exactOptional(currency),
};

interface WrittenTime {
  readonly from?: number;
  readonly to?: number;
  readonly on?: number;
  readonly currency?: string;
}

function timeOfCharge({ from = 0, to, on, currency: own }: WrittenTime): {
  readonly time: ChargeTime;
  readonly currency?: string;
} {
  const end = to === undefined ? {} : { untilAt: to };
  const time = on === undefined ? { fromAt: from, ...end } : { onAt: on };
  return { time, ...(own !== undefined && { currency: own }) };
}

function findWrongTime(node: WrittenNode, value: WrittenTime): Problem[] {
  const end = childOf(node, 'to');
  const found = 'an end of what is charged once';
  return [
    ...findWrongChoice(node, ['from', 'on']),
    ...(value.on !== undefined && value.from === undefined && end !== undefined
      ? [nodeProblem(end, found, 'leave it out, or write from in place of on')]
      : []),
    ...findWrongEnd(node, value),
  ];
}

/** The account that pays. */
function accountKey(accounts: readonly string[] | undefined) {
  return { account: v.exactOptional(reference(accounts, 'write the name of an account')) };
}

function ownerOf({ account }: { readonly account?: string }) {
  return account === undefined ? {} : { account };
}

/** Refuses an entry without an account where several could pay. */
function findMissingAccount(node: WrittenNode, accounts: readonly string[] = []): Problem[] {
  if (accounts.length < 2 || childOf(node, 'account') !== undefined) return [];
  const expected = `write the account that is charged, one of ${accounts.slice(0, 10).join(', ')}`;
  return [missingKey(node, 'account', expected)];
}

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
  return list('write a list, each line after a "- "', line, 'any number');
}

const quantityAdvice = { unit: 'write what is counted, such as GB-month', price: 'write the price of one' };

/** A quantity has a unit and a price, an amount has neither. */
function findWrongQuantity(node: WrittenNode): Problem[] {
  const isQuantity = childOf(node, 'quantity') !== undefined;
  return (['unit', 'price'] as const).flatMap(key => {
    const child = childOf(node, key);
    if (isQuantity === (child !== undefined)) return [];
    return child === undefined
      ? [missingKey(node, key, quantityAdvice[key])]
      : [nodeProblem(child, 'it without quantity', 'write quantity in place of amount, or leave it out')];
  });
}
