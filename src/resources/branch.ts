import {
  declareItem,
  type ItemOf,
  later,
  laterAmount,
  laterFlag,
  laterIdentifier,
  laterInstant,
  laterText,
} from './declared-field.ts';
import { declareFor, projectLabels, seconds } from './family.ts';
import { compact } from './field.ts';
import type { ListDefinition } from './list-definition.ts';
import { maxOf, minOf } from './min-max.ts';
import type { ProjectPart } from './project-part.ts';
import { sumOf } from './sum.ts';

/** Sums and findings over branches are made in SQL. */
const isColumn = { isColumn: true } as const;

export const branchItem = declareItem('branch_id', {
  branch_name: later('name', laterText, isColumn),
  parent_id: later('parent_id', laterIdentifier),
  default: later('default', laterFlag, { remembers: 'nothing' }),
  created_at: later('created_at', laterInstant, isColumn),
  expires_at: later('expires_at', laterInstant, isColumn),
  logical_size: later('logical_size', laterAmount, isColumn),
  compute_time_seconds: later('compute_time_seconds', laterAmount, { remembers: 'nothing' }),
  active_time_seconds: later('active_time_seconds', laterAmount, { remembers: 'nothing' }),
});

/** A branch as the list of a project's branches reports it; instants in epoch milliseconds. */
type Branch = ItemOf<typeof branchItem>;

export const branchList: ListDefinition<Branch> = {
  route: '/projects/{project_id}/branches',
  itemsKey: 'branches',
  decode: branchItem.decode,
  identify: branch => branch.branch_id,
};

/** The branches of a project, as they were last listed. */
interface BranchTotals {
  readonly count: number;
  /** Of all but the root; these three are of the others too. Absent where the service does not tell. */
  readonly oldestCreatedAt?: number;
  readonly neverUsed?: number;
  readonly expired: number;
  /** Bytes their databases hold, shared ones counted for each. */
  readonly logicalBytes?: number;
  /** Of the largest of all, the root among them. */
  readonly largestLogicalBytes?: number;
}

/** A project, as far as its branches go. */
export interface HasBranches {
  /** Absent until they were read. */
  readonly branches?: BranchTotals;
}

/** A branch as it is remembered. */
interface BranchRow extends Branch {
  readonly is_root: number;
  /** 1 once anything is known to have been used on it, 0 while the service tells that nothing was, null where it does not tell. */
  readonly used: number | null;
  /** Seconds of compute and awake together in the present period, and the reading that last found more than nothing and a change. */
  readonly use_seconds: number | null;
  readonly used_at: number | null;
  /** 1 where an endpoint of it ever was in use, also in a period before the present one. */
  readonly has_run: number;
}

/** Seconds that were used in the present period, null where nothing tells. */
function useOf({ compute_time_seconds, active_time_seconds }: Branch): number | null {
  if (compute_time_seconds === undefined && active_time_seconds === undefined) return null;
  return (compute_time_seconds ?? 0) + (active_time_seconds ?? 0);
}

function deriveBranch(branch: Branch, before: BranchRow | undefined, servedAt: number) {
  const use_seconds = useOf(branch);
  const isUsed = use_seconds === null ? null : Number(use_seconds > 0);
  const usedAtBefore = before?.used_at ?? null;
  const isFound = isUsed === 1 && use_seconds !== before?.use_seconds;
  return {
    is_root: Number(branch.default ?? branch.parent_id === undefined),
    used: before?.used === 1 ? 1 : isUsed,
    use_seconds,
    used_at: isFound ? servedAt : usedAtBefore,
  };
}

function totalBranches(rows: readonly BranchRow[], listedAt: number): BranchTotals | undefined {
  if (rows.length === 0) return undefined;
  const others = rows.filter(({ is_root }) => is_root === 0);
  const told = others.filter(({ used, has_run }) => used !== null || has_run === 1);
  const sizes = (branches: readonly BranchRow[]) =>
    branches.flatMap(({ logical_size }) => logical_size ?? []);
  const [all, child] = [sizes(rows), sizes(others)];
  return {
    count: rows.length,
    expired: rows.filter(({ expires_at }) => expires_at !== undefined && expires_at <= listedAt).length,
    ...compact({
      oldestCreatedAt: finite(minOf(others.flatMap(({ created_at }) => created_at ?? []))),
      neverUsed:
        told.length === 0
          ? undefined
          : told.filter(({ used, has_run }) => used === 0 && has_run === 0).length,
      logicalBytes: child.length === 0 ? undefined : sumOf(child),
      largestLogicalBytes: finite(maxOf(all)),
    }),
  };
}

/** The largest and smallest of no values are infinite. */
function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

const { gauge } = declareFor<HasBranches>()(projectLabels);

export const branchFamilies = {
  count: gauge(
    'dbpm_project_branches',
    'Branches of the project, its root among them (polled).',
    ({ branches }) => branches?.count,
    { isOptional: true },
  ),
  oldestTimestamp: gauge(
    'dbpm_project_oldest_branch_timestamp_seconds',
    'When the oldest branch of the project besides its root was created (polled).',
    ({ branches }) => seconds(branches?.oldestCreatedAt),
    { isOptional: true },
  ),
  neverUsed: gauge(
    'dbpm_project_never_used_branches',
    'Branches of the project besides its root that no compute is known to have run on (polled).',
    ({ branches }) => branches?.neverUsed,
    { isOptional: true },
  ),
  expired: gauge(
    'dbpm_project_expired_branches',
    'Branches of the project that are still there though their time is over (polled).',
    ({ branches }) => branches?.expired,
    { isOptional: true },
  ),
  logicalBytes: gauge(
    'dbpm_project_child_branches_logical_bytes',
    'Bytes in the databases of all branches of the project besides its root; what they share counts for each (polled).',
    ({ branches }) => branches?.logicalBytes,
    { isOptional: true },
  ),
};

export const branchPart: ProjectPart<Branch, BranchRow, BranchTotals> = {
  collector: 'branches',
  item: branchItem,
  list: branchList,
  table: 'branch',
  view: 'branch_known',
  derived: ['is_root', 'used', 'use_seconds', 'used_at'],
  derive: deriveBranch,
  total: totalBranches,
  typical: {
    count: 3,
    oldestCreatedAt: Date.UTC(2026, 0, 1),
    neverUsed: 1,
    expired: 0,
    logicalBytes: 1000,
    largestLogicalBytes: 1000,
  },
  families: branchFamilies,
};

/** A branch besides the root, and since when it is not used; instants in epoch milliseconds. */
export interface BranchUse {
  readonly branch_id: string;
  readonly branch_name?: string;
  readonly created_at?: number;
  readonly expires_at?: number;
  readonly logical_size?: number;
  /** Its last use, as late as it can have been, or its creation where there was none; absent where nothing tells. */
  readonly unusedSinceAt?: number;
  /** Whether no compute is known to have run on it. */
  readonly isNeverUsed: boolean;
}

/** The branches of a project besides its root, as they were last listed. */
export interface ProjectBranches {
  readonly project_ref: number;
  readonly listedAt: number;
  readonly branches: readonly BranchUse[];
}
