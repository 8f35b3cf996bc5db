import { cutIntoSteps } from '../cost/calendar/step.ts';
import type { UnattributedUse } from '../history/usage/attributed-usage-query.ts';
import type { ReportHistory } from '../history/usage/report-history.ts';
import type { Span } from '../resources/duration.ts';
import { maxOf } from '../resources/min-max.ts';
import { type CountedLedger, countedLedger, isMetered } from './counted-ledger.ts';
import { type Coverage, describeCoverage } from './coverage.ts';
import { showHourTotal } from './format/hour-text.ts';
import type { ReportSpan } from './format/report.ts';
import { separateThousands, showInstant } from './format/shown-cell.ts';
import type { ReportRequest } from './request.ts';

/**
 * All that is said of the use in some periods: what the history does not know, what is estimated, and what is left out; each
 * sentence once.
 *
 * @param isMeant whether use without a time belongs to a project that is meant.
 */
export function describeKnownUse(
  history: ReportHistory,
  request: ReportRequest,
  spans: readonly ReportSpan[] = [request.span],
  isMeant: (use: UnattributedUse) => boolean = () => true,
): Coverage {
  const ledger = countedLedger(request);
  const coverages = spans.map(span => describeCoverage(history, span, request.now, ledger));
  const each = (describe: (span: ReportSpan) => readonly string[]) => new Set(spans.flatMap(describe));
  return {
    gaps: [
      ...new Set(coverages.flatMap(({ gaps }) => gaps)),
      ...each(span => describeSums(history, { ...request, span }, ledger)),
      ...each(span => describeUnattributed(history, span, ledger, isMeant)),
    ],
    notes: [...new Set(coverages.flatMap(({ notes }) => notes))],
  };
}

type MeteredHistory = Pick<ReportHistory, 'accounts' | 'meter' | 'usage'>;

/** Time of which the sum alone is known, with the instants that cut it. */
interface CutSum extends Span {
  readonly account: string;
  readonly cuts: readonly number[];
}

/**
 * Sentences on the metered time that a period, or one of its steps, has a part of, while the sum of it alone is known: a month
 * cannot answer for ten days; and on what is not told yet.
 */
function describeSums(
  history: MeteredHistory,
  request: Pick<ReportRequest, 'config' | 'span' | 'billedStretch' | 'step' | 'now'>,
  ledger: CountedLedger,
): string[] {
  if (!isShown(ledger, request)) return [];
  const isAll = ledger !== 'best' || hasMeteredThings(request);
  return history.accounts.flatMap(account => {
    const settledUntilAt = history.usage.metered?.knownSpan(account)?.untilAt ?? 0;
    // Of newer time compute is by what was reported.
    const cuts = cutsOf(request).filter(at => isAll || at < settledUntilAt);
    return [
      ...findCut(history, account, cuts).map(sum => describeSum(sum, history, request)),
      ...(isAll ? describeLate(history, account, request) : []),
    ];
  });
}

/** A sentence where the meter is not told to the end of a period that is over. */
function describeLate(
  { meter, usage }: MeteredHistory,
  account: string,
  { span, now }: Pick<ReportRequest, 'span' | 'now'>,
): string[] {
  if (usage.metered?.knownSpan(account) === undefined) return [];
  const toldUntilAt = meter.toldUntil(account);
  if (span.untilAt > now || toldUntilAt === undefined || toldUntilAt >= span.untilAt) return [];
  return [
    `The meter of account ${account} has told of the time until ${showInstant(toldUntilAt, span.timezone)} alone: what was metered since is missing.`,
  ];
}

/** Whether anything of the meter is in the report. */
function isShown(ledger: CountedLedger, { config }: Pick<ReportRequest, 'config'>): boolean {
  return (ledger !== 'reported' && ledger !== 'reconstructed') || hasMeteredThings({ config });
}

function hasMeteredThings({ config }: Pick<ReportRequest, 'config'>): boolean {
  return config.pricing?.plans.some(({ metered = [] }) => metered.length > 0) === true;
}

function cutsOf({ span, billedStretch, step }: Pick<ReportRequest, 'span' | 'billedStretch' | 'step'>) {
  if (step === undefined) return [span.fromAt, span.untilAt];
  const steps = cutIntoSteps(step, { ...span, zone: span.timezone, billedStretch });
  return [span.fromAt, ...steps.map(({ untilAt }) => untilAt)];
}

function findCut(history: MeteredHistory, account: string, cuts: readonly number[]): CutSum[] {
  const found = new Map<number, CutSum>();
  for (const at of new Set(cuts)) {
    const sum = history.meter.sumAround(account, at);
    if (sum === undefined) continue;
    const { cuts: others = [] } = found.get(sum.fromAt) ?? {};
    found.set(sum.fromAt, { ...sum, account, cuts: [...others, at] });
  }
  return [...found.values()];
}

function describeSum(
  { account, fromAt, untilAt, cuts }: CutSum,
  { meter }: MeteredHistory,
  { span }: Pick<ReportRequest, 'span'>,
): string {
  const show = (at: number) => showInstant(at, span.timezone);
  const [first = fromAt, ...others] = cuts;
  const whole = {
    fromAt: meter.sumAround(account, span.fromAt)?.untilAt ?? span.fromAt,
    untilAt: meter.sumAround(account, span.untilAt)?.fromAt ?? span.untilAt,
  };
  const covered =
    whole.fromAt < whole.untilAt
      ? `What was metered from ${show(whole.fromAt)} to ${show(whole.untilAt)} is exact.`
      : 'No part of the period is exact; a period that has all of that time is.';
  return `Of what account ${account} was metered from ${show(fromAt)} to ${show(untilAt)} only the sum is known: how much of it was used ${others.length === 0 ? `before and after ${show(first)}` : 'in which part of that time'} is estimated. ${covered}`;
}

/**
 * Sentences on use that is left out of a period, as nothing tells when it was: one for each account whose operations
 * are still being imported, or whose operations never told. What is by the meter is known.
 */
export function describeUnattributed(
  { accounts, usage }: Pick<ReportHistory, 'accounts' | 'usage'>,
  span: ReportSpan,
  ledger: CountedLedger,
  isMeant: (use: UnattributedUse) => boolean,
): readonly string[] {
  return accounts.flatMap(account => {
    const isInReport = (untilAt: number) => {
      const stretch = { fromAt: span.fromAt, untilAt: Math.min(untilAt, span.untilAt) };
      return untilAt > span.fromAt && !isMetered({ usage }, ledger, account, stretch);
    };
    const unattributed = usage.unattributed(account).filter(use => isMeant(use) && isInReport(use.untilAt));
    if (unattributed.length === 0) return [];
    const projects = usage.projects.filter(project => project.account === account).length;
    const left = usage.importsLeft(account);
    const amount = describeAmount(unattributed, span);
    return left > 0
      ? `Account ${account} is still being imported: the operations of ${left} of ${count(projects, 'project')} are left. ${amount} are left out until then, with their cost and findings.`
      : `Account ${account}: ${amount} are left out, with their cost and findings. It is not known when they were used.`;
  });
}

function describeAmount(unattributed: readonly UnattributedUse[], { timezone }: ReportSpan): string {
  const untilAt = maxOf(unattributed.map(use => use.untilAt));
  const hours = showHourTotal(unattributed.map(({ cuMs }) => cuMs));
  return `${separateThousands(hours)} compute hours that ${count(unattributed.length, 'project')} used before ${showInstant(untilAt, timezone)}`;
}

function count(value: number, noun: string): string {
  return `${value} ${noun}${value === 1 ? '' : 's'}`;
}
