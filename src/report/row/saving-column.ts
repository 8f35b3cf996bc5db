import {
  type Amount,
  addAmounts,
  amountOf,
  noAmount,
  shareOut,
  showAmount,
  subtractAmounts,
} from '../../cost/money/money.ts';
import type { Saving } from '../../resources/finding.ts';
import { type Cell, notKnown } from '../format/report.ts';
import { type FoundFinding, type savedHours, savedMoney } from './found-finding.ts';

/** What findings save in one unit, in 30 days, as it is shown. */
export interface ShownSaving {
  readonly likely: Cell;
  readonly most: Cell;
}

/** Savings of compute hours or of money, by the members of each row. */
export function showSavings(
  rows: readonly (readonly FoundFinding[])[],
  savedBy: typeof savedHours | typeof savedMoney,
  decimals: number,
): readonly ShownSaving[] {
  const saved = rows.map(members => members.flatMap(each => savedBy(each) ?? []));
  const sum = (savings: readonly Saving<Amount>[], pick: (saving: Saving<Amount>) => Amount) =>
    savings.map(pick).reduce(addAmounts, noAmount);
  const leastOf = shareOut(
    saved.map(savings => sum(savings, ({ likely = noAmount }) => likely)),
    decimals,
  );
  // Shown as what is likely and the rest: rounding never makes it less.
  const restOf = shareOut(
    saved.map(savings => sum(savings, ({ likely = noAmount, most }) => subtractAmounts(most, likely))),
    decimals,
  );
  return rows.map((members, index) => {
    const savings = saved[index] ?? [];
    const isLikelyKnown = savings.some(({ likely }) => likely !== undefined);
    const [least = '0', rest = '0'] = [leastOf[index], restOf[index]];
    const most = showAmount(addAmounts(amountOf(least), amountOf(rest)), decimals);
    if (members.length === 0) return { likely: least, most };
    if (savings.length > 0) return { likely: isLikelyKnown ? least : notKnown, most };
    const missing = whyMissing(members, savedBy === savedMoney);
    return { likely: missing, most: missing };
  });
}

/** Why findings save nothing that can be told: ledgers that disagree save nothing, and branches no compute. */
function whyMissing(members: readonly FoundFinding[], isOfMoney: boolean): Cell {
  const ofCompute = members.filter(({ finding }) => finding.endpoint_id !== undefined);
  if (ofCompute.length > 0) {
    return ofCompute.every(({ finding }) => finding.hoursPerMonth === undefined)
      ? notKnown
      : { missing: 'unpriced' };
  }
  const isOfBranches = members.some(({ finding }) => finding.kind === 'branch_sprawl');
  return isOfMoney && isOfBranches ? { missing: 'unpriced' } : undefined;
}
