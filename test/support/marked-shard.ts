import Database from 'better-sqlite3';
import type { Shard } from '../../src/resources/shard.ts';

/** Writes into a history that it is for a shard. */
export function markShard(file: string, { index, count }: Shard): void {
  const database = new Database(file);
  database.prepare('INSERT OR REPLACE INTO shard VALUES (1, ?, ?)').run(index, count);
  database.close();
}
