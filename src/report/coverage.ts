import type { ReportHistory } from '../history/usage/report-history.ts';
import { dayMs, hourMs, minuteMs } from '../resources/duration.ts';
import { smallest } from '../resources/extreme.ts';
import type { ReportSpan } from './format/report.ts';
import { showInstant } from './format/shown-cell.ts';

/** Sentences on the parts of a period that the history does not know, and notes on how far it does. */
export interface Coverage {
  readonly gaps: readonly string[];
  readonly notes: readonly string[];
}

/** A daemon that polls its lists is never further behind. */
const freshMs = 15 * minuteMs;

/**
 * Compares a period with the time the history knows of each account, and with the detail in which it is kept.
 *
 * @param now epoch milliseconds; later instants are no gap.
 */
export function describeCoverage(history: ReportHistory, span: ReportSpan, now: number): Coverage {
  const accounts = history.accounts.map(account => describeAccount(history, account, span, now));
  return {
    gaps: [...accounts.flatMap(({ gaps }) => gaps), ...describeKept(history, span)],
    notes: accounts.flatMap(({ notes }) => notes),
  };
}

function describeAccount(
  { usage }: Pick<ReportHistory, 'usage'>,
  account: string,
  span: ReportSpan,
  now: number,
): Coverage {
  const show = (at: number) => showInstant(at, span.timezone);
  const knownFromAt = usage.knownFrom(account);
  const knownUntilAt = usage.knownUntil(account);
  if (knownFromAt === undefined || knownUntilAt === undefined) {
    return { gaps: [`Nothing is known of account ${account} yet.`], notes: [] };
  }
  const gaps: string[] = [];
  const notes: string[] = [];
  if (span.fromAt < knownFromAt) {
    gaps.push(`What all projects of account ${account} used is known only from ${show(knownFromAt)} on.`);
  }
  if (knownUntilAt < Math.min(span.untilAt, now - freshMs)) {
    gaps.push(`Account ${account} was last read at ${show(knownUntilAt)}: what was used since is not known.`);
  } else if (knownUntilAt < span.untilAt || span.untilAt === now) {
    notes.push(`Account ${account} is known until ${show(knownUntilAt)}.`);
  }
  return { gaps, notes };
}

/** Sentences on the parts of a period that are kept in hours or days alone, or no longer. */
function describeKept({ accounts, usage, keptFromAt }: ReportHistory, span: ReportSpan): string[] {
  const show = (at: number) => showInstant(at, span.timezone);
  const beganAt = smallest(accounts.flatMap(account => usage.knownFrom(account) ?? []));
  const blurred = [span.fromAt, span.untilAt].filter(at => at > beganAt && isBlurred(at, keptFromAt));
  const gaps = [...new Set(blurred)].map(at => {
    const kept = at < keptFromAt.hours ? 'day' : 'hour';
    return `Around ${show(at)} use is kept by ${kept} alone: what of that ${kept} was used before and after it is estimated, as if it had been used evenly.`;
  });
  return span.fromAt < keptFromAt.days
    ? [...gaps, `Use is kept only from ${show(keptFromAt.days)} on.`]
    : gaps;
}

/** Whether an instant lies within an hour or day of which only the total is kept. */
function isBlurred(at: number, kept: ReportHistory['keptFromAt']): boolean {
  if (at >= kept.samples) return false;
  return at % (at >= kept.hours ? hourMs : dayMs) !== 0;
}
