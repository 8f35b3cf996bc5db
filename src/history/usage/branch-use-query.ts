import type { Database } from 'better-sqlite3';
import type { BranchUse, ProjectBranches } from '../../resources/branch.ts';
import { dayMs, hourMs } from '../../resources/duration.ts';
import { compact } from '../../resources/field.ts';
import { ofProject } from '../clause.ts';
import { statementsOf } from '../file/statement.ts';

/** A branch as a history last listed it. */
interface BranchRow {
  readonly project_ref: number;
  readonly listedAt: number;
  readonly branch_id: string;
  readonly branch_name: string | null;
  readonly created_at: number | null;
  readonly expires_at: number | null;
  readonly logical_size: number | null;
  /** 1 once anything was used on it, 0 while the service tells that nothing was. */
  readonly used: number | null;
  readonly endpointUsedAt: number | null;
  /** The reading that last found another use of it than before. */
  readonly used_at: number | null;
}

interface ListedSpan {
  readonly account: string;
  readonly fromAt: number;
  readonly untilAt: number;
}

/** Lists are read every six hours, of a large fleet more slowly; older ones are out of date. */
const goodForMs = 3 * dayMs;
const tooLateMs = 6 * hourMs;

/** Reads since when the branches of projects are not used, as they were listed around an instant. */
export function branchUseOf(database: Database) {
  const sql = statementsOf(database);
  // The last use of its endpoints, gone ones too, is exact. Without last_active an endpoint that ever started counts as used for as long as
  // it was awake, and a branch without such an endpoint until the reading that found more use of it.
  const listed = sql.all<[ListedSpan], BranchRow>`
    SELECT branch.project_ref, served_at AS listedAt, branch.branch_id, branch_name, branch.created_at, expires_at,
      logical_size, used, used_at,
      max(coalesce(last_active, iif(starts = 0, NULL, iif(ledger_state = 'active', ledger_until_at, ledger_since_at))))
        AS endpointUsedAt
    FROM branch ${ofProject}
      JOIN part_listing ON part_listing.project_ref = branch.project_ref AND collector = 'branches'
      LEFT JOIN endpoint ON endpoint.project_ref = branch.project_ref AND endpoint.branch_id = branch.branch_id
    WHERE account = @account AND NOT is_root AND project.gone_at IS NULL
      AND served_at BETWEEN @fromAt AND @untilAt
    GROUP BY branch.project_ref, branch.branch_id`;
  const extent = sql.one<[ListedSpan], Readonly<Record<'listed' | 'projects', number>>>`
    SELECT count(*) AS projects, count(iif(served_at BETWEEN @fromAt AND @untilAt, 1, NULL)) AS listed
    FROM project JOIN account USING (account_ref)
      LEFT JOIN part_listing ON part_listing.project_ref = project.project_ref AND collector = 'branches'
    WHERE account = @account AND gone_at IS NULL`;
  return {
    /** The projects of an account whose branches were listed. */
    extent(account: string, at: number): 'none' | 'some' | 'all' {
      const { listed = 0, projects = 0 } = extent(spanOf(account, at)) ?? {};
      if (listed === 0) return 'none';
      return listed < projects ? 'some' : 'all';
    },
    /** Branches of an account by project; projects that have none besides the root are left out. */
    read(account: string, at: number): readonly ProjectBranches[] {
      const byProject = Map.groupBy(listed(spanOf(account, at)), ({ project_ref }) => project_ref);
      return Array.from(byProject, ([project_ref, own]) => ({
        project_ref,
        listedAt: own[0]?.listedAt ?? 0,
        branches: own.map(toUse),
      }));
    },
  };
}

function spanOf(account: string, at: number): ListedSpan {
  return { account, fromAt: at - goodForMs, untilAt: at + tooLateMs };
}

function toUse(row: BranchRow): BranchUse {
  const { branch_id, branch_name, created_at, expires_at, logical_size } = row;
  return {
    branch_id,
    ...compact({ branch_name, created_at, expires_at, logical_size, unusedSinceAt: unusedSince(row) }),
    isNeverUsed: row.used === 0 && lastUseOf(row) === null,
  };
}

function lastUseOf({ endpointUsedAt, used_at }: BranchRow): number | null {
  return endpointUsedAt ?? used_at;
}

function unusedSince(row: BranchRow): number | undefined {
  const { created_at, used } = row;
  const lastUsedAt = lastUseOf(row);
  if (lastUsedAt !== null) return Math.max(lastUsedAt, created_at ?? lastUsedAt);
  return used === 0 && created_at !== null ? created_at : undefined;
}
