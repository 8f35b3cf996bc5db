import { billingCalendar } from '../../../cost/calendar/billing-calendar.ts';
import { labelBilling } from '../../../cost/calendar/billing-name.ts';
import { type Period, periodsBetween } from '../../../cost/calendar/calendar.ts';
import type { ReportPeriod } from '../../../cost/calendar/report-period.ts';
import type { PriceBook } from '../../../resources/price-book.ts';
import { writeInstant, writeMaybeInstant } from '../../answer-field.ts';
import { choosePeriod, nameBefore, offerPeriods } from '../../chosen-period.ts';
import { type ConsoleSources, hasHistory } from '../../page.ts';
import { writeReport } from '../../report-field.ts';
import { type KeyedRow, keyRows, keyTotals } from '../../report-row.ts';
import type { Invoice, InvoiceAnswer, InvoiceLine } from './invoice-answer.ts';

export interface InvoiceQuery {
  readonly period: string;
  readonly account: string;
}

/** Billing periods whose state is told. */
const mostBillingPeriods = 36;

/** The lines of the bill of a period. */
export async function readInvoice(
  sources: ConsoleSources,
  { period: word, account }: InvoiceQuery,
  now: number,
): Promise<InvoiceAnswer> {
  const { config, reports } = sources;
  const accounts = config.accounts.map(({ name }) => name);
  const { pricing } = config;
  const period = choosePeriod(config, word, now);
  const period_before = nameBefore(config, period, now);
  const periods = offerPeriods(config, now, ['billing', 'last-billing', period_before]);
  if (pricing === undefined || !hasHistory(sources)) {
    return { has_prices: pricing !== undefined, accounts, periods, invoice: null };
  }
  const asked = { period: word, ...(account !== '' && { account }) };
  const report = await reports.ask('cost', { ...asked, by: 'line' });
  const invoice: Invoice = {
    ...writeReport(report),
    period_before,
    account: account || null,
    lines: keyRows(report).map(writeLine),
    total: keyTotals(report)?.decimal('cost') ?? null,
    billing_periods: findStates(sources, pricing, {
      period,
      now,
      accounts: account === '' ? accounts : [account],
    }),
    ledger: pricing.ledger ?? null,
    fingerprint: report.fingerprint ?? null,
    exchange_rates: findRates(pricing, period),
  };
  return { has_prices: true, accounts, periods, invoice };
}

function writeLine(row: KeyedRow): InvoiceLine {
  const text = (key: string) => row.text(key) || null;
  return {
    account: row.text('account') ?? '',
    line: row.text('line') ?? '',
    plan: text('plan'),
    tier: row.count('tier') ?? null,
    quantity: row.decimal('quantity'),
    unit: text('unit'),
    included: row.decimal('included'),
    price: text('price'),
    cost: row.decimal('cost'),
    no_cost: row.reason('cost') ?? null,
  };
}

/** The billing periods that begin in a period, and whether each is closed. */
function findStates(
  { history }: ConsoleSources,
  { billingPeriod }: PriceBook,
  {
    period,
    now,
    accounts,
  }: { readonly period: ReportPeriod; readonly now: number; readonly accounts: readonly string[] },
): Invoice['billing_periods'] {
  const { billedStretch } = period;
  const begun = periodsBetween(billingCalendar(billingPeriod), billedStretch).filter(
    ({ fromAt }) => fromAt >= billedStretch.fromAt && fromAt < now,
  );
  const closings = history.look(({ closings }) => closings.within(billedStretch)) ?? [];
  return begun.slice(-mostBillingPeriods).flatMap(each =>
    accounts.map(account => {
      const closing = closings.find(closed => closed.account === account && closed.fromAt === each.fromAt);
      return {
        account,
        billing_period: labelBilling(each),
        state:
          closing !== undefined
            ? ('closed' as const)
            : isOver(each, now)
              ? ('open' as const)
              : ('running' as const),
        closed_at: writeMaybeInstant(closing?.closedAt),
        fingerprint: closing?.fingerprint ?? null,
      };
    }),
  );
}

function isOver({ untilAt }: Period, now: number): boolean {
  return untilAt <= now;
}

/** The exchange rates that held in a period. */
function findRates({ exchangeRates }: PriceBook, { fromAt, untilAt }: Period): Invoice['exchange_rates'] {
  const holds = (index: number) => {
    const rate = exchangeRates[index];
    const next = exchangeRates.slice(index + 1).find(({ currency }) => currency === rate?.currency);
    return rate !== undefined && rate.fromAt < untilAt && (next === undefined || next.fromAt > fromAt);
  };
  return exchangeRates
    .filter((_, index) => holds(index))
    .map(({ currency, fromAt: since, rate }) => ({ currency, from: writeInstant(since), rate }));
}
