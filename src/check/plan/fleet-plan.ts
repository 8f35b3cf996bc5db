import type { Config } from '../../config/config.ts';
import { findAccountFleets } from './account-fleet.ts';
import { type AccountPlan, planAccount } from './account-plan.ts';
import type { PlanRequest } from './request.ts';
import { planShards, type ShardPlan } from './shard-plan.ts';

/** The plan of one account, and where the size of its fleet comes from, as a clause. */
export interface SourcedPlan {
  readonly planned: AccountPlan;
  readonly source: string;
  /** Absent where one exporter takes all of it. */
  readonly shards?: ShardPlan;
}

/** The plans of all accounts whose size is known, and the names of the others. */
export interface FleetPlan {
  readonly plans: readonly SourcedPlan[];
  readonly unsized: readonly string[];
}

/**
 * Plans for every account of the configuration, or of the history where none is configured.
 *
 * @throws HistoryError when there is a history that cannot be read.
 */
export function planFleet(config: Config, request: PlanRequest): FleetPlan {
  const { found, unknown } = findAccountFleets(config, request);
  const shards = request.shards ?? config.shard?.count;
  const plans = found.map(({ account, fleet, source }) => {
    const planned = planAccount(account, fleet, config, request.pageSize, shards);
    return {
      planned,
      source,
      ...(shards !== undefined && { shards: planShards(planned, fleet.projects) }),
    };
  });
  return { plans, unsized: unknown };
}
