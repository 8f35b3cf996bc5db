import type { Problem } from '../config/problem.ts';
import { billingCalendar } from '../cost/calendar/billing-calendar.ts';
import { labelBilling } from '../cost/calendar/billing-name.ts';
import type { Period } from '../cost/calendar/calendar.ts';
import { findingWindowMs } from '../cost/finding/saving.ts';
import { fingerprintOf } from '../cost/price/fingerprint.ts';
import { shareByGroup } from '../cost/rating/group-share.ts';
import { lookAtHistory, type OpenHistory, type ReportHistory } from '../history/usage/report-history.ts';
import { compact } from '../resources/field.ts';
import { minOf } from '../resources/min-max.ts';
import type { PriceBook } from '../resources/price-book.ts';
import { chooseAccounts } from './chosen-history.ts';
import { isInReport, refuseUnknownProject } from './chosen-project.ts';
import { describeClosed } from './closed-note.ts';
import type { ReportContent } from './content.ts';
import { allCountedFrom, countedFrom, countedLedger } from './counted-ledger.ts';
import { describeCpuSources, describeMissingShards } from './coverage.ts';
import { describeGaps, writeGap } from './format/gap-text.ts';
import type { Report } from './format/report.ts';
import { onOneLine } from './format/shown-cell.ts';
import { findGaps } from './gap.ts';
import { describeKnownUse } from './known-use.ts';
import { reports } from './report-list.ts';
import { type ReportOrder, type ReportRequest, readRequest } from './request.ts';
import { scopeRule } from './row/scope.ts';
import { requirePricing } from './row/scoped-cost.ts';
import { withSteps } from './row/step.ts';
import { analyzeOnce, type WorkedOut } from './usage-view/calculator.ts';
import { cutAlike } from './why/why.ts';

/** Listeners to the making of a report. */
export interface ReportListeners {
  /** Called with each thing in a what-if price book that deserves a second look. */
  readonly onWarning: (warning: Problem) => void;
  /** Called in the course of long work with the part that is done, 0 to 1. */
  readonly onProgress: (done: number) => void;
  /** Tells budgets, forecasts and findings; without it the history is analyzed for them. */
  readonly worked?: WorkedOut;
}

/** A report, and a sentence on one line for each thing missing in it that was asked for; they are among its notes, too. */
export interface MadeReport extends Report {
  readonly gaps: readonly string[];
  /** Since when all use of its accounts is known; absent where they have none, and of keys and operations. */
  readonly knownFromAt?: number;
  /** The same of any of them; absent where nothing is known, too. */
  readonly firstKnownAt?: number;
}

/**
 * Makes reports of one look at the history: whatever a daemon writes meanwhile is in none of them.
 *
 * @param file of that history.
 * @param look gets the reports, each of which is made when it is called, and what opens the history of some accounts.
 * @returns undefined where there is no history yet.
 * @throws Failure when one cannot be made, ConfigFailure when a what-if price book has problems, HistoryError when the history
 *   cannot be read.
 */
export async function makeTogether<Made>(
  orders: readonly ReportOrder[],
  file: string,
  listeners: ReportListeners,
  look: (reports: readonly (() => MadeReport)[], open: OpenHistory) => Made,
): Promise<Made | undefined> {
  const requests = await Promise.all(orders.map(order => readOrder(order, listeners)));
  return lookAtHistory(file, open => {
    const make = (request: ReportRequest) => () =>
      fillReport(
        request,
        open(known => chooseAccounts(request, known)),
        listeners,
      );
    return look(requests.map(make), open);
  });
}

/** Reads what is asked for. @throws as `makeTogether`. */
export async function readOrder(order: ReportOrder, { onWarning }: ReportListeners): Promise<ReportRequest> {
  const request = await readRequest(order, onWarning);
  if (order.kind === 'cost' || order.kind === 'showback') requirePricing(request);
  return request;
}

/** Makes a report from the history of its accounts. */
export function fillReport(
  given: ReportRequest,
  history: ReportHistory,
  { onProgress, worked = workedOutOf(given) }: ReportListeners,
): MadeReport {
  refuseUnknownProject(given, history.usage.projects, given.config.history.file);
  const asked = cutAlike(given, history);
  const isFindings = asked.kind === 'findings';
  const span = isFindings ? { ...asked.span, fromAt: asked.span.untilAt - findingWindowMs } : asked.span;
  const request = { ...asked, span };
  const groups = shareByGroup(request.config.groupings);
  const ownRule = scopeRule(request.by, request.grouping, groups);
  const rule = request.step === undefined ? ownRule : withSteps(ownRule);
  const subject = { request, history, groups, rule, worked, onProgress };
  const { gaps: own, notes: ownNotes, ...content } = reports[request.kind].make(subject);
  const isOfUse = request.kind !== 'keys' && request.kind !== 'operations';
  const known = isOfUse ? findKnown(history, request) : {};
  // Each of its pages says what is missing in it.
  if (content.pages !== undefined) return finish(request, { ...content, ...known }, own, ownNotes);
  const spans = isOfUse ? [...(request.against ? [request.against.span] : []), span] : [];
  const { gaps, notes } = describeKnownUse(history, request, spans, isMeant(request, history));
  const unknownUse = isOfUse
    ? spans.flatMap(each => findGaps({ ...subject, request: { ...request, span: each } }))
    : undefined;
  const unknown = describeGaps(unknownUse ?? [], span, content.currency);
  const { pricing } = request.config;
  const isOfPeriod = request.kind === 'cost' || request.kind === 'months' || request.kind === 'usage';
  const closed = isOfPeriod && pricing !== undefined ? describeClosed(subject, pricing) : [];
  const allGaps = [...describeMissingShards(history, request), ...gaps, ...unknown.gaps, ...own];
  const unknownOf = unknownUse?.map(gap => writeGap(gap, content.currency));
  const more = { ...known, ...compact({ unknownUse: unknownOf }) };
  return finish(request, { ...content, ...more }, allGaps, [
    ...notes,
    ...new Set(spans.flatMap(each => describeCpuSources(history, each))),
    ...unknown.notes,
    ...closed,
    ...ownNotes,
  ]);
}

/** The work for a report alone, where no other goes on. */
function workedOutOf({ config }: ReportRequest): WorkedOut {
  return { view: (history, now) => analyzeOnce(config, history, now) };
}

/** A report with all that is missing in it, which is said first. */
function finish(
  { span, now, config: { pricing } }: ReportRequest,
  content: Omit<ReportContent, 'gaps' | 'notes'> & Pick<MadeReport, 'unknownUse'> & KnownTime,
  gaps: readonly string[],
  notes: readonly string[],
): MadeReport {
  const isOfMoney = pricing !== undefined && content.currency !== undefined;
  return {
    ...content,
    period: span,
    generatedAt: now,
    ...(isOfMoney && { fingerprint: fingerprintOf(pricing), ...findBilling(pricing, span) }),
    notes: [...gaps, ...notes],
    gaps: gaps.map(onOneLine),
    partial: gaps.length > 0,
  };
}

/** The billing period that a period lies in, where that is one. */
function findBilling({ billingPeriod }: PriceBook, { fromAt, untilAt }: Period) {
  const billing = billingCalendar(billingPeriod)(fromAt);
  return untilAt <= billing.untilAt && { billingPeriod: labelBilling(billing) };
}

type KnownTime = Pick<MadeReport, 'knownFromAt' | 'firstKnownAt'>;

/** Since when use is known of all accounts with projects, and of any of them. */
function findKnown(history: ReportHistory, request: ReportRequest): KnownTime {
  const ledger = countedLedger(request);
  const used = new Set(history.usage.projects.map(({ account }) => account));
  const known = history.accounts.filter(account => used.has(account));
  if (known.length === 0) return {};
  // A report that shows each ledger shows what the meter alone tells.
  const ofAny = ledger === 'each' ? 'best' : ledger;
  const firstKnownAt = minOf(known.map(account => countedFrom(history, ofAny, account)));
  return {
    knownFromAt: allCountedFrom(history, ledger, known),
    ...(Number.isFinite(firstKnownAt) && { firstKnownAt }),
  };
}

/** Whether use belongs to a project of the report. */
function isMeant({ project }: ReportRequest, { usage }: ReportHistory) {
  if (project === undefined) return () => true;
  const own = usage.projects.find(each => isInReport({ project }, each));
  return ({ project_ref }: { readonly project_ref: number }) => project_ref === own?.project_ref;
}
