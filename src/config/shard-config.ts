import type { Shard } from '../resources/shard.ts';
import type { Account, Config } from './config.ts';
import type { Problem } from './problem.ts';
import { nodeProblem, type WrittenNode } from './written-node.ts';

/** The settings that are others in one of several: API keys are read by the first shard alone. */
export function shareConfig(
  { accounts, collect }: Pick<Config, 'accounts' | 'collect'>,
  shard: Shard,
): Pick<Config, 'accounts' | 'collect' | 'shard'> {
  const collectors = collect.collectors.filter(collector => collector !== 'api_keys' || shard.index === 0);
  return {
    shard,
    accounts: accounts.map(account => shareAccount(account, shard)),
    collect: { ...collect, collectors },
  };
}

/** The part of an account that a shard watches, with its share of the requests: all shares are the whole together. */
function shareAccount(account: Account, shard: Shard): Account {
  const { requestsPerMinute, projects } = account;
  return {
    ...account,
    projects: { ...projects, shard },
    requestsPerMinute: shareOf(requestsPerMinute, shard),
    sharedRequestsPerMinute: requestsPerMinute,
  };
}

/** A share of whole things. */
function shareOf(whole: number, { index, count }: Shard): number {
  return Math.floor(whole / count) + (index < whole % count ? 1 : 0);
}

/** A problem for each account with less requests a minute than shards. */
export function findSmallShares(
  accounts: readonly Account[],
  { count }: Shard,
  node: WrittenNode,
): Problem[] {
  return accounts
    .filter(({ requestsPerMinute }) => requestsPerMinute < count)
    .map(({ name, requestsPerMinute }) =>
      nodeProblem(
        node,
        `${count} shards, more than account ${name} may be sent requests a minute`,
        `write ${requestsPerMinute} shards or fewer, or a larger requests_per_minute`,
      ),
    );
}
