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
import type { Cell, Column } from '../format/report.ts';
import type { Found } from './found.ts';

/** What findings save in one unit, as two columns: likely, and at most. */
export interface SavingColumns {
  readonly columns: readonly Column[];
  /** The cells of each row, by its members. */
  readonly show: (rows: readonly (readonly Found[])[]) => Cell[][];
}

/** Hours, and money where there are prices. */
export function savingColumnsOf(currency: string | undefined): readonly SavingColumns[] {
  const hours = makeColumns('compute_hours_per_month', 'hours', hourDecimals, ({ hours }) => hours);
  if (currency === undefined) return [hours];
  return [hours, makeColumns('cost_per_month', 'cost', currencyDecimals(currency), ({ money }) => money)];
}

function makeColumns(
  key: string,
  noun: string,
  decimals: number,
  savingOf: (found: Found) => Saving<Amount> | undefined,
): SavingColumns {
  const sum = (members: readonly Found[], pick: (saving: Saving<Amount>) => Amount) =>
    members
      .flatMap(each => savingOf(each) ?? [])
      .map(pick)
      .reduce(addAmounts, noAmount);
  return {
    columns: [
      { key, kind: 'decimal', title: `likely ${noun}` },
      { key: `most_${key}`, kind: 'decimal', title: `${noun} at most` },
    ],
    show: rows => {
      const likely = shareOut(
        rows.map(members => sum(members, ({ likely = noAmount }) => likely)),
        decimals,
      );
      // Shown as what is likely and the rest: rounding never makes it less.
      const more = shareOut(
        rows.map(members => sum(members, ({ likely = noAmount, most }) => subtractAmounts(most, likely))),
        decimals,
      );
      return rows.map((members, index) => {
        const savings = members.flatMap(each => savingOf(each) ?? []);
        const isLikelyKnown = savings.some(({ likely }) => likely !== undefined);
        const [least = '0', rest = '0'] = [likely[index], more[index]];
        const most = showAmount(addAmounts(amountOf(least), amountOf(rest)), decimals);
        if (members.length === 0) return [least, most];
        if (savings.length === 0) return [missing(members, noun), missing(members, noun)];
        return [isLikelyKnown ? least : notKnown, most];
      });
    },
  };
}

const notKnown: Cell = { missing: 'not known' };

/** Why findings save nothing that can be told: ledgers that disagree save nothing, and branches no compute. */
function missing(members: readonly Found[], noun: string): Cell {
  const ofCompute = members.filter(({ finding }) => 'endpoint_id' in finding);
  if (ofCompute.length > 0) {
    return ofCompute.every(({ hours }) => hours === undefined) ? notKnown : { missing: 'unpriced' };
  }
  const isOfMoney = noun === 'cost' && members.some(({ finding }) => finding.kind === 'branch_sprawl');
  return isOfMoney ? { missing: 'unpriced' } : undefined;
}
