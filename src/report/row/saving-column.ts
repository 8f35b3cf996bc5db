import {
  type Amount,
  addAmounts,
  amountOf,
  currencyDecimals,
  noAmount,
  shareOut,
  showAmount,
  subtractAmounts,
} from '../../cost/money/money.ts';
import type { Saving } from '../../resources/finding.ts';
import { hourDecimals } from '../format/hour-text.ts';
import type { Cell } from '../format/report.ts';
import type { Found } from './found.ts';

/** What findings save in one unit, in 30 days, as it is shown. */
export interface ShownSaving {
  readonly likely: Cell;
  readonly most: Cell;
}

/** Savings of compute hours, by the members of each row. */
export function showHourSavings(rows: readonly (readonly Found[])[]): readonly ShownSaving[] {
  return showSavings(rows, 'hours', hourDecimals);
}

/** Savings of money in a currency, by the members of each row. */
export function showMoneySavings(
  rows: readonly (readonly Found[])[],
  currency: string,
): readonly ShownSaving[] {
  return showSavings(rows, 'money', currencyDecimals(currency));
}

function showSavings(
  rows: readonly (readonly Found[])[],
  unit: 'hours' | 'money',
  decimals: number,
): readonly ShownSaving[] {
  const sum = (members: readonly Found[], pick: (saving: Saving<Amount>) => Amount) =>
    members
      .flatMap(each => each[unit] ?? [])
      .map(pick)
      .reduce(addAmounts, noAmount);
  const leastOf = shareOut(
    rows.map(members => sum(members, ({ likely = noAmount }) => likely)),
    decimals,
  );
  // Shown as what is likely and the rest: rounding never makes it less.
  const restOf = shareOut(
    rows.map(members => sum(members, ({ likely = noAmount, most }) => subtractAmounts(most, likely))),
    decimals,
  );
  return rows.map((members, index) => {
    const savings = members.flatMap(each => each[unit] ?? []);
    const isLikelyKnown = savings.some(({ likely }) => likely !== undefined);
    const [least = '0', rest = '0'] = [leastOf[index], restOf[index]];
    const most = showAmount(addAmounts(amountOf(least), amountOf(rest)), decimals);
    if (members.length === 0) return { likely: least, most };
    if (savings.length === 0) return { likely: missing(members, unit), most: missing(members, unit) };
    return { likely: isLikelyKnown ? least : notKnown, most };
  });
}

const notKnown: Cell = { missing: 'not known' };

/** Why findings save nothing that can be told: ledgers that disagree save nothing, and branches no compute. */
function missing(members: readonly Found[], unit: 'hours' | 'money'): Cell {
  const ofCompute = members.filter(({ finding }) => 'endpoint_id' in finding);
  if (ofCompute.length > 0) {
    return ofCompute.every(({ hours }) => hours === undefined) ? notKnown : { missing: 'unpriced' };
  }
  const isOfMoney = unit === 'money' && members.some(({ finding }) => finding.kind === 'branch_sprawl');
  return isOfMoney ? { missing: 'unpriced' } : undefined;
}
