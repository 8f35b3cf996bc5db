import { closeSync, existsSync, fsyncSync, openSync, realpathSync } from 'node:fs';
import { deflateSync, inflateSync } from 'node:zlib';
import Database from 'better-sqlite3';
import type { ClosedPeriod } from '../../resources/closed-period.ts';
import { describeCause, HistoryError } from '../file/history-error.ts';
import { lookUp, refuseOtherFormat } from '../file/reader.ts';
import { statementsOf } from '../file/statement.ts';

interface Row extends Omit<ClosedPeriod, 'reopenedAt' | 'lines' | 'accepted'> {
  readonly reopenedAt: number | null;
  readonly lines: Buffer;
  readonly accepted: string;
}

/** All billing periods that were ever closed, those reopened among them, by account and in order of time. */
export function listClosings(database: Database.Database): readonly ClosedPeriod[] {
  const query = statementsOf(database).all<[], Row>`
    SELECT account, from_at AS fromAt, until_at AS untilAt, closed_at AS closedAt, reopened_at AS reopenedAt,
      fingerprint, price_book AS priceBook, lines, accepted
    FROM closed_period JOIN account USING (account_ref) ORDER BY account_ref, from_at, closed_period_ref`;
  return query().map(({ reopenedAt, lines, accepted, ...row }) => ({
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

/** Closings of `readClosings` that still hold. */
export function readClosedPeriods(file: string): readonly ClosedPeriod[] {
  return readClosings(file).filter(isClosed);
}

/** A daemon writes for a moment at a time. */
const longestWaitMs = 10_000;

/**
 * Remembers that billing periods are closed: all of them or, if it fails, none. A daemon may have the file open: one short
 * transaction waits for its turn, and leaves the log of the database to the daemon.
 *
 * @throws HistoryError saying what to do, also where one of them is closed already.
 */
export function recordClosed(file: string, periods: readonly ClosedPeriod[]): void {
  const rows = periods.map(({ lines, accepted, ...period }) => ({
    ...period,
    lines: deflateSync(lines),
    accepted: JSON.stringify(accepted),
  }));
  write(file, database => {
    const insert = statementsOf(database).run`
      INSERT INTO closed_period (account_ref, from_at, until_at, closed_at, fingerprint, price_book, lines, accepted)
      SELECT account_ref, @fromAt, @untilAt, @closedAt, @fingerprint, @priceBook, @lines, @accepted
      FROM account WHERE account = @account`;
    for (const row of rows) insert(row);
  });
}

/** A closed billing period. */
type ClosedKey = Pick<ClosedPeriod, 'account' | 'fromAt'>;

/**
 * Opens closed billing periods again, all or none; that they were closed stays on record.
 *
 * @throws HistoryError saying what to do.
 */
export function recordReopened(file: string, periods: readonly ClosedKey[], reopenedAt: number): void {
  write(file, database => {
    const update = statementsOf(database).run`
      UPDATE closed_period SET reopened_at = @reopenedAt
      WHERE reopened_at IS NULL AND from_at = @fromAt
        AND account_ref = (SELECT account_ref FROM account WHERE account = @account)`;
    for (const { account, fromAt } of periods) update({ account, fromAt, reopenedAt });
  });
}

function write(file: string, change: (database: Database.Database) => void): void {
  if (!existsSync(file))
    throw new HistoryError(`there is no history at ${file}: name it with --history.file`);
  let database: Database.Database | undefined;
  try {
    const opened = new Database(file, { timeout: longestWaitMs, fileMustExist: true });
    database = opened;
    refuseOtherFormat(opened, file);
    // The disk is waited for after the transaction, which holds up the daemon.
    opened.pragma('synchronous = NORMAL');
    opened.pragma('wal_autocheckpoint = 0');
    opened.transaction(() => change(opened)).immediate();
    const log = `${realpathSync(file)}-wal`;
    if (existsSync(log)) syncLog(log);
  } catch (cause) {
    throw cause instanceof HistoryError ? cause : describeFailure(file, cause);
  } finally {
    database?.close();
  }
}

/** What was said to be closed is closed after a power cut, too. */
function syncLog(path: string): void {
  const log = openSync(path, 'r+');
  try {
    fsyncSync(log);
  } finally {
    closeSync(log);
  }
}

function describeFailure(file: string, cause: unknown): HistoryError {
  const code = cause instanceof Database.SqliteError ? cause.code : '';
  const advice = code.startsWith('SQLITE_CONSTRAINT')
    ? 'it was closed meanwhile: list what is closed with close --list'
    : 'nothing was changed: check its rights and the space on its disk, and try again';
  return new HistoryError(`${file} could not be written (${describeCause(cause)}): ${advice}`, { cause });
}
