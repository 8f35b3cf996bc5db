import type { Database } from 'better-sqlite3';
import type { Shard } from '../../resources/shard.ts';

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
  const insert = database.prepare<[Row]>(
    `INSERT INTO joined_source VALUES (@file, @account, @shard_index, @shard_count, @is_read, @known_until_at)`,
  );
  for (const { file, account, shard, isRead, knownUntilAt } of sources)
    insert.run({
      ...{ file, account, shard_index: shard?.index ?? null, shard_count: shard?.count ?? null },
      ...{ is_read: isRead ? 1 : 0, known_until_at: knownUntilAt ?? null },
    });
}

/** The files that a history was joined of; undefined of one that a daemon wrote. */
export function readSources(database: Database): readonly HistorySource[] | undefined {
  const isJoined = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'joined_source'").get();
  if (isJoined === undefined) return undefined;
  return database
    .prepare<[], Row>('SELECT * FROM joined_source ORDER BY rowid')
    .all()
    .map(({ file, account, shard_index, shard_count, is_read, known_until_at }) => ({
      ...{ file, account, isRead: is_read === 1 },
      ...(shard_index !== null &&
        shard_count !== null && { shard: { index: shard_index, count: shard_count } }),
      ...(known_until_at !== null && { knownUntilAt: known_until_at }),
    }));
}
