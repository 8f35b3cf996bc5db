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

/** From when on a history knows the past. */
export interface Beginning {
  /** Of the account it has known longest. */
  readonly firstAt: number;
  /** Of all accounts. */
  readonly wholeAt: number;
}

/** @returns undefined while nothing is known. */
export function findBeginning(database: Database): Beginning | undefined {
  const accounts = database.prepare<[], string>('SELECT account FROM account').pluck().all();
  const usage = new UsageQuery(database);
  const known = accounts.map(account => usage.knownFrom(account)).filter(at => at !== undefined);
  if (known.length === 0) return undefined;
  const keptAt = Math.max(keptFromAt(database, 'samples'), keptFromAt(database, 'operations'));
  return { firstAt: Math.max(keptAt, Math.min(...known)), wholeAt: Math.max(keptAt, ...known) };
}
