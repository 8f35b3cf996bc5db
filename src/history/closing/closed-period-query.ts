import { inflateSync } from 'node:zlib';
import type { Database } from 'better-sqlite3';
import type { ClosedPeriod } from '../../resources/closed-period.ts';
import { lookUp } from '../file/look-up.ts';

interface Row extends Omit<ClosedPeriod, 'reopenedAt' | 'lines' | 'accepted'> {
  readonly reopenedAt: number | null;
  readonly lines: Buffer;
  readonly accepted: string;
}

/** All billing periods that were ever closed, those reopened among them, by account and in order of time. */
export function listClosings(database: Database): readonly ClosedPeriod[] {
  const query = database.prepare<[], Row>(
    `SELECT account, from_at AS fromAt, until_at AS untilAt, closed_at AS closedAt, reopened_at AS reopenedAt,
       fingerprint, price_book AS priceBook, lines, accepted
     FROM closed_period JOIN account USING (account_ref) ORDER BY account_ref, from_at, closed_period_ref`,
  );
  return query.all().map(({ reopenedAt, lines, accepted, ...row }) => ({
    ...row,
    ...(reopenedAt !== null && { reopenedAt }),
    lines: inflateSync(lines).toString('utf8'),
    accepted: JSON.parse(accepted),
  }));
}

/** Whether the bill of the period still stays as it was. */
export function isClosed({ reopenedAt }: ClosedPeriod): boolean {
  return reopenedAt === undefined;
}

/**
 * The billing periods of a history that were ever closed, also while a daemon writes it; none where there is no history.
 *
 * @throws HistoryError when the file cannot be read as a history.
 */
export function readClosings(file: string): readonly ClosedPeriod[] {
  return lookUp(file, listClosings) ?? [];
}

/** Those of `readClosings` that are still closed. */
export function readClosedPeriods(file: string): readonly ClosedPeriod[] {
  return readClosings(file).filter(isClosed);
}
