import { ApiClient } from '../api/client.ts';
import type { ClientOptions } from '../api/client-options.ts';
import { readList } from '../api/list.ts';
import { reasonOf } from '../api/message/api-error.ts';
import { BranchPoller, type BranchPollerOptions } from '../poll/branch-poller.ts';
import { branchRequestsPerMinute } from '../poll/scheduler/separate-budget.ts';
import { branchList } from '../resources/branch.ts';
import { type Shard, shareOfRate } from '../resources/shard.ts';

export type BranchWatchOptions = Pick<BranchPollerOptions, 'record' | 'onRefused'>;

type Shared = Pick<BranchPollerOptions, 'account' | 'now' | 'onProblem' | 'projectIds'> & {
  readonly client: Omit<ClientOptions, 'requestsPerMinute' | 'connections'>;
  /** The shard that reads them; undefined where there are none. */
  readonly shard: Shard | undefined;
};

export interface BranchWatch {
  readonly poller: BranchPoller;
  close(): Promise<void>;
}

/** Makes a client of its own for the branches of an account: what slows it slows nothing else. */
export function watchBranches(
  options: BranchWatchOptions,
  { client: given, shard, ...shared }: Shared,
): BranchWatch {
  const requestsPerMinute = shareOfRate(branchRequestsPerMinute, shard);
  const client = new ApiClient({ ...given, requestsPerMinute, connections: 1 });
  return {
    poller: new BranchPoller({
      ...options,
      ...shared,
      branches: (project_id, signal) =>
        readList(client, branchList, { params: { project_id }, priority: 'refresh', signal }),
      reasonOf,
    }),
    close: () => client.close(),
  };
}
