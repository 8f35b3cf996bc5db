import * as v from 'valibot';
import type { ChargeTime } from '../resources/price-book.ts';
import { findWrongEnd } from './dated-entry.ts';
import type { Problem } from './problem.ts';
import { currency, date, reference } from './spending-schema.ts';
import { childOf, findWrongChoice, nodeProblem, type WrittenNode } from './written-node.ts';

/** A charge that may lack its currency: that is the one of the price book then. */
export type WithoutCurrency<Charge> = Charge extends { readonly currency: string }
  ? Omit<Charge, 'currency'> & { readonly currency?: string }
  : Charge;

/** When a charge is made, and in what. */
export const timeKeys = {
  from: v.exactOptional(date),
  to: v.exactOptional(date),
  on: v.exactOptional(date),
  currency: v.exactOptional(currency),
};

interface WrittenTime {
  readonly from?: number;
  readonly to?: number;
  readonly on?: number;
  readonly currency?: string;
}

export function timeOfCharge({ from = 0, to, on, currency: own }: WrittenTime): {
  readonly time: ChargeTime;
  readonly currency?: string;
} {
  const end = to === undefined ? {} : { untilAt: to };
  const time = on === undefined ? { fromAt: from, ...end } : { onAt: on };
  return { time, ...(own !== undefined && { currency: own }) };
}

export function findWrongTime(node: WrittenNode, value: WrittenTime): Problem[] {
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
export function accountKey(accounts: readonly string[] | undefined) {
  return { account: v.exactOptional(reference(accounts, 'write the name of an account')) };
}

export function ownerOf({ account }: { readonly account?: string }) {
  return account === undefined ? {} : { account };
}

/** Which of several accounts pays is not to be guessed. */
export function findMissingAccount(node: WrittenNode, accounts: readonly string[] = []): Problem[] {
  if (accounts.length < 2 || childOf(node, 'account') !== undefined) return [];
  const expected = `write the account that is charged, one of ${accounts.slice(0, 10).join(', ')}`;
  return [{ where: node.where, key: `${node.key}.account`, found: 'nothing', expected }];
}
