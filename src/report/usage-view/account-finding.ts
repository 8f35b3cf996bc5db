import { isDeepStrictEqual } from 'node:util';
import {
  type ReviewCase,
  type ReviewedFindings,
  reviewedUntil,
  reviewFindings,
} from '../../cost/finding/finding-review.ts';
import { type Amount, amountNumber } from '../../cost/money/money.ts';
import type { UsageHistory } from '../../history/usage/usage-history.ts';
import { compact } from '../../resources/field.ts';
import type { Saving } from '../../resources/finding.ts';
import type { FindingRules } from '../../resources/finding-rule.ts';
import type { PriceBook } from '../../resources/price-book.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { AccountFindings } from '../../resources/usage/view.ts';

/** The findings of an account, and what they rest on besides its history. */
export interface AccountReview {
  readonly reviewed: ReviewedFindings;
  readonly untilAt: number;
  readonly projects: number;
  readonly rules: FindingRules;
  readonly book: PriceBook | undefined;
  /** Before branches were read it is not known that there are no findings of them. */
  readonly areBranchesRead: boolean;
}

/** Looks for the findings of an account. */
export function reviewAccount(
  given: Pick<ReviewCase, 'rules' | 'prices'> & { readonly history: UsageHistory },
  { account, knownUntilAt }: { readonly account: string; readonly knownUntilAt: number },
  projects: readonly UsageProject[],
): AccountReview {
  const untilAt = reviewedUntil(knownUntilAt);
  return {
    reviewed: reviewFindings({ ...given, untilAt }, projects),
    ...{ untilAt, projects: projects.length, rules: given.rules, book: given.prices?.book },
    areBranchesRead: given.history.branches.extent(account, untilAt) !== 'none',
  };
}

/** Whether a review is one of the same hour and of as many projects, by the same rules and prices. */
export function isSameReview(
  { untilAt, projects, rules, book }: AccountReview,
  asked: ReviewCase,
  askedProjects: readonly UsageProject[],
): boolean {
  if (untilAt !== asked.untilAt || projects !== askedProjects.length) return false;
  return isDeepStrictEqual([rules, book], [asked.rules, asked.prices?.book]);
}

/** The findings of an account with their money as numbers of the currency, as metrics have it. */
export function describeFindings({ reviewed, book, areBranchesRead }: AccountReview): AccountFindings {
  const { open, branches, done } = reviewed;
  const currency = book && { currency: book.displayCurrency };
  return {
    findings: open.map(({ finding }) => ({ ...inNumbers(finding), ...currency })),
    ...(areBranchesRead && {
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
