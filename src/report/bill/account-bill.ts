import type { Config } from '../../config/config.ts';
import { billingCalendar } from '../../cost/calendar/billing-calendar.ts';
import { labelBilling } from '../../cost/calendar/billing-name.ts';
import { planLines } from '../../cost/closing/frozen-bill.ts';
import { currencyDecimals, showAmount } from '../../cost/money/money.ts';
import { type CostLine, sumLines } from '../../cost/rating/cost-line.ts';
import { shareByGroup } from '../../cost/rating/group-share.ts';
import { isClosed } from '../../history/closing/closed-period.ts';
import { oneHistory } from '../../history/file/history-list.ts';
import { readReportHistories } from '../../history/merge/report-reading.ts';
import type { ReportHistory } from '../../history/usage/report-history.ts';
import { Failure } from '../../resources/failure.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import { chooseAccounts, refuseNoHistory } from '../chosen-history.ts';
import { describeUnknown } from '../format/cost-text.ts';
import { describeGaps } from '../format/gap-text.ts';
import { findGaps, type ProjectGap } from '../gap.ts';
import { describeKnownUse } from '../known-use.ts';
import { describeLedgers, nameLedgers } from '../ledger-note.ts';
import { describeUnpricedThings, findAcceptedUse } from '../money-note.ts';
import { type ReportRequest, readRequest } from '../request.ts';
import { priceUse, requirePricing } from '../row/scoped-cost.ts';

/** A billing period as it is asked for, with its accounts. */
export interface BillOptions {
  /** Such as `billing:2026-10`. */
  readonly period?: string;
  readonly account?: string;
}

/** The context a bill is asked for in; `now` is in epoch milliseconds. */
export interface BillContext {
  readonly config: Config;
  readonly now: number;
}

/**
 * Reads which billing period is meant: the last one by default.
 *
 * @throws Failure when there are no prices, or when it is not one whole billing period that is over.
 */
export async function readBilledPeriod(
  { period = 'last-billing', account }: BillOptions,
  { config, now }: BillContext,
): Promise<ReportRequest> {
  const book = requirePricing({ config });
  const options = { period, format: 'table' as const, ...(account !== undefined && { account }) };
  const request = await readRequest({ kind: 'cost', options, config, now }, () => {});
  const { fromAt, untilAt } = request.span;
  const whole = billingCalendar(book.billingPeriod)(fromAt);
  if (whole.fromAt === fromAt && whole.untilAt > now) {
    const end = new Date(whole.untilAt).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length);
    throw new Failure(
      `--period: the billing period ${labelBilling(whole)} is not over: it ends at ${end.replace('T', ' ')} UTC`,
      'usage',
    );
  }
  if (whole.fromAt === fromAt && whole.untilAt === untilAt) return request;
  throw new Failure(
    `--period: "${period}" is not one whole billing period: write last-billing, or billing:2026-10 for the one that begins in October`,
    'usage',
  );
}

/** The bill of an account for a billing period, as it is known now. */
export interface AccountBill {
  readonly account: string;
  readonly lines: readonly CostLine[];
  /** Works out lines of no use, with the plans of projects that `lines` does not tell. */
  readonly planLines: () => readonly CostLine[];
  /** Sentences on the ledgers that compute is charged by, and on what has no price. */
  readonly notes: readonly string[];
  /** Sentences on what is not known of the period. */
  readonly unknown: readonly string[];
  /** Gaps in the use of projects, and whether the account as a whole is known from the beginning to the end. */
  readonly gaps: readonly ProjectGap[];
  readonly isCovered: boolean;
  /** All that the history knows of the account. */
  readonly projects: readonly UsageProject[];
  /** Since when the period is closed, where it is; epoch milliseconds. */
  readonly closedAt?: number;
}

/**
 * Works out the bill of each account that is asked for.
 *
 * @throws Failure when there is no history or account, HistoryError when the history cannot be read.
 */
export function workOutBills(request: ReportRequest): readonly AccountBill[] {
  return readAccounts(request).map(account =>
    lookAt(
      request,
      () => [account],
      history => workOut(request, history, account),
    ),
  );
}

/** The accounts that are asked for. */
export function readAccounts(request: ReportRequest): readonly string[] {
  let accounts: readonly string[] = [];
  // Nothing of them is read for that.
  const choose = (known: readonly string[]) => {
    accounts = chooseAccounts(request, known);
    return [];
  };
  return lookAt(request, choose, () => accounts);
}

function lookAt<Found>(
  { config }: ReportRequest,
  choose: (known: readonly string[]) => readonly string[],
  read: (history: ReportHistory) => Found,
): Found {
  const file = oneHistory(config.history.file);
  return readReportHistories([file], choose, read) ?? refuseNoHistory(file);
}

function workOut(request: ReportRequest, history: ReportHistory, account: string): AccountBill {
  const book = requirePricing(request);
  const groups = shareByGroup(request.config.groupings);
  const { span } = request;
  const asOf = Math.min(request.now, history.usage.knownUntil(account) ?? 0);
  const costing = priceUse({ history, request, groups }, book);
  const worked = costing.billLines(account, span, asOf);
  const lines = nameLedgers(history, book, worked);
  const accepted = findAcceptedUse({ history, request, groups }, book);
  const gaps = findGaps({ history, request, groups });
  const coverage = describeKnownUse(history, request).gaps;
  const closed = history.closings.find(each => isClosed(each) && each.fromAt === span.fromAt);
  return {
    account,
    lines,
    planLines: () => planLines(costing, book, account, span, lines),
    notes: [
      ...describeLedgers({ history, request }, book),
      ...describeUnpricedThings(costing, request, book),
    ],
    gaps,
    projects: history.usage.projects,
    ...(closed && { closedAt: closed.closedAt }),
    isCovered: coverage.length === 0,
    unknown: [
      ...coverage,
      ...describeGaps(gaps, span, book.displayCurrency).gaps,
      ...describeUnknown([sumLines(lines)], accepted.cuMs),
    ],
  };
}

/** The sum of a bill, such as `19.51 EUR`. */
export function showSum(lines: readonly CostLine[], currency: string): string {
  return `${showAmount(sumLines(lines).amount, currencyDecimals(currency))} ${currency}`;
}
