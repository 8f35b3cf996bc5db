import type { Database } from 'better-sqlite3';
import type { BackfillPart } from '../../resources/backfill.ts';
import { maxOf, minOf } from '../../resources/min-max.ts';
import { statementsOf } from '../file/statement.ts';
import { keptFromAt } from '../upkeep/retention.ts';
import { listAccounts } from '../usage/report-history.ts';
import { UsageQuery } from '../usage/usage-query.ts';
import { backfillAccounts } from './account.ts';
import { backfillDurations } from './duration.ts';
import { backfillEndpoints } from './endpoint.ts';
import { backfillKeys } from './key.ts';
import { backfillOperations } from './operation.ts';
import { backfillProjects } from './project.ts';
import { type BackfillOptions, openBackfillSource } from './source.ts';

/**
 * Series that can be put together again from the rows of a history, each in samples with timestamps. At the last
 * instant counters are what the live page says of the same history, and before it they never were more.
 */
export function backfillHistory(database: Database, options: BackfillOptions): readonly BackfillPart[] {
  const source = openBackfillSource(database, options);
  const backfillers = [
    backfillAccounts,
    backfillProjects,
    backfillEndpoints,
    backfillOperations,
    backfillDurations,
    backfillKeys,
  ];
  return backfillers.flatMap(backfill => backfill(source));
}

/** The instants from which on a history can be backfilled, in epoch milliseconds. */
export interface Beginning {
  /** First instant of the account it has known longest. */
  readonly firstAt: number;
  /** First instant that all accounts are known at. */
  readonly wholeAt: number;
}

/** @returns undefined while nothing is known. */
export function findBeginning(database: Database): Beginning | undefined {
  const usage = new UsageQuery(database);
  const known = listAccounts(database)
    .map(account => usage.knownFrom(account))
    .filter(at => at !== undefined);
  if (known.length === 0) return undefined;
  const keptAt = Math.max(keptFromAt(database, 'samples'), keptFromAt(database, 'operations'));
  return { firstAt: Math.max(keptAt, minOf(known)), wholeAt: Math.max(keptAt, maxOf(known)) };
}

/** Projects that are or were there. */
export function countProjects(database: Database): number {
  return Number(statementsOf(database).value`SELECT count(*) FROM project`());
}
