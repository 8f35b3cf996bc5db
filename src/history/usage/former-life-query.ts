import type { Database } from 'better-sqlite3';
import type { ProjectLife, UsageProject } from '../../resources/usage/ledger.ts';
import { statementsOf } from '../file/statement.ts';

interface BeginRow {
  readonly project_ref: number;
  readonly from_at: number;
  /** When a life began; null: it was gone from then on. */
  readonly begun_at: number | null;
  /** The name it had last, which is remembered where it is another one than before; null where it is not known. */
  readonly project_name: string | null;
}

/** When projects began that were created in place of others with the same id, or moved from another account; and the lives before. */
type BegunLife = Pick<UsageProject, 'created_at' | 'former'>;

/** The lives of projects that had more than one, or moved from another account, by their numbers. */
export function readLives(database: Database): ReadonlyMap<number, BegunLife> {
  const rows = statementsOf(database).all<[], BeginRow>`
    SELECT project_ref, from_at, value AS begun_at, (SELECT value FROM project_change AS name
      WHERE name.project_ref = life.project_ref AND field = 'project_name' AND name.from_at <= life.from_at
      ORDER BY name.from_at DESC LIMIT 1) AS project_name
    FROM project_change AS life WHERE field = 'created_at' ORDER BY project_ref, from_at`;
  const byProject = Map.groupBy(rows(), ({ project_ref }) => project_ref);
  return new Map([...byProject].map(([project_ref, changes]) => [project_ref, livesIn(changes)]));
}

function livesIn(changes: readonly BeginRow[]): BegunLife {
  const former = changes.slice(0, -1).flatMap(({ begun_at, project_name }, index): readonly ProjectLife[] => {
    const next = changes[index + 1];
    if (begun_at === null || next === undefined) return [];
    const life = { created_at: begun_at, gone_at: next.begun_at ?? next.from_at };
    return [project_name === null ? life : { ...life, project_name }];
  });
  const begunAt = changes.at(-1)?.begun_at ?? undefined;
  return {
    ...(begunAt !== undefined && { created_at: begunAt }),
    ...(former.length > 0 && { former }),
  };
}
