import { closeSync, openSync, writeSync } from 'node:fs';
import Database from 'better-sqlite3';

/** Overwrites every page of a table or an index of a history that is not open. */
export function damageTable(file: string, name: string): void {
  const database = new Database(file);
  database.pragma('wal_checkpoint(TRUNCATE)');
  const pages = database
    .prepare<[string], number>('SELECT pageno FROM dbstat WHERE name = ?')
    .pluck()
    .all(name);
  const size = Number(database.pragma('page_size', { simple: true }));
  database.close();
  if (pages.length === 0) throw new Error(`${file} has no pages of ${name}`);
  for (const page of pages) overwrite(file, (page - 1) * size, size);
}

/** Overwrites bytes with some that mean nothing. */
export function overwrite(file: string, offset: number, length: number): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(length, 0x5a), 0, length, offset);
  closeSync(descriptor);
}
