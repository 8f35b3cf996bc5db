import type { Database } from 'better-sqlite3';
import { hourMs } from '../../resources/duration.ts';

/**
 * Use of a project from before its first reading, while nothing tells when that was: its operations are not imported, so
 * none of its endpoints has a ledger, and it was not created while the account was watched.
 */
export interface UnplacedUse {
  readonly project_ref: number;
  readonly account: string;
  /** When `cpu_used_sec` was first read: all of it was used before. */
  readonly untilAt: number;
  /** CU-milliseconds, more than 0. */
  readonly cuMs: number;
}

/** The share of a project in the figures does not change by much when it is used within so short a time. */
const shortestMs = hourMs;

/** Reads which use cannot be placed in time yet. */
export class UnplacedUseQuery {
  readonly #statements;

  constructor(database: Database) {
    this.#statements = {
      all: database.prepare<[], UnplacedUse>(unplaced),
      one: database.prepare<[number], UnplacedUse>(`${unplaced} AND project_ref = ?`),
    };
  }

  all(): readonly UnplacedUse[] {
    return this.#statements.all.all();
  }

  /** The unplaced use of a project; undefined where all its use is placed. */
  find(project_ref: number): UnplacedUse | undefined {
    return this.#statements.one.get(project_ref);
  }
}

// Once the first sample is pruned, the first hour that was rolled up says nearly the same.
const unplaced = `
  SELECT project_ref, account, untilAt, cuMs FROM (
    SELECT project_ref, account, untilAt, coalesce(
      (SELECT CAST(round((cpu_used_sec + base_sec) * 1000) AS INTEGER) FROM cpu_sample
        WHERE cpu_sample.project_ref = counted.project_ref AND at = untilAt),
      (SELECT total FROM usage_hour
        WHERE usage_hour.project_ref = counted.project_ref AND hour >= untilAt / ${hourMs} ORDER BY hour LIMIT 1)
    ) AS cuMs
    FROM (
      SELECT project_ref, account, created_at,
        (SELECT min(at) FROM cpu_count_start WHERE cpu_count_start.project_ref = project.project_ref) AS untilAt
      FROM project JOIN account USING (account_ref)
      WHERE born_watched = 0 AND NOT EXISTS (SELECT 1 FROM endpoint
        WHERE endpoint.project_ref = project.project_ref AND ledger_until_at IS NOT NULL)
    ) AS counted
    WHERE untilAt - coalesce(created_at, 0) > ${shortestMs}
  ) WHERE cuMs > 0`;
