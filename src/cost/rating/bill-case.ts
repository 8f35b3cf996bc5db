import type { PriceBook } from '../../resources/price-book.ts';
import type { UsageLedger } from '../../resources/usage/ledger.ts';
import type { Period } from '../calendar/calendar.ts';
import { type Amount, addAmounts, noAmount } from '../money/money.ts';
import { rateAt } from '../price/price-lookup.ts';
import { atRate, type Charge, type CostKind, type CostLine, noUse } from './cost-line.ts';
import type { RatedPeriod } from './rated-period.ts';

/** The bill of an account for a billing period, as it is known at an instant. */
export interface BillCase {
  readonly book: PriceBook;
  readonly ledger: UsageLedger;
  readonly account: string;
  readonly period: Period;
  /** Epoch milliseconds; within the period, or later once it is over. */
  readonly asOf: number;
  /** Compute of each plan of the account. */
  readonly plans: readonly RatedPeriod[];
  /** All that the account used in the period until `asOf`. */
  readonly usageLines: () => readonly CostLine[];
}

/** What a charge is for, and how much it is. */
interface ChargeFacts
  extends Omit<Charge, 'displayAmount'>,
    Pick<CostLine, 'plan' | 'project' | 'name' | 'quantity' | 'sharedBy'> {
  readonly kind: Exclude<CostKind, 'usage' | 'metered'>;
}

/** The line of a charge, displayed at the exchange rate of the last instant of its billing period. */
export function chargeLine({ book, account, period }: BillCase, facts: ChargeFacts): CostLine {
  const { currency, amount, price, kind, ...rest } = facts;
  const { rate } = rateAt(book, { currency }, period.untilAt - 1);
  const charge = atRate({ currency, ...(price && { price }), amount }, rate);
  return { kind, account, ...rest, ...period, ...noUse, charge };
}

/** What lines charge in a currency. */
export function sumCharged(lines: readonly CostLine[], currency: string): Amount {
  return lines.reduce(
    (sum, { charge }) => (charge?.currency === currency ? addAmounts(sum, charge.amount) : sum),
    noAmount,
  );
}
