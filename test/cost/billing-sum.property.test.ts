import fc from 'fast-check';
import { expect, test } from 'vitest';
import { billingCalendar } from '../../src/cost/calendar/billing-calendar.ts';
import { askForBilling } from '../../src/cost/calendar/billing-name.ts';
import { periodsBetween } from '../../src/cost/calendar/calendar.ts';
import { parsePeriod } from '../../src/cost/calendar/report-period.ts';
import { type CostLine, sumLines } from '../../src/cost/rating/cost-line.ts';
import { type Costing, type CostingInput, createCosting } from '../../src/cost/rating/costing.ts';
import { runs } from '../support/seed.ts';
import { bill } from './random-bill.ts';

/** What is charged in the display currency, in others by currency, and for how much use: exact texts. */
type Invoice = Readonly<Record<string, string>>;

/** Decimals of exact amounts, which are whole numbers of these units. */
const scale = 14;

function invoiceOfLines(lines: readonly CostLine[]): Invoice {
  const { amount, unconverted, usedCuMs } = sumLines(lines);
  const kept = [...unconverted].map(([currency, { numerator }]) => [currency, numerator.toFixed(scale)]);
  return { ...Object.fromEntries(kept), usedCuMs: String(usedCuMs), amount: amount.numerator.toFixed(scale) };
}

function addInvoices(invoices: readonly Invoice[]): Invoice {
  const sums = new Map<string, bigint>();
  for (const [key, text] of invoices.flatMap(invoice => Object.entries(invoice)))
    sums.set(key, (sums.get(key) ?? 0n) + BigInt(text.replace('.', '')));
  return Object.fromEntries(
    [...sums].map(([key, sum]) => [key, key === 'usedCuMs' ? String(sum) : decimalOf(sum)]),
  );
}

function decimalOf(units: bigint): string {
  const digits = String(units).padStart(scale + 1, '0');
  return `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Of the random histories all use, and all minimums of billing periods with use, lie in these months. */
const months = [
  '2025-11',
  '2025-12',
  ...['01', '02', '03', '04', '05', '06', '07'].map(each => `2026-${each}`),
];
const whole = '2025-11-01..2026-08-01';
const begun = { fromAt: Date.parse('2025-11-01'), untilAt: Date.parse('2026-08-01') };
const now = Date.parse('2026-10-15T12:00:00Z');

const zone = fc.oneof(
  fc.constantFrom(...Intl.supportedValuesOf('timeZone')),
  fc.constantFrom(
    'Europe/Berlin',
    'America/New_York',
    'Pacific/Kiritimati',
    'Pacific/Pago_Pago',
    'Africa/Cairo',
  ),
);

/** A report of a period: all use within it, and the minimums of the billing periods that belong to it. */
function report(input: CostingInput, costing: Costing, text: string, of: string): Invoice {
  const period = parsePeriod(text, { now, zone: of, billing: input.book.billingPeriod });
  if (typeof period === 'string') throw new Error(period);
  return invoiceOfLines([...costing.usageLines(period), ...costing.chargeLines(period.billedStretch, now)]);
}

function billingTexts({ book }: CostingInput): string[] {
  return periodsBetween(billingCalendar(book.billingPeriod), begun)
    .filter(({ fromAt }) => fromAt >= begun.fromAt)
    .map(period => askForBilling(period, book.billingPeriod));
}

function daysOf(month: string): string[] {
  const days = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate();
  return Array.from({ length: days }, (_, day) => `${month}-${String(day + 1).padStart(2, '0')}`);
}

test('months of any zone, their days, and billing periods each add up to all time, to the last decimal', () => {
  fc.assert(
    fc.property(bill, zone, fc.constantFrom(...months), (input, of, month) => {
      const costing = createCosting(input);
      const sum = (texts: readonly string[]) =>
        addInvoices(texts.map(text => report(input, costing, text, of)));
      const total = report(input, costing, whole, of);
      expect(sum(months)).toEqual(total);
      expect(sum(billingTexts(input))).toEqual(total);
      expect(sum(daysOf(month))).toEqual(report(input, costing, month, of));
    }),
    { numRuns: runs(20) },
  );
});

test('where billing periods are months, a month of any zone has the minimum of that month and no other', () => {
  fc.assert(
    fc.property(bill, zone, ({ book, ledger }, of) => {
      const input = { book: { ...book, billingPeriod: { kind: 'month', anchorDay: 1 } as const }, ledger };
      const costing = createCosting(input);
      for (const month of months) {
        const period = parsePeriod(month, { now, zone: of });
        if (typeof period === 'string') throw new Error(period);
        for (const { fromAt } of costing.chargeLines(period.billedStretch, now))
          expect(new Date(fromAt).toISOString()).toBe(`${month}-01T00:00:00.000Z`);
      }
    }),
    { numRuns: runs(20) },
  );
});
