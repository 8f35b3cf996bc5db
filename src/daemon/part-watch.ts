import { ApiClient } from '../api/client.ts';
import type { ClientOptions } from '../api/client-options.ts';
import { readList } from '../api/list.ts';
import { reasonOf } from '../api/message/api-error.ts';
import { PartPoller, type PartPollerOptions } from '../poll/part-poller.ts';
import { partRequestsPerMinute } from '../poll/scheduler/separate-budget.ts';
import type { AnyProjectPart } from '../resources/project-part.ts';
import { type Shard, shareOfRate } from '../resources/shard.ts';

export interface PartWatchOptions extends Pick<PartPollerOptions, 'record' | 'onRefused'> {
  readonly part: AnyProjectPart;
}

type Shared = Pick<PartPollerOptions, 'account' | 'now' | 'onProblem' | 'projectIds'> & {
  readonly client: Omit<ClientOptions, 'requestsPerMinute' | 'connections'>;
  /** The shard that reads them; undefined where there are none. */
  readonly shard: Shard | undefined;
};

export interface PartWatch {
  readonly poller: PartPoller;
  close(): Promise<void>;
}

/** Makes a client of its own for a resource of the projects of an account: what slows it slows nothing else. */
export function watchPart(
  { part, ...options }: PartWatchOptions,
  { client: given, shard, ...shared }: Shared,
): PartWatch {
  const requestsPerMinute = shareOfRate(partRequestsPerMinute, shard);
  const client = new ApiClient({ ...given, requestsPerMinute, connections: 1 });
  return {
    poller: new PartPoller({
      collector: part.collector,
      ...options,
      ...shared,
      readPart: (project_id, signal) =>
        readList(client, part.list, { params: { project_id }, priority: 'refresh', signal }),
      reasonOf,
    }),
    close: () => client.close(),
  };
}
