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
import { declareFor, seconds } from './family.ts';
import type { ListDefinition } from './list-definition.ts';
import { projectLabels } from './scope-label.ts';

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
export type Branch = ItemOf<typeof branchItem>;

export const branchList: ListDefinition<Branch> = {
  route: '/projects/{project_id}/branches',
  itemsKey: 'branches',
  decode: branchItem.decode,
  identify: branch => branch.branch_id,
};

/** The branches of a project, as they were last listed. */
export interface BranchTotals {
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

const { gauge } = declareFor<HasBranches>()(projectLabels);

export const branchFamilies = {
  count: gauge(
    'dbpm_project_branches',
    'Branches of the project, its root among them (polled).',
    [],
    ({ branches }, emit) => emit(branches?.count),
    { isOptional: true },
  ),
  oldestTimestamp: gauge(
    'dbpm_project_oldest_branch_timestamp_seconds',
    'When the oldest branch of the project besides its root was created (polled).',
    [],
    ({ branches }, emit) => emit(seconds(branches?.oldestCreatedAt)),
    { isOptional: true },
  ),
  neverUsed: gauge(
    'dbpm_project_never_used_branches',
    'Branches of the project besides its root that no compute is known to have run on (polled).',
    [],
    ({ branches }, emit) => emit(branches?.neverUsed),
    { isOptional: true },
  ),
  expired: gauge(
    'dbpm_project_expired_branches',
    'Branches of the project that are still there though their time is over (polled).',
    [],
    ({ branches }, emit) => emit(branches?.expired),
    { isOptional: true },
  ),
  logicalBytes: gauge(
    'dbpm_project_child_branches_logical_bytes',
    'Bytes that the databases of all branches of the project besides its root hold; what branches share counts for each (polled).',
    [],
    ({ branches }, emit) => emit(branches?.logicalBytes),
    { isOptional: true },
  ),
};
