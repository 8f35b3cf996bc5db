import type { Database } from 'better-sqlite3';
import type { SetAside } from '../file/damaged-file.ts';

interface Row {
  readonly at: number;
  readonly file: string;
  readonly problem: string;
  readonly backup_file: string | null;
  readonly backup_at: number | null;
}

/** Remembers that a damaged history was set aside, and which backup goes on in its place. */
export function recordSetAside(database: Database, { at, file, problem, backup }: SetAside): void {
  database
    .prepare<[number, string, string, string | null, number | null]>(
      'INSERT OR REPLACE INTO set_aside (at, file, problem, backup_file, backup_at) VALUES (?, ?, ?, ?, ?)',
    )
    .run(at, file, problem, backup?.file ?? null, backup?.at ?? null);
}

/** The damaged history that was set aside last; undefined where none was. */
export function readSetAside(database: Database): SetAside | undefined {
  const row = database.prepare<[], Row>('SELECT * FROM set_aside ORDER BY at DESC LIMIT 1').get();
  if (row === undefined) return undefined;
  const { at, file, problem, backup_file, backup_at } = row;
  const backup = backup_file !== null && backup_at !== null && { file: backup_file, at: backup_at };
  return { at, file, problem, ...(backup && { backup }) };
}
