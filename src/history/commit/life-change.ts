import type { Database } from 'better-sqlite3';
import { minuteMs } from '../../resources/duration.ts';
import { statementsOf } from '../file/statement.ts';
import { isToCome } from '../ledger/plausible-instant.ts';

/** Clocks of the service that tell of one instant differ by less. */
export const clockSlackMs = minuteMs;

/**
 * Whether a listed resource is another one than is known by its id: it was created after that was, and after that was last read.
 *
 * @param findReadAt called where it was created later alone: most are as they were, and a large fleet is told of at once.
 * @param servedAt when the service told of it.
 */
export function isOtherLife(
  beganAt: number,
  created_at: number,
  findReadAt: () => number,
  servedAt: number,
): boolean {
  if (beganAt <= created_at + clockSlackMs) return false;
  return beganAt > findReadAt() - clockSlackMs && !isToCome(beganAt, servedAt);
}

/** A life that another one follows; its end is null where the other began then. */
interface EndedLife {
  /** The number of the resource in the history. */
  readonly ref: number;
  readonly first_seen_at: number;
  readonly created_at: number | null;
  readonly gone_at: number | null;
}

/**
 * Remembers when lives of a resource under one id began: as changes of `created_at`, null from when it was gone. All calls happen
 * inside the transaction of one reading.
 *
 * @param last a column that a former life keeps as it was last.
 */
export function lifeChangesOf(
  database: Database,
  resource: 'project' | 'endpoint',
  last: 'project_name' | 'branch_id',
) {
  const sql = statementsOf(database);
  const [table, ref] = [`${resource}_change`, `${resource}_ref`];
  const begin = sql.run<[ref: number, at: number, created_at: number | null]>`
    INSERT OR REPLACE INTO ${table} (${ref}, field, from_at, value) VALUES (?, 'created_at', ?, ?)`;
  const beginFirst = sql.run<[Omit<EndedLife, 'gone_at'>]>`
    INSERT INTO ${table} (${ref}, field, from_at, value)
    SELECT @ref, 'created_at', @first_seen_at, @created_at
    WHERE NOT EXISTS (SELECT 1 FROM ${table} WHERE ${ref} = @ref AND field = 'created_at')`;
  const keepLast = sql.run<[ref: number]>`
    INSERT OR REPLACE INTO ${table} (${ref}, field, from_at, value)
    SELECT ${ref}, '${last}', (SELECT max(from_at) FROM ${table} AS life
      WHERE life.${ref} = ${resource}.${ref} AND field = 'created_at'), ${last}
    FROM ${resource} WHERE ${ref} = ? AND ${last} IS NOT NULL`;
  return {
    begin,
    /** Begins a life after a former one. */
    follow(former: EndedLife, beganAt: number, servedAt: number): void {
      const { ref, first_seen_at, created_at, gone_at } = former;
      beginFirst({ ref, first_seen_at, created_at });
      keepLast(ref);
      if (gone_at !== null && gone_at < beganAt) begin(ref, gone_at, null);
      begin(ref, servedAt, beganAt);
    },
  };
}
