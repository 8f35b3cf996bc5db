import type { Database } from 'better-sqlite3';
import { renderShard, type Shard } from '../resources/shard.ts';
import { HistoryError } from './file/history-error.ts';
import { lookUp } from './file/reader.ts';
import { statementsOf } from './file/statement.ts';

/** One of the files that a history was joined of, and how far it knows an account. */
export interface HistorySource {
  readonly file: string;
  readonly account: string;
  /** The part of the projects that the file is for; absent where that is all of them. */
  readonly shard?: Shard;
  /** Whether it speaks last for a project of the account that is still there. */
  readonly isRead: boolean;
  /** When it last listed the projects, in epoch milliseconds; absent before the first time. */
  readonly knownUntilAt?: number;
}

interface Row {
  readonly file: string;
  readonly account: string;
  readonly shard_index: number | null;
  readonly shard_count: number | null;
  readonly is_read: 0 | 1;
  readonly known_until_at: number | null;
}

/** Has a joined history say what it was joined of; no other history has this table. */
export function writeSources(database: Database, sources: readonly HistorySource[]): void {
  database.exec(
    `CREATE TABLE joined_source (file TEXT NOT NULL, account TEXT NOT NULL, shard_index INTEGER, shard_count INTEGER,
       is_read INTEGER NOT NULL, known_until_at INTEGER, PRIMARY KEY (file, account)) STRICT`,
  );
  const insert = statementsOf(database).run<(string | number | null)[]>`
    INSERT INTO joined_source VALUES (?, ?, ?, ?, ?, ?)`;
  for (const { file, account, shard, isRead, knownUntilAt } of sources)
    insert(file, account, shard?.index ?? null, shard?.count ?? null, Number(isRead), knownUntilAt ?? null);
}

/** The files that a history was joined of; undefined of one that a daemon wrote. */
export function readSources(database: Database): readonly HistorySource[] | undefined {
  const sql = statementsOf(database);
  const isJoined = sql.one`SELECT 1 FROM sqlite_schema WHERE name = 'joined_source'`();
  if (isJoined === undefined) return undefined;
  return sql.all<[], Row>`SELECT * FROM joined_source ORDER BY rowid`().map(
    ({ file, account, shard_index, shard_count, is_read, known_until_at }) => ({
      ...{ file, account, isRead: is_read === 1 },
      ...(shard_index !== null &&
        shard_count !== null && { shard: { index: shard_index, count: shard_count } }),
      ...(known_until_at !== null && { knownUntilAt: known_until_at }),
    }),
  );
}

/**
 * Makes a history that of a shard for good. How many shards there are may change, and which one it is may not: two that
 * took turns at one history would each count for the other.
 *
 * @param shard the one that was not refused it.
 */
export function claimForShard(database: Database, shard: Shard | undefined): void {
  const owner = readShard(database);
  if (shard === undefined || owner?.count === shard.count) return;
  statementsOf(database).run<[number, number]>`
    INSERT OR REPLACE INTO shard VALUES (1, ?, ?)`(shard.index, shard.count);
  // The cost so far was of other projects: from now on that of these is added.
  database.exec(
    `UPDATE cost_accrual SET period_from_at = as_of_at, period_accrued = '0', period_unpriced = 0`,
  );
}

/**
 * Looks whether a history that another daemon may be writing is that of this shard.
 *
 * @throws HistoryError as `refuseOther`.
 */
export function refuseOtherShard(file: string, shard: Shard | undefined): void {
  lookUp(file, database => refuseOther(database, file, shard));
}

/** The shard that a history is for; undefined where it is for all projects. */
export function readShard(database: Database): Shard | undefined {
  return statementsOf(database).one<[], Shard>`
    SELECT shard_index AS "index", shard_count AS count FROM shard`();
}

/** Whether API keys are read into a history: the first shard reads them, and what another one began with is a copy. */
export function hasReadKeys(database: Database): boolean {
  const shards = readSources(database)?.map(({ shard }) => shard) ?? [readShard(database)];
  return shards.some(shard => (shard?.index ?? 0) === 0);
}

/**
 * @throws HistoryError when it is that of another shard, or of one where all projects are wanted.
 */
export function refuseOther(database: Database, file: string, shard: Shard | undefined): void {
  const owner = readShard(database);
  if (owner === undefined || owner.index === shard?.index) return;
  const what = `${file} is the history of shard ${renderShard(owner)}`;
  throw new HistoryError(
    shard === undefined
      ? `${what}: start it with --shard ${renderShard(owner)}, or with another history.file`
      : `${what}: give shard ${renderShard(shard)} another history.file`,
  );
}
