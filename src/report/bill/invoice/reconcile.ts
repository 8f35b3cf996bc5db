import { describeReadFailure, readSourceFile } from '../../../config/source-file.ts';
import { billingCalendar } from '../../../cost/calendar/billing-calendar.ts';
import { askForBilling } from '../../../cost/calendar/billing-name.ts';
import type { Calendar, Period } from '../../../cost/calendar/calendar.ts';
import { isSome } from '../../../cost/money/decimal-sum.ts';
import { type Amount, amountOfUse, currencyDecimals, sumAmounts } from '../../../cost/money/money.ts';
import { Failure } from '../../../resources/failure.ts';
import { readTolerance, type Tolerance } from '../../../resources/invoice-rule.ts';
import type { ReportSpan } from '../../format/report.ts';
import type { ReportRequest } from '../../request.ts';
import { requirePricing } from '../../row/scoped-cost.ts';
import {
  type AccountBill,
  type BillContext,
  type BillOptions,
  readBilledPeriod,
  workOutBills,
} from '../account-bill.ts';
import { listItems } from '../comparison/bill-item.ts';
import { type ComparisonCase, compareBills, takesOff } from '../comparison/comparison.ts';
import { findMeaning, type InvoiceLine } from '../comparison/invoice-line.ts';
import { readInvoice } from './invoice-file.ts';
import { makeReconciliation, type Reconciliation } from './reconciliation.ts';

export interface ReconcileOptions extends BillOptions {
  /** Path of the invoice. */
  readonly invoice: string;
  /** Such as `0.01` or `0.5%`. */
  readonly tolerance?: string;
}

/** Rounding to a cent alone is no difference. */
const usualTolerance: Tolerance = { amount: '0.01' };

/**
 * Compares a vendor's invoice with what was worked out for the billing period of an account.
 *
 * @throws Failure when it cannot be compared, ConfigFailure when the invoice has problems, HistoryError when the history
 *   cannot be read.
 */
export async function reconcileInvoice(
  options: ReconcileOptions,
  context: BillContext,
): Promise<Reconciliation> {
  const { invoices } = context.config;
  const tolerance = chooseTolerance(options, invoices.tolerance);
  const lines = readInvoice(readText(options.invoice), options.invoice, invoices);
  const request = await readBilledPeriod(options, context);
  const [bill, ...others] = workOutBills(request);
  if (bill === undefined || others.length > 0) {
    const names = [bill, ...others].flatMap(each => each?.account ?? []).join(', ');
    throw new Failure(`an invoice is of one account: name it with --account (${names})`, 'usage');
  }
  const reconcile = (of: AccountBill, period: ReportSpan) =>
    reconcileBill(of, period, { lines, tolerance, context });
  const reconciliation = reconcile(bill, request.span);
  if (reconciliation.isWithinTolerance) return reconciliation;
  const asked = { ...options, account: bill.account };
  const fitting = await findFitting(request, reconciliation.currency, asked, context, reconcile);
  return fitting.length === 0
    ? reconciliation
    : { ...reconciliation, sentence: `${reconciliation.sentence} ${sayFitting(fitting)}` };
}

interface Comparing {
  readonly lines: readonly InvoiceLine[];
  readonly tolerance: Tolerance;
  readonly context: BillContext;
}

function reconcileBill(bill: AccountBill, period: ReportSpan, { lines, tolerance, context }: Comparing) {
  const { config } = context;
  const book = requirePricing({ config });
  const currency = chooseCurrency(bill, config.invoices.currency, book.displayCurrency);
  const given = describeCase(bill, lines, context, currency);
  const { decimals } = given;
  const { now } = context;
  const compared = compareBills(given);
  // A total may be told in another currency besides.
  const counted = lines.filter(line => !compared.leftOut.includes(line));
  refuseOtherCurrency(counted, currency);
  return makeReconciliation({ compared, bill, period, currency, decimals, tolerance, now });
}

/** Other billing periods that are looked at on each side. */
const periodsAround = 12;

/** The labels of other billing periods that the invoice fits to the last digit, as they are asked for. */
async function findFitting(
  { span }: ReportRequest,
  currency: string,
  options: BillOptions,
  context: BillContext,
  reconcile: (bill: AccountBill, period: ReportSpan) => Reconciliation,
): Promise<readonly string[]> {
  const { billingPeriod } = requirePricing(context);
  const labels: string[] = [];
  for (const period of periodsNear(billingCalendar(billingPeriod), span)) {
    if (period.untilAt > context.now) continue;
    const label = askForBilling(period, billingPeriod);
    const request = await readBilledPeriod({ ...options, period: label }, context);
    const [bill] = workOutBills(request);
    const isCharged = bill?.lines.some(({ charge }) => charge !== undefined) === true;
    if (bill === undefined || !isCharged || !isAllIn(bill, currency)) continue;
    if (!isSome(reconcile(bill, request.span).difference)) labels.push(label);
  }
  return labels;
}

function isAllIn({ lines }: AccountBill, currency: string): boolean {
  return lines.every(({ charge }) => charge === undefined || charge.currency === currency);
}

/** The nearest first. */
function periodsNear(calendar: Calendar, { fromAt, untilAt }: Period): readonly Period[] {
  const around = { fromAt, untilAt };
  return Array.from({ length: periodsAround }).flatMap(() => {
    const both = [calendar(around.fromAt - 1), calendar(around.untilAt)] as const;
    around.fromAt = both[0].fromAt;
    around.untilAt = both[1].untilAt;
    return both;
  });
}

/** Such as `It is what was worked out for another billing period: --period billing:2026-09.` */
function sayFitting(labels: readonly string[]): string {
  return `It is what was worked out for another billing period: --period ${labels.join(' or ')}.`;
}

function readText(path: string): string {
  try {
    return readSourceFile(path).text;
  } catch (error) {
    throw new Failure(
      `--invoice: ${path}, ${describeReadFailure(error)}: name the CSV file of an invoice`,
      'usage',
    );
  }
}

function chooseTolerance({ tolerance }: ReconcileOptions, configured: Tolerance = usualTolerance): Tolerance {
  if (tolerance === undefined) return configured;
  const read = readTolerance(tolerance);
  if (read !== undefined) return read;
  throw new Failure(
    `--tolerance: found "${tolerance}", write an amount such as 0.01, or a share such as 0.5%`,
    'usage',
  );
}

/** The currency of the invoice: that of the plans, where the configuration says no other. */
function chooseCurrency(
  { account, lines }: AccountBill,
  configured: string | undefined,
  usual: string,
): string {
  const charged = [...new Set(lines.flatMap(({ charge }) => charge?.currency ?? []))];
  const currency = configured ?? charged[0] ?? usual;
  const other = charged.find(each => each !== currency);
  if (other === undefined) return currency;
  throw new Failure(
    `account ${account} is charged in ${other} and the invoice is in ${currency}, which cannot be compared: write prices in the currency of the invoice`,
    'usage',
  );
}

/** The signs of some currencies are the same: `$` is one of several. */
function refuseOtherCurrency(lines: readonly InvoiceLine[], currency: string): void {
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  });
  const own = [currency, ...format.formatToParts(0).map(({ value }) => value)];
  const other = lines.find(line => line.currency !== undefined && !own.includes(line.currency));
  if (other === undefined) return;
  throw new Failure(
    `line ${other.line} of the invoice is in ${other.currency}, and the bill is in ${currency}, which cannot be compared: write prices in the currency of the invoice`,
    'usage',
  );
}

function describeCase(
  bill: AccountBill,
  lines: readonly InvoiceLine[],
  { config }: BillContext,
  currency: string,
): ComparisonCase {
  const rules = config.invoices.lines;
  const whole = listItems(bill.lines, false);
  const isIncludedListed = lines.some(
    line => takesOff(line) && findMeaning(line, rules, whole)?.as === 'included',
  );
  const projects = bill.projects.flatMap(({ project_id, project_name }) => [project_id, project_name]);
  return {
    lines,
    items: isIncludedListed ? listItems(bill.lines, true) : whole,
    rules,
    decimals: currencyDecimals(currency),
    isProject: text => projects.includes(text),
    hiddenAtMost: project => hiddenHours(bill, project),
  };
}

/** Undefined where the account is not known all the time, or a gap has no bound. */
function hiddenHours({ gaps, isCovered }: AccountBill, text: string | undefined): Amount | undefined {
  if (!isCovered) return undefined;
  const own = gaps.filter(
    ({ project }) => text === undefined || project.project_id === text || project.project_name === text,
  );
  const bounds = own.map(({ mostCuMs }) => mostCuMs);
  if (bounds.includes(undefined)) return undefined;
  return sumAmounts(bounds.map(cuMs => amountOfUse(cuMs ?? 0)));
}
