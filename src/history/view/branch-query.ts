import type { Database } from 'better-sqlite3';
import type { BranchTotals } from '../../resources/branch.ts';
import { compact } from '../../resources/field.ts';

interface BranchRow {
  readonly count: number;
  readonly oldestCreatedAt: number | null;
  readonly neverUsed: number | null;
  readonly expired: number;
  readonly logicalBytes: number | null;
}

/** Reads back from the history what branches projects have. */
export class BranchQuery {
  readonly #totals;

  constructor(database: Database) {
    // A branch was used if an endpoint of it ever was, also in a period before the present one.
    this.#totals = database.prepare<[number], BranchRow>(
      `SELECT count(*) AS count,
         min(iif(is_root, NULL, branch.created_at)) AS oldestCreatedAt,
         sum(iif(is_root, NULL, used = 0 AND NOT EXISTS (SELECT 1 FROM endpoint
           WHERE endpoint.project_ref = branch.project_ref AND endpoint.branch_id = branch.branch_id
             AND (last_active IS NOT NULL OR starts > 0)))) AS neverUsed,
         count(iif(expires_at <= branches_served_at, 1, NULL)) AS expired,
         sum(iif(is_root, NULL, logical_size)) AS logicalBytes
       FROM branch JOIN project USING (project_ref)
       WHERE project_ref = ? AND branches_served_at IS NOT NULL`,
    );
  }

  /** @returns undefined while they were never read. */
  totals(project_ref: number): BranchTotals | undefined {
    const row = this.#totals.get(project_ref);
    if (row === undefined || row.count === 0) return undefined;
    const { count, expired, oldestCreatedAt, neverUsed, logicalBytes } = row;
    return {
      count,
      expired,
      ...compact({
        oldestCreatedAt: oldestCreatedAt ?? undefined,
        neverUsed: neverUsed ?? undefined,
        logicalBytes: logicalBytes ?? undefined,
      }),
    };
  }
}
