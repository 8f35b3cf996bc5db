import type { Database } from 'better-sqlite3';
import type { ProjectLife } from '../../resources/usage/ledger.ts';
import { statementsOf } from '../file/statement.ts';

interface CreationRow {
  readonly project_ref: number;
  readonly from_at: number;
  /** Null: it was gone from then on. */
  readonly created_at: number | null;
}

/** The lives of projects in whose place others were created with the same id, by their numbers, oldest first. */
export function readFormerLives(database: Database): ReadonlyMap<number, readonly ProjectLife[]> {
  const rows = statementsOf(database).all<[], CreationRow>`
    SELECT project_ref, from_at, value AS created_at FROM project_change
    WHERE field = 'created_at' ORDER BY project_ref, from_at`;
  const byProject = Map.groupBy(rows(), ({ project_ref }) => project_ref);
  return new Map([...byProject].map(([project_ref, changes]) => [project_ref, endedLives(changes)]));
}

function endedLives(changes: readonly CreationRow[]): readonly ProjectLife[] {
  return changes.flatMap(({ created_at }, index) => {
    const next = changes[index + 1];
    // The last one is the life of now.
    if (created_at === null || next === undefined) return [];
    return [{ created_at, gone_at: next.created_at ?? next.from_at }];
  });
}
