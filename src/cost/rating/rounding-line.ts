import type { InvoiceRounding } from '../../resources/price-book.ts';
import {
  type Amount,
  addAmounts,
  isNothing,
  noAmount,
  roundAmount,
  subtractAmounts,
} from '../money/money.ts';
import { type BillCase, chargeLine, sumCharged } from './bill-case.ts';
import type { CostLine } from './cost-line.ts';

/** What rounding the lines of an invoice one by one adds or takes, by currency, once the billing period is over. */
export function roundingLines(bill: BillCase, lines: readonly CostLine[]): CostLine[] {
  const { rounding } = bill.book;
  if (rounding === undefined || !isOver(bill)) return [];
  const invoiceLines = Map.groupBy(lines.entries(), ([index, line]) => invoiceKey(line, index, rounding));
  const differences = new Map<string, Amount>();
  for (const members of invoiceLines.values()) {
    const [[, { charge }] = [0, {}]] = members as [number, Partial<CostLine>][];
    if (charge === undefined) continue;
    const { currency } = charge;
    const exact = sumCharged(
      members.map(([, line]) => line),
      currency,
    );
    const difference = subtractAmounts(roundInvoiced(exact, currency, rounding), exact);
    differences.set(currency, addAmounts(differences.get(currency) ?? noAmount, difference));
  }
  return [...differences].flatMap(([currency, amount]) =>
    isNothing(amount) ? [] : [chargeLine(bill, { kind: 'rounding', currency, amount })],
  );
}

/** A tax as the invoice has it: rounded once the billing period is over, where lines are. */
export function roundTax(bill: BillCase, exact: Amount, currency: string): Amount {
  const { rounding } = bill.book;
  return rounding === undefined || !isOver(bill) ? exact : roundInvoiced(exact, currency, rounding);
}

function roundInvoiced(exact: Amount, currency: string, { currencies, decimals }: InvoiceRounding): Amount {
  return roundAmount(exact, currencies?.[currency] ?? decimals);
}

function isOver({ period, asOf }: BillCase): boolean {
  return period.untilAt <= asOf;
}

/** Usage, each metered thing and allowances are one line of the invoice for each plan, price and tier, and project where it says so. */
function invoiceKey(
  { kind, plan, name, tier, charge, project }: CostLine,
  index: number,
  { line }: InvoiceRounding,
): string {
  const own = kind === 'usage' || kind === 'allowance' ? undefined : kind === 'metered' ? name : index;
  const { list, discounted } = charge?.price ?? {};
  const of = line === 'project' ? project?.project_ref : undefined;
  return JSON.stringify([kind, plan, tier, charge?.currency, list, discounted, of, own]);
}
