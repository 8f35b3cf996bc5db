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
