import type { Database } from 'better-sqlite3';
import { dayMs } from '../../resources/duration.ts';
import type { Reconstruction } from '../../resources/usage/view.ts';
import { ComputeQuery, type ComputeTotals } from './compute-query.ts';
import type { UsageQuery } from './usage-query.ts';

/** Compares the use that counters report with the use the endpoints can have had while they were awake. */
export class ReconstructionQuery {
  readonly #usage: UsageQuery;
  readonly #compute: ComputeQuery;
  readonly #known;

  constructor(database: Database, usage: UsageQuery) {
    this.#usage = usage;
    this.#compute = new ComputeQuery(database);
    // The use of an endpoint is not known while no size of it was ever reported.
    this.#known = database.prepare<[number, number], { readonly beginsAt: number; readonly untilAt: number }>(
      `SELECT min(untilAt) AS untilAt, max(beginsAt) AS beginsAt FROM (
         SELECT ledger_until_at AS untilAt, (SELECT min(from_at) FROM compute_interval c
           WHERE c.endpoint_ref = endpoint.endpoint_ref) AS beginsAt
         FROM endpoint WHERE project_ref = ? AND coalesce(gone_at > ?, TRUE) AND ledger_until_at IS NOT NULL
       ) HAVING count(*) > 0 AND count(beginsAt) = count(*)`,
    );
  }

  /** Use that a project's endpoints can have had in a stretch; undefined where their ledgers do not know all of it. */
  between(project_ref: number, fromAt: number, untilAt: number): ComputeTotals | undefined {
    const known = this.#known.get(project_ref, untilAt);
    if (known === undefined || known.beginsAt > fromAt || known.untilAt < untilAt) return undefined;
    const before = this.#compute.project(project_ref, fromAt);
    const after = this.#compute.project(project_ref, untilAt);
    return { lower: after.lower - before.lower, upper: after.upper - before.upper };
  }

  /**
   * Use of an account's projects, each on the last day before an instant that its ledgers know; undefined while there are
   * none.
   */
  read(account: string, beforeAt = Number.POSITIVE_INFINITY): Reconstruction | undefined {
    let reported = 0;
    let lower = 0;
    let upper = 0;
    let projects = 0;
    for (const { project_ref, gone_at, ...project } of this.#usage.projects) {
      if (project.account !== account || (gone_at !== undefined && gone_at <= beforeAt)) continue;
      const known = this.#known.get(project_ref, beforeAt);
      if (known === undefined || known.beginsAt >= beforeAt) continue;
      const untilAt = Math.min(known.untilAt, beforeAt);
      const fromAt = Math.max(untilAt - dayMs, known.beginsAt);
      const before = this.#compute.project(project_ref, fromAt);
      const after = this.#compute.project(project_ref, untilAt);
      reported += this.#usage.usedUntil(project_ref, untilAt) - this.#usage.usedUntil(project_ref, fromAt);
      lower += after.lower - before.lower;
      upper += after.upper - before.upper;
      projects += 1;
    }
    if (projects === 0) return undefined;
    return {
      reportedComputeSeconds: reported / 1000,
      lowerComputeSeconds: lower / 1000,
      upperComputeSeconds: upper / 1000,
    };
  }
}
