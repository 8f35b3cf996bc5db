import type { Config } from '../../config/config.ts';
import { billingCalendar } from '../../cost/calendar/billing-calendar.ts';
import { labelBilling } from '../../cost/calendar/billing-name.ts';
import { Failure } from '../../resources/failure.ts';
import { type ReportRequest, readRequest } from '../request.ts';
import { requirePricing } from '../row/scoped-cost.ts';

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
  const book = requirePricing({ request: { config } });
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
