import type { Period } from '../../cost/calendar/calendar.ts';
import { maxOf } from '../../resources/min-max.ts';
import type { PriceBook } from '../../resources/price-book.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { ReportSubject } from '../content.ts';
import { countedFrom, countedLedger } from '../counted-ledger.ts';
import { describeCoverage } from '../coverage.ts';
import { describeLedgers } from '../ledger-note.ts';
import { describeSums } from '../told-sum.ts';
import { describeUnplaced } from '../unplaced.ts';
import type { GroupCosts } from './group-page.ts';

/** Since when the use of all accounts of projects is known. */
export function knownFrom({ history, request }: ReportSubject, members: readonly UsageProject[]): number {
  const accounts = new Set(members.map(({ account }) => account));
  return maxOf([...accounts].map(account => countedFrom(history, countedLedger(request), account)));
}

/** How much is known of a period that is known from an instant on. */
export function knownOf(knownFromAt: number, { fromAt, untilAt }: Period): GroupCosts['knownBefore'] {
  if (knownFromAt <= fromAt) return 'all';
  return knownFromAt < untilAt ? 'part' : 'nothing';
}

/** Gaps in the accounts that projects of a group are in, and the ledgers of their compute. */
export function describeKnown(
  { history, request }: ReportSubject,
  book: PriceBook,
  members: readonly UsageProject[],
) {
  const accounts = history.accounts.filter(name => members.some(({ account }) => account === name));
  const own = { ...history, accounts };
  const ledger = countedLedger(request);
  const { gaps, notes } = describeCoverage(own, request.span, request.now, ledger);
  const sums = describeSums(own, request);
  return {
    gaps: [...gaps, ...sums, ...describeUnplaced(own, request.span, ledger)],
    notes,
    ledgers: describeLedgers({ history: own, request }, book),
  };
}
