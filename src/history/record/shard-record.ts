import type { Database } from 'better-sqlite3';
import { renderShard, type Shard } from '../../resources/shard.ts';
import { HistoryError } from '../file/history-error.ts';
import { lookUp } from '../file/look-up.ts';
import { readSources } from '../merge/joined-source.ts';

/**
 * Makes a history that of a shard for good. How many shards there are may change, and which one it is may not: two that
 * took turns at one history would each count for the other.
 *
 * @param shard the one that was not refused it.
 */
export function claimForShard(database: Database, shard: Shard | undefined): void {
  const owner = readShard(database);
  if (shard === undefined || owner?.count === shard.count) return;
  database
    .prepare<[number, number]>('INSERT OR REPLACE INTO shard VALUES (1, ?, ?)')
    .run(shard.index, shard.count);
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
  return database.prepare<[], Shard>('SELECT shard_index AS "index", shard_count AS count FROM shard').get();
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
