import type { Database } from 'better-sqlite3';
import type { PastPart } from '../resources/past.ts';
import { tellAccounts } from './account-past.ts';
import { tellDurations } from './duration-past.ts';
import { tellEndpoints } from './endpoint-past.ts';
import { tellKeys } from './key-past.ts';
import { tellOperations } from './operation-past.ts';
import { openPastSource, type PastOptions } from './past-source.ts';
import { tellProjects } from './project-past.ts';
import { keptFromAt } from './retention.ts';
import { UsageQuery } from './usage-query.ts';

/**
 * Tells what of the past can be put together again from the rows of a history. At the last instant counters are what
 * the live page says of the same history, and before it they never were more.
 */
export function tellPast(database: Database, options: PastOptions): readonly PastPart[] {
  const source = openPastSource(database, options);
  const tellers = [tellAccounts, tellProjects, tellEndpoints, tellOperations, tellDurations, tellKeys];
  return tellers.flatMap(tell => tell(source));
}

/** From when on all of it is known; undefined while nothing is. */
export function findBeginning(database: Database): number | undefined {
  const accounts = database.prepare<[], string>('SELECT account FROM account').pluck().all();
  const usage = new UsageQuery(database);
  const beginnings = accounts.map(account => usage.knownFrom(account)).filter(at => at !== undefined);
  if (beginnings.length === 0) return undefined;
  return Math.max(...beginnings, keptFromAt(database, 'samples'), keptFromAt(database, 'operations'));
}
