import type { Database } from 'better-sqlite3';
import type { BranchTotals } from '../../resources/branch.ts';
import { compact } from '../../resources/field.ts';
import type { ProjectRange } from './project-range.ts';

interface BranchRow {
  readonly project_ref: number;
  readonly count: number;
  readonly oldestCreatedAt: number | null;
  readonly neverUsed: number | null;
  readonly expired: number;
  readonly logicalBytes: number | null;
  readonly largestLogicalBytes: number | null;
}

/** Reads back from the history what branches projects have. */
export class BranchQuery {
  readonly #totals;

  constructor(database: Database) {
    // A branch was used if an endpoint of it ever was, also in a period before the present one.
    this.#totals = database.prepare<[ProjectRange], BranchRow>(
      `SELECT project_ref, count(*) AS count,
         min(iif(is_root, NULL, branch.created_at)) AS oldestCreatedAt,
         sum(iif(is_root, NULL, used = 0 AND NOT EXISTS (SELECT 1 FROM endpoint
           WHERE endpoint.project_ref = branch.project_ref AND endpoint.branch_id = branch.branch_id
             AND (last_active IS NOT NULL OR starts > 0)))) AS neverUsed,
         count(iif(expires_at <= branches_served_at, 1, NULL)) AS expired,
         sum(iif(is_root, NULL, logical_size)) AS logicalBytes,
         max(logical_size) AS largestLogicalBytes
       FROM branch JOIN project USING (project_ref)
       WHERE project_ref BETWEEN @from AND @until AND branches_served_at IS NOT NULL
       GROUP BY project_ref`,
    );
  }

  /** By project; those whose branches were never read are not among them. */
  totals(range: ProjectRange): ReadonlyMap<number, BranchTotals> {
    return new Map(this.#totals.all(range).map(row => [row.project_ref, describe(row)]));
  }
}

function describe(row: BranchRow): BranchTotals {
  const { count, expired, oldestCreatedAt, neverUsed, logicalBytes, largestLogicalBytes } = row;
  return {
    count,
    expired,
    ...compact({
      oldestCreatedAt: oldestCreatedAt ?? undefined,
      neverUsed: neverUsed ?? undefined,
      logicalBytes: logicalBytes ?? undefined,
      largestLogicalBytes: largestLogicalBytes ?? undefined,
    }),
  };
}
