import type { Database } from 'better-sqlite3';
import { compact } from '../../resources/field.ts';
import type { SetAside } from '../file/damaged-file.ts';

interface Row {
  readonly at: number;
  readonly file: string;
  readonly problem: string;
  readonly saved: string | null;
}

/** Remembers that a history was begun in place of a damaged one. */
export function recordSetAside(database: Database, { at, file, problem, saved }: SetAside): void {
  database
    .prepare<[number, string, string, string | null]>(
      'INSERT OR REPLACE INTO set_aside (at, file, problem, saved) VALUES (?, ?, ?, ?)',
    )
    .run(at, file, problem, saved === undefined ? null : JSON.stringify(saved));
}

/** The damaged history in whose place this one was begun last; undefined where none was. */
export function readSetAside(database: Database): SetAside | undefined {
  const row = database
    .prepare<[], Row>('SELECT at, file, problem, saved FROM set_aside ORDER BY at DESC LIMIT 1')
    .get();
  if (row === undefined) return undefined;
  const { saved, ...rest } = row;
  return { ...rest, ...compact({ saved: saved === null ? undefined : JSON.parse(saved) }) };
}
