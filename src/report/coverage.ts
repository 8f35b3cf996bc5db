import { isSeveral } from '../history/file/history-list.ts';
import type { CpuSourceSince, ReportHistory } from '../history/usage/report-history.ts';
import { dayMs, hourMs, minuteMs } from '../resources/duration.ts';
import { minOf } from '../resources/min-max.ts';
import { nameShards } from '../resources/shard.ts';
import { type CountedLedger, isMetered } from './counted-ledger.ts';
import type { ReportSpan } from './format/report.ts';
import { showInstant } from './format/shown-cell.ts';
import type { ReportRequest } from './request.ts';

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
 * @param ledger what compute is counted by.
 */
export function describeCoverage(
  history: ReportHistory,
  span: ReportSpan,
  now: number,
  ledger: CountedLedger = 'reported',
): Coverage {
  const accounts = history.accounts.map(account => describeAccount(history, account, span, now, ledger));
  return {
    gaps: [...accounts.flatMap(({ gaps }) => gaps), ...describeKept(history, span, ledger)],
    notes: accounts.flatMap(({ notes }) => notes),
  };
}

function describeAccount(
  history: ReportHistory,
  account: string,
  span: ReportSpan,
  now: number,
  ledger: CountedLedger,
): Coverage {
  const { usage } = history;
  const show = (at: number) => showInstant(at, span.timezone);
  const knownFromAt = usage.knownFrom(account);
  const knownUntilAt = usage.knownUntil(account);
  if (knownUntilAt !== undefined && !usage.projects.some(project => project.account === account)) {
    return { gaps: [], notes: [`Account ${account} has no projects.`] };
  }
  if (knownFromAt === undefined || knownUntilAt === undefined) {
    return { gaps: [`Nothing is known of account ${account} yet.`], notes: [] };
  }
  const { gaps, notes } = describeBeginning(history, account, knownFromAt, span, ledger);
  const dueAt = Math.min(span.untilAt, now - freshMs);
  if (knownUntilAt < dueAt) return { gaps: [...gaps, ...describeLate(history, account, dueAt, show)], notes };
  if (knownUntilAt >= span.untilAt && span.untilAt !== now) return { gaps, notes };
  return { gaps, notes: [...notes, `Account ${account} is known until ${show(knownUntilAt)}.`] };
}

/** Sentences on an account that was not read until an instant, one for each of several files that are behind. */
function describeLate(
  { usage, sources }: ReportHistory,
  account: string,
  at: number,
  show: (at: number) => string,
): string[] {
  const late = sources
    .filter(source => source.account === account && source.isRead)
    .map(source => ({ file: source.file, untilAt: source.knownUntilAt ?? 0 }))
    .filter(({ untilAt }) => untilAt < at);
  if (late.length === 0)
    return [
      `Account ${account} was last read at ${show(usage.knownUntil(account) ?? 0)}: what was used since is not known.`,
    ];
  return late.map(
    ({ file, untilAt }) =>
      `Of account ${account} the projects of ${file} were last read at ${show(untilAt)}: what these used since is not known.`,
  );
}

/** Sentences on the parts of a period that are kept in hours or days alone, or no longer, and are not by the meter. */
function describeKept(history: ReportHistory, span: ReportSpan, ledger: CountedLedger): string[] {
  const { usage, keptFromAt } = history;
  const show = (at: number) => showInstant(at, span.timezone);
  const isOther = (fromAt: number, untilAt: number) => (account: string) =>
    !isMetered(history, ledger, account, { fromAt, untilAt });
  const isKnown = (at: number) =>
    at > minOf(history.accounts.filter(isOther(at, at)).flatMap(each => usage.knownFrom(each) ?? []));
  const blurred = [span.fromAt, span.untilAt].filter(at => isKnown(at) && isBlurred(at, keptFromAt));
  const gaps = [...new Set(blurred)].map(at => {
    const kept = at < keptFromAt.hours ? 'day' : 'hour';
    return `Around ${show(at)} use is kept by ${kept} alone: what of that ${kept} was used before and after it is estimated, as if it had been used evenly.`;
  });
  const keptUntilAt = Math.min(keptFromAt.days, span.untilAt);
  return span.fromAt < keptFromAt.days && history.accounts.some(isOther(span.fromAt, keptUntilAt))
    ? [...gaps, `Use is kept only from ${show(keptFromAt.days)} on.`]
    : gaps;
}

/** Whether an instant lies within an hour or day that is kept as a total alone. */
function isBlurred(at: number, kept: ReportHistory['keptFromAt']): boolean {
  if (at >= kept.samples) return false;
  return at % (at >= kept.hours ? hourMs : dayMs) !== 0;
}

/**
 * Sentences on the part of a period before an account was watched; the meter of the service may tell of it.
 *
 * @param knownFromAt since when it is watched.
 */
function describeBeginning(
  history: ReportHistory,
  account: string,
  knownFromAt: number,
  span: ReportSpan,
  ledger: CountedLedger,
): Coverage {
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

/** Sentences on accounts whose compute in a period is not, or not all, counted from the list of projects. */
export function describeCpuSources(
  { accounts, cpuSources }: Pick<ReportHistory, 'accounts' | 'cpuSources'>,
  span: ReportSpan,
): readonly string[] {
  const isWithin = ({ fromAt, untilAt = Number.POSITIVE_INFINITY }: CpuSourceSince) =>
    fromAt < span.untilAt && untilAt > span.fromAt;
  const found = cpuSources.filter(each => accounts.includes(each.account) && isWithin(each));
  return found.map(({ account, fromAt, untilAt }) => {
    const show = (at: number) => showInstant(at, span.timezone);
    const until = untilAt === undefined ? '' : ` until ${show(untilAt)}`;
    return `From ${show(fromAt)}${until} the compute of account ${account} is counted from compute_time_seconds, which the service tells of each project, and not from cpu_used_sec in their list.`;
  });
}

/** Sentences on the shards whose projects are in no figure of a report; a shard that reports its own part misses nothing. */
export function describeMissingShards(
  history: Pick<ReportHistory, 'accounts' | 'missingShards'>,
  { kind, config }: Pick<ReportRequest, 'kind' | 'config'>,
): string[] {
  if (config.shard !== undefined && !isSeveral(config.history.file)) return [];
  return history.accounts.flatMap(account => {
    // API keys are those of the whole account, read by the first shard.
    const missing = history.missingShards(account).filter(({ index }) => kind !== 'keys' || index === 0);
    if (missing.length === 0) return [];
    const what =
      kind === 'keys' ? 'its API keys are not as they are now' : 'nothing of its projects is known';
    return [`The history of ${nameShards(missing)} of account ${account} is not there: ${what}.`];
  });
}
