import type { ReportHistory } from '../history/usage/report-history.ts';
import { type CountedLedger, isMetered } from './counted-ledger.ts';
import type { ReportSpan } from './format/report.ts';
import { showInstant } from './format/shown-cell.ts';

interface WatchedAccount {
  readonly account: string;
  /** Since when it is watched; epoch milliseconds. */
  readonly knownFromAt: number;
}

/** Sentences on the part of a period before an account was watched, of which the meter of the service may tell. */
export function describeBeginning(
  history: ReportHistory,
  { account, knownFromAt }: WatchedAccount,
  span: ReportSpan,
  ledger: CountedLedger,
): { readonly gaps: readonly string[]; readonly notes: readonly string[] } {
  if (span.fromAt >= knownFromAt) return { gaps: [], notes: [] };
  const show = (at: number) => showInstant(at, span.timezone);
  const early = { fromAt: span.fromAt, untilAt: Math.min(knownFromAt, span.untilAt) };
  const metered = history.usage.metered?.knownSpan(account);
  const told = {
    fromAt: Math.max(early.fromAt, metered?.fromAt ?? early.untilAt),
    untilAt: Math.min(early.untilAt, metered?.untilAt ?? early.untilAt),
  };
  const knownFrom = `What all projects of account ${account} used is known only from ${show(knownFromAt)} on`;
  if (told.fromAt >= told.untilAt) return { gaps: [`${knownFrom}.`], notes: [] };
  if (!isMetered(history, ledger, account, told)) {
    const isAll = told.fromAt === span.fromAt && told.untilAt === span.untilAt;
    const sentence = `What the service reports of account ${account} is known only from ${show(knownFromAt)} on, and what it metered from ${show(told.fromAt)} on.`;
    return isAll && ledger === 'each' ? { gaps: [], notes: [sentence] } : { gaps: [sentence], notes: [] };
  }
  return {
    gaps: [
      ...(early.fromAt < told.fromAt
        ? [`What all projects of account ${account} used is known only from ${show(told.fromAt)} on.`]
        : []),
      ...(told.untilAt < early.untilAt
        ? [
            `What all projects of account ${account} used from ${show(told.untilAt)} to ${show(early.untilAt)} is not known.`,
          ]
        : []),
    ],
    notes: [
      `What the service reports of account ${account} is known from ${show(knownFromAt)} on: from ${show(told.fromAt)} to ${show(told.untilAt)} its use is by the meter alone.`,
    ],
  };
}
