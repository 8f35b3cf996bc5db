import type { Database } from 'better-sqlite3';
import { dayMs } from '../../resources/duration.ts';
import type { LedgerComparison, LedgerDrift, Reconstruction } from '../../resources/usage/view.ts';
import { statementsOf } from '../file/statement.ts';
import { doubtLedgers } from '../ledger/ledger-doubt.ts';
import { type ComputeTotals, computeOf, growth } from './compute-query.ts';
import { dayOf, hourOf } from './roll-up-query.ts';
import type { UsageQuery } from './usage-query.ts';

interface MeteredRow {
  readonly project_ref: number;
  readonly first_seen_at: number;
  /** CU-seconds of the day; null where the service told none. */
  readonly metered: number | null;
}

/** What was found of accounts at earlier looks, which is work over every project, each with what it was made of. */
export class KnownFindings<Found> {
  readonly #known = new Map<string, { readonly madeOf: string; readonly found: Found }>();

  /** Finds it anew only where it is made of something else by now. */
  find(account: string, madeOf: readonly unknown[], find: () => Found): Found {
    const known = this.#known.get(account);
    if (known?.madeOf === madeOf.join(' ')) return known.found;
    const found = find();
    this.#known.set(account, { madeOf: madeOf.join(' '), found });
    return found;
  }
}

/**
 * Compares what the service meters with what it reports, on the last day of UTC that both ledgers know of an account, before an
 * instant, which is now by default; undefined while there is none.
 */
export function ledgerComparisonsOf(
  database: Database,
  usage: UsageQuery,
  known = new KnownFindings<LedgerComparison>(),
) {
  const sql = statementsOf(database);
  const reconstructions = reconstructionsOf(database, usage);
  const settled = sql.value<[account: string], number>`
    SELECT settled_until_at FROM meter_pass JOIN account USING (account_ref)
    WHERE account = ? AND granularity = 'hourly'`;
  const projects = sql.all<[day: number, account: string], MeteredRow>`
    SELECT project_ref, first_seen_at, metered_day.compute_unit_seconds AS metered
    FROM metered_project JOIN project USING (account_ref, project_id) JOIN account USING (account_ref)
    LEFT JOIN metered_day ON metered_day.metered_ref = metered_project.metered_ref AND day = ?
    WHERE account = ? AND gone_at IS NULL`;
  const unsure = sql.value<[Readonly<Record<'project_ref' | 'at', number>>], number>`
    WITH before AS (SELECT at, base_sec + cpu_used_sec AS total FROM cpu_sample
      WHERE project_ref = @project_ref AND at <= @at ORDER BY at DESC LIMIT 1),
    after AS (SELECT after_at, base_sec + cpu_used_sec AS total FROM cpu_sample
      WHERE project_ref = @project_ref AND at > @at ORDER BY at LIMIT 1)
    SELECT after.total - before.total FROM before, after WHERE coalesce(after_at, before.at) < @at`;
  /** CU-milliseconds that were used before or after an instant, as the project was not read then. */
  const unsureAt = (project_ref: number, at: number) => 1000 * (unsure({ project_ref, at }) ?? 0);
  const compare = (account: string, rows: readonly MeteredRow[], untilAt: number): LedgerComparison => {
    const fromAt = untilAt - dayMs;
    const ids = new Map(usage.projects.map(({ project_ref, project_id }) => [project_ref, project_id]));
    let metered = 0;
    let reported = 0;
    const drifting: LedgerDrift[] = [];
    for (const { project_ref, first_seen_at, metered: meteredSeconds } of rows) {
      const project_id = ids.get(project_ref);
      if (project_id === undefined || first_seen_at > fromAt) continue;
      const figures = {
        metered: (meteredSeconds ?? 0) * 1000,
        reported: usage.usedUntil(project_ref, untilAt) - usage.usedUntil(project_ref, fromAt),
        unsure: unsureAt(project_ref, fromAt) + unsureAt(project_ref, untilAt),
        bounds: reconstructions.between(project_ref, fromAt, untilAt),
      };
      metered += figures.metered;
      reported += figures.reported;
      const likelyWrong = doubtLedgers(figures);
      if (likelyWrong === undefined) continue;
      const { bounds } = figures;
      drifting.push({
        ...{ account, project_id, likelyWrong },
        driftComputeSeconds: (figures.reported - figures.metered) / 1000,
        meteredComputeSeconds: figures.metered / 1000,
        ...(bounds && {
          awakeComputeSeconds: { lower: bounds.lower / 1000, upper: bounds.upper / 1000 },
        }),
      });
    }
    const [meteredComputeSeconds, reportedComputeSeconds] = [metered / 1000, reported / 1000];
    return { fromAt, meteredComputeSeconds, reportedComputeSeconds, drifting };
  };
  return (account: string, beforeAt?: number): LedgerComparison | undefined => {
    const settledUntilAt = settled(account);
    const knownUntilAt = usage.knownUntil(account);
    if (settledUntilAt === undefined || knownUntilAt === undefined) return undefined;
    const untilAt = dayOf(Math.min(settledUntilAt, knownUntilAt, beforeAt ?? knownUntilAt)) * dayMs;
    const rows = projects(dayOf(untilAt - dayMs), account);
    // A day of former times may be one from before there was a meter.
    if (beforeAt !== undefined && rows.every(({ metered }) => metered === null)) return undefined;
    // What is reported of the day may be found out later, too.
    const madeOf = [untilAt, hourOf(knownUntilAt), rows.length, sumOf(rows)];
    return known.find(account, madeOf, () => compare(account, rows, untilAt));
  };
}

function sumOf(rows: readonly MeteredRow[]): number {
  return rows.reduce((sum, { metered }) => sum + (metered ?? 0), 0);
}

/** Compares the use that counters report with the use the endpoints can have had while they were awake. */
export function reconstructionsOf(database: Database, usage: UsageQuery) {
  const compute = computeOf(database);
  // The use of an endpoint is not known while no size of it was ever reported.
  const readKnown = statementsOf(database).one<[number, number], Record<'beginsAt' | 'untilAt', number>>`
    SELECT min(untilAt) AS untilAt, max(beginsAt) AS beginsAt FROM (
      SELECT ledger_until_at AS untilAt, (SELECT min(from_at) FROM compute_interval c
        WHERE c.endpoint_ref = endpoint.endpoint_ref) AS beginsAt
      FROM endpoint WHERE project_ref = ? AND coalesce(gone_at > ?, TRUE) AND ledger_until_at IS NOT NULL
    ) HAVING count(*) > 0 AND count(beginsAt) = count(*)`;
  const grow = (project_ref: number, fromAt: number, untilAt: number) =>
    growth(compute.project(project_ref, fromAt), compute.project(project_ref, untilAt));
  return {
    /** Use that a project's endpoints can have had in a stretch; undefined where their ledgers do not know all of it. */
    between(project_ref: number, fromAt: number, untilAt: number): ComputeTotals | undefined {
      const known = readKnown(project_ref, untilAt);
      if (known === undefined || known.beginsAt > fromAt || known.untilAt < untilAt) return undefined;
      return grow(project_ref, fromAt, untilAt);
    },
    /**
     * Use of an account's projects, each on the last day before an instant that its ledgers know; undefined while there are
     * none.
     */
    read(account: string, beforeAt = Number.POSITIVE_INFINITY): Reconstruction | undefined {
      let reported = 0;
      let lower = 0;
      let upper = 0;
      let projects = 0;
      for (const { project_ref, gone_at, ...project } of usage.projects) {
        if (project.account !== account || (gone_at !== undefined && gone_at <= beforeAt)) continue;
        const known = readKnown(project_ref, beforeAt);
        if (known === undefined || known.beginsAt >= beforeAt) continue;
        const untilAt = Math.min(known.untilAt, beforeAt);
        const fromAt = Math.max(untilAt - dayMs, known.beginsAt);
        const used = grow(project_ref, fromAt, untilAt);
        reported += usage.usedUntil(project_ref, untilAt) - usage.usedUntil(project_ref, fromAt);
        lower += used.lower;
        upper += used.upper;
        projects += 1;
      }
      if (projects === 0) return undefined;
      return {
        reportedComputeSeconds: reported / 1000,
        lowerComputeSeconds: lower / 1000,
        upperComputeSeconds: upper / 1000,
      };
    },
  };
}
