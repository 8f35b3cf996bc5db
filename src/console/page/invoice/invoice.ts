import * as v from 'valibot';
import { definePage } from '../../page.ts';
import { text } from '../../parameter.ts';
import { periodName } from '../../part/period-name.ts';
import { type InvoiceAnswer, invoiceAnswer } from './invoice-answer.ts';
import { drawInvoice, sayDates } from './invoice-drawing.ts';
import { readInvoice } from './invoice-reading.ts';

/** A billing period as an invoice that can be printed. */
export const invoicePage = definePage({
  path: '/cost/invoice',
  apiPath: '/cost/invoice',
  title: 'Invoice',
  summary: 'What a billing period is charged, line by line, as an invoice has it.',
  isListed: false,
  words: ['billing_period', 'price_book', 'included', 'ledger', 'unpriced'],
  query: v.object({
    period: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(200)), 'last-billing'),
    account: text(),
  }),
  answer: invoiceAnswer,
  read: (sources, query, { now }) => readInvoice(sources, query, now),
  titleOf: nameInvoice,
  draw: drawInvoice,
});

/** By the dates of its billing period, or by its own name where it has several or none. */
function nameInvoice({ invoice }: InvoiceAnswer): string {
  if (invoice === null) return 'Invoice';
  const [period, ...others] = new Set(invoice.billing_periods.map(each => each.billing_period));
  return period === undefined || others.length > 0
    ? `Invoice of ${periodName(invoice.period.label)}`
    : `Invoice of the billing period ${sayDates(period)}`;
}
