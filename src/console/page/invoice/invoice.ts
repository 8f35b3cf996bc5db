import * as v from 'valibot';
import { definePage } from '../../page.ts';
import { text } from '../../parameter.ts';
import { invoiceAnswer } from './invoice-answer.ts';
import { drawInvoice, drawInvoiceHead } from './invoice-drawing.ts';
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
  titleOf: ({ invoice }) => invoice?.title ?? 'Invoice',
  asOf: ({ invoice }) => invoice?.generated_at,
  head: drawInvoiceHead,
  draw: drawInvoice,
});
