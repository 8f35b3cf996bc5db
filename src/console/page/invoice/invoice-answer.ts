import * as v from 'valibot';
import { billLineColumns } from '../../../report/column/bill-line.ts';
import { computeLedgers } from '../../../resources/price-book.ts';
import { columnFields, decimalField, instantField } from '../../answer-field.ts';
import { offeredFields } from '../../chosen-period.ts';
import { period, text } from '../../parameter.ts';
import { reportFields } from '../../report-field.ts';

export const invoiceQuery = v.object({ period: period('last-billing'), account: text() });
export type InvoiceQuery = v.InferOutput<typeof invoiceQuery>;

const lineField = v.object({
  account: v.string(),
  ...columnFields(billLineColumns),
  line: v.string(),
  /** The price of a compute hour before its discount; null of other lines. */
  list_price: v.nullable(decimalField),
  /** Why there is no cost, such as `unpriced`. */
  no_cost: v.nullable(v.string()),
});

const stateField = v.object({
  account: v.string(),
  /** Its dates in UTC. */
  billing_period: v.string(),
  /** Closed: its bill stays as it was. Open: it is over and not closed. Running: it is not over. */
  state: v.picklist(['closed', 'open', 'running']),
  closed_at: v.nullable(instantField),
  /** The fingerprint of the price book it was closed with. */
  fingerprint: v.nullable(v.string()),
});

const rateField = v.object({ currency: v.string(), from: instantField, rate: decimalField });

const invoiceField = v.object({
  ...reportFields,
  /** As it is called: an invoice where it is of whole billing periods, or of the one that is running. */
  title: v.string(),
  period_before: v.string(),
  account: v.nullable(v.string()),
  lines: v.array(lineField),
  total: v.nullable(decimalField),
  /** The billing periods that it is made of; none where it is of another stretch of time. */
  billing_periods: v.array(stateField),
  /** The ledger that the price book charges compute by; null where it is by the best that is complete. */
  ledger: v.nullable(v.picklist(computeLedgers)),
  /** The fingerprint of the price book for open billing periods. */
  fingerprint: v.nullable(v.string()),
  /** The value of one unit in the currency of the invoice, from an instant on. */
  exchange_rates: v.array(rateField),
});
export type Invoice = v.InferOutput<typeof invoiceField>;

export const invoiceAnswer = v.object({
  has_prices: v.boolean(),
  accounts: v.array(v.string()),
  groupings: v.array(v.string()),
  ...offeredFields,
  invoice: v.nullable(invoiceField),
});
export type InvoiceAnswer = v.InferOutput<typeof invoiceAnswer>;
