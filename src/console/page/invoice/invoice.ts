import type { InferInput } from 'valibot';
import { billingCalendar } from '../../../cost/calendar/billing-calendar.ts';
import { labelBilling } from '../../../cost/calendar/billing-name.ts';
import { type Period, periodsBetween, zoneClockAt } from '../../../cost/calendar/calendar.ts';
import { tiersAt } from '../../../cost/price/price-lookup.ts';
import type { BrowsedClosing } from '../../../history/browse/history-browser.ts';
import { sayDates, sayDays } from '../../../report/format/period-name.ts';
import type { ReportSpan } from '../../../report/format/report.ts';
import type { PriceBook } from '../../../resources/price-book.ts';
import { writeInstant, writeMaybeInstant } from '../../answer-value.ts';
import { choosePeriod, nameBefore, offerPeriods } from '../../chosen-period.ts';
import { type ConsoleSources, definePage } from '../../page.ts';
import { writeReport } from '../../report-field.ts';
import { readRows, readTotals } from '../../report-row.ts';
import { type Invoice, type InvoiceQuery, invoiceAnswer, invoiceQuery } from './invoice-answer.ts';
import { drawInvoice, drawInvoiceHead } from './invoice-drawing.ts';

/** A billing period as an invoice that can be printed. */
export const invoicePage = definePage({
  path: '/cost/invoice',
  title: 'Invoice',
  summary: 'What a billing period is charged, line by line, as an invoice has it.',
  words: ['billing_period', 'price_book', 'included', 'ledger', 'unpriced'],
  query: invoiceQuery,
  answer: invoiceAnswer,
  read: (sources, query, { now }) => readInvoice(sources, query, now),
  titleOf: ({ invoice }) => invoice?.title ?? 'Invoice',
  asOf: ({ invoice }) => invoice?.generated_at,
  head: drawInvoiceHead,
  draw: drawInvoice,
});

/** Billing periods whose state is told. */
const mostBillingPeriods = 36;

/** The lines of the bill of a period: what it is called, how it stands and its figures are all of the period of one report. */
async function readInvoice(
  { config, reports, history }: ConsoleSources,
  { period: word, account }: InvoiceQuery,
  now: number,
): Promise<InferInput<typeof invoiceAnswer>> {
  const { pricing } = config;
  const accounts = config.accounts.map(({ name }) => name);
  const period_before = nameBefore(config, choosePeriod(config, word, now), now);
  const offer = (firstKnownAt?: number) =>
    offerPeriods(config, now, firstKnownAt, ['billing', 'last-billing', period_before]);
  const groupings = config.groupings.map(({ name }) => name);
  if (pricing === undefined) return { has_prices: false, accounts, groupings, ...offer(), invoice: null };
  const asked = { period: word, ...(account !== '' && { account }) };
  const report = await reports.ask('cost', { ...asked, by: 'line' });
  const { period, generatedAt } = report;
  const billed = listBilled(pricing, period, generatedAt);
  const closings = history.look(found => found.closings.within(period)) ?? [];
  const stateOf = describeState(closings, generatedAt);
  const listPrices = listPricesOf(pricing);
  const invoice = {
    ...writeReport(report),
    title: nameInvoice(billed, period),
    period_before,
    account: account || null,
    lines: readRows<'cost'>(report).map(({ account, line, missing, ...row }) => ({
      ...{ ...row, account: account ?? '', line: line ?? '', no_cost: missing.cost ?? null },
      list_price: listPrices.get(`${row.plan} ${row.price}`) ?? null,
    })),
    total: readTotals<'cost'>(report)?.cost ?? null,
    billing_periods: billed
      .slice(-mostBillingPeriods)
      .flatMap(each => (account === '' ? accounts : [account]).map(name => stateOf(name, each))),
    ledger: pricing.ledger ?? null,
    fingerprint: report.fingerprint ?? null,
    exchange_rates: findRates(pricing, period),
  };
  return { has_prices: true, accounts, groupings, ...offer(report.firstKnownAt), invoice };
}

/** The billing periods that a period is made of; the last may be running. None where it is another stretch of time. */
function listBilled({ billingPeriod }: PriceBook, { fromAt, untilAt }: Period, now: number): Period[] {
  const periods = periodsBetween(billingCalendar(billingPeriod), { fromAt, untilAt });
  const endsAt = periods.at(-1)?.untilAt ?? untilAt;
  const isMadeOf = periods[0]?.fromAt === fromAt && (endsAt === untilAt || untilAt === now);
  return isMadeOf ? periods : [];
}

function nameInvoice(billed: readonly Period[], period: ReportSpan): string {
  const [first, last] = [billed[0], billed.at(-1)];
  if (first === undefined || last === undefined) return `Charges of ${nameSpan(period)}`;
  return first === last
    ? `Invoice of the billing period ${sayDates(labelBilling(first))}`
    : `Invoice of ${billed.length} billing periods, ${nameSpan({ ...period, untilAt: last.untilAt })}`;
}

/** By its days, and by the minute where it begins or ends within one. */
function nameSpan({ fromAt, untilAt, timezone }: ReportSpan): string {
  const ends = [fromAt, untilAt].map(at => zoneClockAt(timezone, at));
  const isOfDays = ends.every(({ hour, minute, second }) => hour + minute + second === 0);
  const show = isOfDays ? 'YYYY-MM-DD'.length : 'YYYY-MM-DD HH:MM'.length;
  const texts = ends.map(end => end.toString().replace('T', ' ').slice(0, show));
  const [first = '', end = ''] = texts;
  return isOfDays ? sayDays(first, end) : `${first} until ${end} ${timezone}`;
}

/** Whether a billing period of an account is closed. */
function describeState(closings: readonly BrowsedClosing[], now: number) {
  return (account: string, { fromAt, untilAt }: Period): Invoice['billing_periods'][number] => {
    const closing = closings.find(closed => closed.account === account && closed.fromAt === fromAt);
    return {
      account,
      billing_period: labelBilling({ fromAt, untilAt }),
      state: closing !== undefined ? 'closed' : untilAt <= now ? 'open' : 'running',
      closed_at: writeMaybeInstant(closing?.closedAt),
      fingerprint: closing?.fingerprint ?? null,
    };
  };
}

/** The list price of each price of a compute hour, by its plan and as reports write it. */
function listPricesOf({ plans }: PriceBook): ReadonlyMap<string, string> {
  return new Map(
    plans.flatMap(plan =>
      plan.prices
        .flatMap(({ fromAt }) => tiersAt(plan, fromAt))
        .map(({ price }) => [`${plan.name} ${price.discounted} ${plan.currency}`, price.list] as const),
    ),
  );
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
