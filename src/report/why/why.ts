import { explainDifference } from '../../cost/difference/bill-difference.ts';
import { lineValues } from '../../cost/difference/valued-use.ts';
import { currencyDecimals, showAmount } from '../../cost/money/money.ts';
import { hourPriceBook } from '../../cost/price/empty-price-book.ts';
import { type CostLine, sumLines } from '../../cost/rating/cost-line.ts';
import type { Costing } from '../../cost/rating/costing.ts';
import type { ReportHistory } from '../../history/usage/report-history.ts';
import { hourMs, secondMs } from '../../resources/duration.ts';
import { maxOf, minOf } from '../../resources/min-max.ts';
import type { PriceBook } from '../../resources/price-book.ts';
import { sumOf } from '../../resources/sum.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { ReportContent, ReportSubject } from '../content.ts';
import { countedFrom, countedLedger } from '../counted-ledger.ts';
import { describeUnknown, subtractShown } from '../format/cost-text.ts';
import { hourDecimals, showHourTotal } from '../format/hour-text.ts';
import { periodPhrase } from '../format/period-name.ts';
import { type ReportSpan, tabulate } from '../format/report.ts';
import { showInstant } from '../format/shown-cell.ts';
import { describeBothLedgers } from '../ledger-note.ts';
import { describeUnreadMinimums } from '../minimum-note.ts';
import { findAcceptedUse } from '../money-note.ts';
import type { ReportRequest } from '../request.ts';
import { findProjects } from '../row/found-project.ts';
import { priceUse } from '../row/scoped-cost.ts';
import { causeColumns, causeRows, hourCauseColumns } from './cause-row.ts';
import { sayUnknown, summarizeDifference } from './sentence.ts';
import { gatherSmall, showCauses } from './shown-cause.ts';

/** Where less of a period is known, what is known of it is nothing to compare with. */
const leastKnown = 0.5;

type ComparedRequest = ReportRequest & { readonly against: NonNullable<ReportRequest['against']> };

/** The report of why a period cost more or less than the one it is compared with; without prices, why it used more or less. */
export function reportWhy(subject: ReportSubject): ReportContent {
  const { pricing } = subject.request.config;
  const book = pricing ?? hourPriceBook;
  const currency = pricing?.displayCurrency;
  const request = requireAgainst(subject.request);
  const { span, against } = request;
  const isComparable = [span, against.span].every(each => knownShareOf(subject, each) >= leastKnown);
  const { difference, before, after, isKept } = compareBills(subject, request, book, isComparable);
  const accepted = {
    before: findAcceptedUse({ ...subject, request: { ...request, ...against } }, book),
    after: findAcceptedUse(subject, book),
  };
  const decimals = currency === undefined ? hourDecimals : currencyDecimals(currency);
  const cost = showAmount(difference.after, decimals);
  const costBefore = showAmount(difference.before, decimals);
  const more = subtractShown(cost, costBefore, decimals) ?? '';
  const hours = currency === undefined ? more : showHourTotal(difference.causes.map(({ cuMs = 0 }) => cuMs));
  const totals = { difference: more, hours };
  const causes = showCauses(difference.causes, totals, decimals);
  const { shown, leftOut } = gatherSmall(causes, request);
  const bills = { before: costBefore, after: cost, difference: totals.difference, causes };
  const [inBefore = '', inAfter = ''] = [against.span, span].map(({ label }) => ` in ${periodPhrase(label)}`);
  return {
    title: `Why the ${currency === undefined ? 'use' : 'cost'} changed against ${periodPhrase(against.span.label)}`,
    ...(currency !== undefined && { currency }),
    against: {
      of: currency === undefined ? 'compute_hours' : 'cost',
      period: against.span,
      before: costBefore,
      after: cost,
      isComparable,
    },
    summary: (isComparable ? summarizeDifference : sayUnknown)(bills, {
      ...{ request, against, currency, decimals },
    }),
    ...tabulate(currency === undefined ? hourCauseColumns : causeColumns, causeRows(shown), totals),
    notes: [
      ...(pricing === undefined
        ? []
        : describeBothLedgers(
            [{ ...subject, request: against }, subject],
            [pricing, pricing],
            [inBefore, inAfter],
          )),
      ...new Set([...accepted.before.notes, ...accepted.after.notes]),
      ...(request.group === undefined || pricing === undefined ? [] : [groupNote]),
      ...(leftOut > 0 ? [otherNote(leftOut, request.top)] : []),
      ...(isKept ? [] : [keptNote(subject.history.keptFromAt.samples, span.timezone)]),
    ],
    gaps: [
      ...describeUnknown([sumLines(before)], accepted.before.cuMs, inBefore),
      ...describeUnknown([sumLines(after)], accepted.after.cuMs, inAfter),
      ...describeUnreadMinimums({ ...subject, request: { ...request, ...against } }, book),
      ...describeUnreadMinimums(subject, book),
    ],
  };
}

/** @param isComparable whether enough is known of both periods: otherwise the causes are all that the other one cost. */
function compareBills(
  subject: ReportSubject,
  { span, against }: ComparedRequest,
  book: PriceBook,
  isComparable: boolean,
) {
  const { history, onProgress } = subject;
  const stretch = {
    fromAt: Math.min(span.fromAt, against.span.fromAt),
    untilAt: Math.max(span.untilAt, against.span.untilAt),
  };
  const costing = priceUse(subject, book);
  const before = isComparable ? billLines(subject, costing, against) : [];
  const after = billLines(subject, costing, subject.request);
  const isKept = stretch.fromAt >= history.keptFromAt.samples;
  const projects = findProjects(history.usage.projects, [...before, ...after]);
  let looked = 0;
  const difference = explainDifference({
    periods: { before: against.span, after: span },
    ...{ before, after, projects },
    values: lineValues(book, costing),
    endpointsOf: project => {
      looked += 1;
      onProgress(looked / projects.length);
      return isKept ? history.endpoints.pasts(project, stretch) : undefined;
    },
  });
  return { difference, before, after, isKept };
}

/** Use and charges of a period, as far as they are known; where it is cut, as they were known at its end. */
function billLines(
  { history, request, groups }: ReportSubject,
  costing: Costing,
  { span, billedStretch }: Pick<ReportRequest, 'span' | 'billedStretch'>,
): CostLine[] {
  const latestAt = request.against?.isCut === true ? span.untilAt : request.now;
  if (request.group !== undefined) {
    const isMember = (project: UsageProject) => groups.groupOf(request.grouping, project) === request.group;
    return [...costing.usageLines(span, isMember)];
  }
  const charges = history.accounts.flatMap(account => {
    const asOf = Math.min(latestAt, history.usage.knownUntil(account) ?? 0);
    return costing.chargeLines(billedStretch, asOf, each => each === account, [span]);
  });
  return [...costing.usageLines(span), ...charges];
}

/** The part of a period in which the use of its accounts is known, 0 to 1: the mean of all accounts. */
function knownShareOf(
  { history, request }: ReportSubject,
  { fromAt, untilAt }: ReportRequest['span'],
): number {
  const ledger = countedLedger(request);
  const shares = history.accounts.map(account => {
    const knownFromAt = Math.max(fromAt, countedFrom(history, ledger, account));
    return Math.max(0, untilAt - knownFromAt) / (untilAt - fromAt);
  });
  return shares.length === 0 ? 0 : sumOf(shares) / shares.length;
}

function requireAgainst(request: ReportRequest): ComparedRequest {
  const { against } = request;
  if (against === undefined) throw new Error('why is asked of two periods');
  return { ...request, against };
}

const groupNote = 'Base fees, minimums and other charges are of accounts, and in no difference of one group.';

function otherNote(count: number, top: number | undefined): string {
  const remedy = top === undefined ? 'csv and json have each of them' : 'leave --top out for each of them';
  return `${count} smaller causes are in one row: ${remedy}.`;
}

function keptNote(at: number, timezone: string): string {
  return `When endpoints were awake is kept only from ${showInstant(at, timezone)} on: why projects used more or less before is not known.`;
}

/**
 * Where one of two compared periods is not over, both are cut to the time of it that is known; other requests stay as
 * they are.
 */
export function cutAlike<Request extends ReportRequest>(
  request: Request,
  { accounts, usage }: ReportHistory,
): Request {
  const { against, span, now } = request;
  if (against === undefined) return request;
  const known = accounts.flatMap(account => usage.knownUntil(account) ?? []);
  const reachedAt = known.length === 0 ? now : Math.min(now, maxOf(known));
  const open = [span, against.span].filter(({ untilAt }) => untilAt === now);
  const lengthMs = minOf(open.map(({ fromAt }) => Math.max(secondMs, reachedAt - fromAt)));
  const longestMs = maxOf([span, against.span].map(({ fromAt, untilAt }) => untilAt - fromAt));
  // A day of a zone may be an hour longer than another one.
  const isShortened = open.length > 0 && longestMs - lengthMs > now - reachedAt + hourMs;
  const cut = (each: ReportSpan) => ({ ...each, untilAt: Math.min(each.untilAt, each.fromAt + lengthMs) });
  return {
    ...request,
    span: cut(span),
    against: { ...against, span: cut(against.span), isCut: open.length > 0, isShortened },
  };
}
