import type { Database } from 'better-sqlite3';
import { keptFromAt } from '../upkeep/retention.ts';
import { AwakeQuery } from './awake-query.ts';
import { ComputeQuery } from './compute-query.ts';
import { RollUpQuery } from './roll-up-query.ts';
import { SuspendDelayQuery } from './suspend-delay-query.ts';
import type { UsageQuery } from './usage-query.ts';
import { WatchedEndpointQuery } from './watched-endpoint-query.ts';

/** The queries that histories of endpoints are made of, over one file or several. */
export interface EndpointSource {
  readonly usage: Pick<UsageQuery, 'usedUntil' | 'usedAtSteps'>;
  readonly compute: Pick<ComputeQuery, 'project' | 'endpoint' | 'endpointAtSteps'>;
  readonly delays: Pick<SuspendDelayQuery, 'read'>;
  readonly endpoints: Pick<
    WatchedEndpointQuery,
    'list' | 'sizeBefore' | 'lastUseBefore' | 'sizes' | 'isOpen'
  >;
  readonly awake: Pick<AwakeQuery, 'rows' | 'checks'>;
  readonly days: Pick<RollUpQuery, 'used'>;
  /** Before it nothing is told of what they did. */
  readonly keptFromAt: number;
}

export function openEndpointSource(database: Database, usage: UsageQuery): EndpointSource {
  return {
    usage,
    compute: new ComputeQuery(database),
    delays: new SuspendDelayQuery(database),
    endpoints: new WatchedEndpointQuery(database),
    awake: new AwakeQuery(database),
    days: new RollUpQuery(database),
    keptFromAt: keptFromAt(database, 'samples'),
  };
}
