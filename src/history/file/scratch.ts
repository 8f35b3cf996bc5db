import Database from 'better-sqlite3';

/**
 * A database in memory, to sort and filter what was worked out; it is gone when it is closed.
 *
 * @param bytes what another one had, as `serialize` gives it; empty without it.
 */
export function openScratch(bytes?: Uint8Array): Database.Database {
  if (bytes === undefined) return new Database(':memory:');
  return new Database(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}
