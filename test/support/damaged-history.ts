import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import Database from 'better-sqlite3';

/** Overwrites every page of a table or an index of a history that nobody has open. */
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

/** Bytes of a page of a history. */
export const pageBytes = 4096;

/** A page of a history file. */
export interface HistoryPage {
  /** From 1 on. */
  readonly number: number;
  /** The table or index it belongs to. */
  readonly name: string;
  readonly isLeaf: boolean;
  readonly rows: number;
}

/** All pages of the tables and indexes of a history that nobody has open, those of one in order. */
export function listPages(file: string): readonly HistoryPage[] {
  const database = new Database(file, { readonly: true });
  try {
    return database
      .prepare<[], { number: number; name: string; isLeaf: number; rows: number }>(
        `SELECT pageno AS number, name, pagetype = 'leaf' AS isLeaf, ncell AS rows FROM dbstat
         WHERE pagetype <> 'overflow' ORDER BY name, path`,
      )
      .all()
      .map(page => ({ ...page, isLeaf: page.isLeaf === 1 }));
  } finally {
    database.close();
  }
}

/** Overwrites a page of a history that nobody has open. */
export function damagePage(file: string, page: HistoryPage): void {
  overwrite(file, (page.number - 1) * pageBytes, pageBytes);
}

/** Overwrites bytes with some that mean nothing. */
export function overwrite(file: string, offset: number, length: number): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(length, 0x5a), 0, length, offset);
  closeSync(descriptor);
}

/** The numbers of the pages in the write-ahead log of a file, by https://www.sqlite.org/fileformat2.html#the_write_ahead_log. */
export function listLogPages(file: string): readonly number[] {
  const log = readFileSync(`${file}-wal`);
  const frameBytes = 24 + log.readUInt32BE(8);
  const frames = Math.floor((log.length - 32) / frameBytes);
  return Array.from({ length: frames }, (_, frame) => log.readUInt32BE(32 + frame * frameBytes));
}
