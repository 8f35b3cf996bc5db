import { cutIntoSteps } from '../cost/calendar/step.ts';
import type { ReportHistory } from '../history/usage/report-history.ts';
import type { Span } from '../resources/duration.ts';
import { type CountedLedger, countedLedger } from './counted-ledger.ts';
import { showInstant } from './format/shown-cell.ts';
import type { ReportRequest } from './request.ts';

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
export function describeSums(
  history: MeteredHistory,
  request: Pick<ReportRequest, 'kind' | 'config' | 'span' | 'billedStretch' | 'step' | 'now'>,
): string[] {
  const ledger = countedLedger(request);
  if (!isShown(ledger, request)) return [];
  const isAll = ledger !== 'best' || hasMeteredThings(request);
  return history.accounts.flatMap(account => {
    const settledUntilAt = history.usage.metered?.knownSpan(account)?.untilAt ?? 0;
    // Of newer time compute is by what was reported.
    const cuts = cutsOf(request).filter(at => isAll || at < settledUntilAt);
    return [
      ...findCut(history, account, cuts).map(sum => describe(sum, history, request)),
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

function describe(
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
