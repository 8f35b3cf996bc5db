import { Fraction } from '../cost/fraction.ts';
import type { OracleLine } from './oracle-bill.ts';

/**
 * A bill as texts that can be compared: usage of a project with the same plan, price and tier is one of them, wherever
 * time was cut between.
 */
export function showBill(lines: readonly OracleLine[]): string[] {
  const keyOf = ({ kind, project, plan, name, tier, price, currency }: OracleLine) =>
    JSON.stringify([kind, project, plan, name, tier, price && readFraction(price).toString(), currency]);
  return [...Map.groupBy(lines, keyOf)]
    .map(([key, members]) => {
      const total = (each: 'included' | 'billed' | 'unpriced') =>
        members.reduce((sum, line) => sum + (line[each] ?? 0), 0);
      const sum = (each: 'amount' | 'display_amount' | 'quantity') =>
        members.reduce((all, line) => all.plus(readFraction(line[each] ?? '0')), Fraction.zero).toString();
      const undisplayed = members.filter(
        line => line.billed !== 0 && line.amount !== undefined && line.display_amount === undefined,
      );
      const use = { included: total('included'), billed: total('billed'), unpriced: total('unpriced') };
      return {
        key,
        use,
        text: `${key} ${JSON.stringify(use)} ${sum('quantity')}, ${sum('amount')}, displayed ${sum('display_amount')}${undisplayed.length > 0 ? ' and more' : ''}`,
      };
    })
    .filter(
      ({ key, use }) => !/^\["(?:usage|metered)"/.test(key) || use.included + use.billed + use.unpriced > 0,
    )
    .map(({ text }) => text)
    .sort();
}

/** Reads `3/8` and `-5`. */
export function readFraction(text: string): Fraction {
  const [top = '', bottom = '1'] = text.split('/');
  return new Fraction(BigInt(top), BigInt(bottom));
}
