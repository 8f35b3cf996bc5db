import type { Database } from 'better-sqlite3';
import type { Branch } from '../../resources/branch.ts';
import type { ListReading } from '../../resources/reading.ts';

/** Writes lists of branches; all calls happen inside the transaction of one reading. */
export class BranchRecord {
  readonly #statements;

  constructor(database: Database) {
    this.#statements = {
      put: database.prepare<[Readonly<Record<string, string | number | null>>]>(
        `INSERT INTO branch (project_ref, branch_id, branch_name, parent_id, is_root, created_at, expires_at,
           logical_size, used, use_seconds, used_at)
         VALUES (@project_ref, @branch_id, @branch_name, @parent_id, @is_root, @created_at, @expires_at,
           @logical_size, iif(@use_seconds IS NULL, NULL, @use_seconds > 0), @use_seconds,
           iif(@use_seconds > 0, @served_at, NULL))
         ON CONFLICT (project_ref, branch_id) DO UPDATE SET
           branch_name = excluded.branch_name, parent_id = excluded.parent_id, is_root = excluded.is_root,
           created_at = excluded.created_at, expires_at = excluded.expires_at,
           logical_size = excluded.logical_size,
           used = iif(used = 1, 1, excluded.used),
           used_at = iif(excluded.use_seconds IS NOT use_seconds, coalesce(excluded.used_at, used_at), used_at),
           use_seconds = excluded.use_seconds`,
      ),
      known: database.prepare<[number], string>('SELECT branch_id FROM branch WHERE project_ref = ?').pluck(),
      leave: database.prepare<[number, string]>('DELETE FROM branch WHERE project_ref = ? AND branch_id = ?'),
      served: database.prepare<[number, number]>(
        'UPDATE project SET branches_served_at = ? WHERE project_ref = ?',
      ),
    };
  }

  recordList(project_ref: number, { items, complete }: ListReading<Branch>, servedAt: number): void {
    for (const branch of items) {
      const { branch_id, branch_name, parent_id, created_at, expires_at, logical_size } = branch;
      this.#statements.put.run({
        project_ref,
        branch_id,
        branch_name: branch_name ?? null,
        parent_id: parent_id ?? null,
        is_root: Number(branch.default ?? parent_id === undefined),
        created_at: created_at ?? null,
        expires_at: expires_at ?? null,
        logical_size: logical_size ?? null,
        use_seconds: useOf(branch),
        served_at: servedAt,
      });
    }
    if (complete) {
      const listed = new Set(items.map(({ branch_id }) => branch_id));
      for (const branch_id of this.#statements.known.all(project_ref)) {
        if (!listed.has(branch_id)) this.#statements.leave.run(project_ref, branch_id);
      }
    }
    this.#statements.served.run(servedAt, project_ref);
  }
}

/** Seconds that were used in the present period, null where nothing tells. */
function useOf({ compute_time_seconds, active_time_seconds }: Branch): number | null {
  if (compute_time_seconds === undefined && active_time_seconds === undefined) return null;
  return (compute_time_seconds ?? 0) + (active_time_seconds ?? 0);
}
