import { type Fraction, sumOf } from '../../cost/fraction.ts';
import type { BillCase } from '../../oracle/bill-case.ts';
import { askOracle, type OracleLine } from '../../oracle/oracle-bill.ts';
import { readFraction } from '../../oracle/shown-bill.ts';
import { groups, type Stage } from './stage.ts';
import { type AccountName, accounts, dayMs, type Stretch, watchedFromAt } from './true-fleet.ts';

/** A billing period that holds all that was watched. */
const longPeriod = {
  hours: 1440,
  from: new Date(watchedFromAt - 30 * dayMs).toISOString().slice(0, 10),
};

/** The bills of an account that the oracle in another language makes of what the simulator counted. */
export class TrueBill {
  readonly #lines: ReadonlyMap<AccountName, readonly OracleLine[]>;

  constructor(lines: TrueBill['lines']) {
    this.#lines = lines;
  }

  get lines(): ReadonlyMap<AccountName, readonly OracleLine[]> {
    return this.#lines;
  }

  /** In the currency that is shown. */
  costOf(isMeant: (line: OracleLine, account: AccountName) => boolean): Fraction {
    return sumOf(
      [...this.#lines].flatMap(([account, lines]) =>
        lines
          .filter(line => isMeant(line, account))
          .map(({ display_amount = '0' }) => readFraction(display_amount)),
      ),
    );
  }
}

/** Whether the cost of a stretch is known: that of a billing period always is, and of others where each hour is charged by itself. */
export function isBillKnown({ isByHour }: Stage, { fromAt }: Stretch, isBilling: boolean): boolean {
  return fromAt >= watchedFromAt && (isByHour || isBilling);
}

/** The bills of stretches of time, of all accounts, asked for at once. */
export function trueBills(python3: string, stage: Stage, stretches: readonly Stretch[]): TrueBill[] {
  const cases = stretches.flatMap(stretch => accounts.map(account => caseOf(stage, account, stretch)));
  const bills = askOracle(python3, cases);
  return stretches.map((_, index) => {
    const lines = accounts.map(
      (account, at) => [account, bills[index * accounts.length + at] ?? []] as const,
    );
    return new TrueBill(new Map(lines));
  });
}

function caseOf(
  { fleet, book, isByHour }: Stage,
  account: AccountName,
  { fromAt, untilAt }: Stretch,
): BillCase {
  const isWithin = ({ at }: BillCase['use'][number]) => at >= fromAt && at < untilAt;
  return {
    pricing: isByHour ? { ...book, billing_period: longPeriod } : book,
    ...{ groups, accounts, account },
    at: fromAt,
    as_of: fleet.now,
    recorded_from: watchedFromAt,
    projects: fleet.projects,
    endpoints: [],
    use: isByHour ? fleet.use.filter(isWithin) : fleet.use,
  };
}
