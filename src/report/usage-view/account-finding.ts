import { type ReviewCase, reviewedUntil, reviewFindings } from '../../cost/finding/finding-review.ts';
import { type Amount, amountNumber } from '../../cost/money/money.ts';
import type { UsageHistory } from '../../history/usage/usage-history.ts';
import { compact } from '../../resources/field.ts';
import type { Saving } from '../../resources/finding.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { AccountFindings } from '../../resources/usage/view.ts';

/** Looks for the findings of an account, and has their money as numbers of the currency, as metrics do. */
export function lookForFindings(
  history: UsageHistory,
  { account, knownUntilAt }: { readonly account: string; readonly knownUntilAt: number },
  projects: readonly UsageProject[],
  review: Pick<ReviewCase, 'rules' | 'prices' | 'reviewed'>,
): AccountFindings {
  const { prices } = review;
  const untilAt = reviewedUntil(knownUntilAt);
  const { open, branches, done } = reviewFindings({ ...review, history, untilAt }, projects);
  const currency = prices && { currency: prices.book.displayCurrency };
  return {
    findings: open.map(({ finding }) => ({ ...inNumbers(finding), ...currency })),
    // Before branches were read it is not known that there are none.
    ...(history.branches.extent(account, untilAt) !== 'none' && {
      branchFindings: branches.map(({ finding }) => ({ ...inNumbers(finding), ...currency })),
    }),
    doneFindings: done.map(({ finding: { costPerMonth, ...said } }) => {
      return {
        ...said,
        ...currency,
        ...compact({ costPerMonth: costPerMonth && amountNumber(costPerMonth) }),
      };
    }),
  };
}

/** A finding with its money as numbers of the currency. */
function inNumbers<Of extends { readonly costPerMonth?: Saving<Amount> }>({ costPerMonth, ...said }: Of) {
  if (costPerMonth === undefined) return said;
  const { likely, most } = costPerMonth;
  return {
    ...said,
    costPerMonth: { ...compact({ likely: likely && amountNumber(likely) }), most: amountNumber(most) },
  };
}
