import type { Database } from 'better-sqlite3';
import { compact } from '../../resources/field.ts';

/** A time in which the compute of projects was read of each project itself; by the service's clock. */
export interface CpuSourceSince {
  readonly account: string;
  readonly fromAt: number;
  /** Absent while it still is. */
  readonly untilAt?: number;
}

interface Row {
  readonly account: string;
  readonly fromAt: number;
  readonly untilAt: number | null;
}

/** The time from the first to the last project of each account whose compute was read of itself. */
export function readCpuSources(database: Database): readonly CpuSourceSince[] {
  return database
    .prepare<[], Row>(
      `SELECT account, min(at) AS fromAt, iif(cpu_source IS NULL, max(at), NULL) AS untilAt
       FROM cpu_source_change JOIN project USING (project_ref) JOIN account USING (account_ref)
       GROUP BY account_ref ORDER BY account_ref`,
    )
    .all()
    .map(({ untilAt, ...row }) => ({ ...row, ...compact({ untilAt: untilAt ?? undefined }) }));
}
