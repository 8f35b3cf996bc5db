import type { Database } from 'better-sqlite3';
import type { InstantRow } from '../../resources/backfill.ts';
import { hourMs } from '../../resources/duration.ts';
import type { Shard } from '../../resources/shard.ts';
import type { MeteredLedger, UseBounds } from '../../resources/usage/ledger.ts';
import { isFirstImport, isUnimported, longestImportMs } from '../clause.ts';
import { statementsOf } from '../file/statement.ts';
import { endpointActivityOf } from './endpoint-activity-query.ts';
import { openMeteredUsage } from './metered-usage-query.ts';
import { UsageQuery } from './usage-query.ts';

/** Reads what projects used as far as it is known when: figures by time leave the use out that is not placed yet. */
export class AttributedUsageQuery extends UsageQuery {
  readonly #listUnattributed: () => readonly UnattributedUse[];
  #found: ReadonlyMap<number, UnattributedUse> | undefined;
  readonly #importsLeft;
  readonly #firstImport;
  readonly #activity;
  /** Absent where the service metered nothing. */
  readonly metered: MeteredLedger | undefined;

  /**
   * @param accounts whose projects there are.
   * @param shard its projects alone.
   */
  constructor(database: Database, accounts: readonly string[], shard?: Shard) {
    super(database, accounts, shard);
    const sql = statementsOf(database);
    this.#listUnattributed = unattributedUseOf(database).all;
    this.#activity = endpointActivityOf(database);
    this.metered = openMeteredUsage(database, accounts);
    this.#importsLeft = sql.value<[string], number>`
      SELECT count(*) FROM project JOIN account USING (account_ref)
      WHERE account = ? AND gone_at IS NULL AND born_watched = 0 AND ${isUnimported}`;
    // Where figures were shown before there was a meter, they are shown on.
    this.#firstImport = sql.value<[string], number>`
      SELECT 1 FROM account LEFT JOIN metered_account USING (account_ref)
      WHERE account = ? AND ((${isFirstImport})
        OR (refused_at IS NULL AND importing_since > projects_listed_at - ${longestImportMs}
          AND coalesce(imported_at, importing_since) >= importing_since))`;
  }

  override usedUntil(project_ref: number, at: number): number {
    return this.attributed(project_ref, super.usedUntil(project_ref, at));
  }

  override boundsAt(project_ref: number, at: number): UseBounds {
    const { least, most } = super.boundsAt(project_ref, at);
    return { least: this.attributed(project_ref, least), most: this.attributed(project_ref, most) };
  }

  override *usedAtSteps(project_ref: number, instants: InstantRow): Generator<number> {
    for (const total of super.usedAtSteps(project_ref, instants)) yield this.attributed(project_ref, total);
  }

  /** The mean of the bounds of its endpoints, in whole CU-milliseconds. */
  reconstructedUntil(project_ref: number, at: number): number {
    return this.#activity.endpoints(project_ref).reduce((sum, { endpoint_ref }) => {
      const { lower, upper } = this.#activity.computeUntil(endpoint_ref, at);
      return sum + Math.floor((lower + upper) / 2);
    }, 0);
  }

  /** The part of a project's total that is placed, both in CU-milliseconds. */
  attributed(project_ref: number, total: number): number {
    return Math.max(0, total - (this.#unattributed.get(project_ref)?.cuMs ?? 0));
  }

  /** The use of a project that is left out; undefined where nothing is. */
  unattributedOf(project_ref: number): UnattributedUse | undefined {
    return this.#unattributed.get(project_ref);
  }

  /** The use of an account's projects that is left out. */
  unattributed(account: string): readonly UnattributedUse[] {
    return [...this.#unattributed.values()].filter(use => use.account === account);
  }

  /** Read when it is first asked for: it takes a look at every project. */
  get #unattributed(): ReadonlyMap<number, UnattributedUse> {
    this.#found ??= new Map(this.#listUnattributed().map(use => [use.project_ref, use]));
    return this.#found;
  }

  /** Number of an account's projects whose operations are not read to their beginning. */
  importsLeft(account: string): number {
    return this.#importsLeft(account) ?? 0;
  }

  /**
   * Whether the operations of the projects an account had at first are still being imported, or what the service metered in the
   * past is still being read; each holds up figures for a day at most.
   */
  isImporting(account: string): boolean {
    return this.#firstImport(account) !== undefined;
  }
}

/** Reads the use of projects hour by hour. */
export type HourQuery = ReturnType<typeof hoursOf>;

/** Reads the use of projects hour by hour. */
export function hoursOf(database: Database, usage: AttributedUsageQuery) {
  const sql = statementsOf(database);
  const readHours = sql.tuples<[number, number, number], readonly [hour: number, total: number]>`
    SELECT hour, total FROM usage_hour WHERE project_ref = ? AND hour >= ? AND hour < ? ORDER BY hour`;
  const readRolled = sql.value<[number], number>`SELECT rolled_until_hour FROM project WHERE project_ref = ?`;
  return {
    /**
     * Use of a project in each of `count` hours of UTC, in compute seconds.
     *
     * @param firstHour hours since 1970.
     * @param use filled and returned: one that is given for many projects spares an array of each.
     */
    hours(
      project_ref: number,
      firstHour: number,
      count: number,
      use: Float64Array = new Float64Array(count),
    ) {
      use.fill(0);
      const untilHour = firstHour + count;
      const rolledUntil = Math.min(Math.max(readRolled(project_ref) ?? 0, firstHour), untilHour);
      let before = usage.usedUntil(project_ref, firstHour * hourMs);
      for (const [hour, rolled] of readHours(project_ref, firstHour, rolledUntil)) {
        const total = usage.attributed(project_ref, rolled);
        use[hour - firstHour] = (total - before) / 1000;
        before = total;
      }
      const left = { fromAt: (rolledUntil + 1) * hourMs, stepMs: hourMs, count: untilHour - rolledUntil };
      let index = rolledUntil - firstHour;
      for (const total of left.count > 0 ? usage.usedAtSteps(project_ref, left) : []) {
        use[index++] = (total - before) / 1000;
        before = total;
      }
      return use;
    },
  };
}

/**
 * Use of a project from before its first reading, while nothing tells when that was: its operations are not imported, so
 * none of its endpoints has a ledger, and it was not created while the account was watched.
 */
export interface UnattributedUse {
  readonly project_ref: number;
  readonly account: string;
  /** When `cpu_used_sec` was first read: all of it was used before. */
  readonly untilAt: number;
  /** CU-milliseconds, more than 0. */
  readonly cuMs: number;
}

/** The share of a project in the figures does not change by much when it is used within so short a time. */
const shortestUnattributedMs = hourMs;

/** Of a project in whose place others were created: what is told of its first or a later life. */
const ofLife = (column: 'from_at' | 'value', index: number) => `(
    SELECT ${column} FROM project_change AS life WHERE life.project_ref = project.project_ref AND field = 'created_at'
    ORDER BY from_at LIMIT 1 OFFSET ${index})`;

// Once the first sample is pruned, the first hour that was rolled up says nearly the same.
const unattributed = `
  SELECT project_ref, account, untilAt, cuMs FROM (
    SELECT project_ref, account, untilAt, coalesce(
      (SELECT CAST(round((cpu_used_sec + base_sec) * 1000) AS INTEGER) FROM cpu_sample
        WHERE cpu_sample.project_ref = counted.project_ref AND at = untilAt),
      (SELECT total FROM usage_hour
        WHERE usage_hour.project_ref = counted.project_ref AND hour >= untilAt / ${hourMs} ORDER BY hour LIMIT 1)
    ) AS cuMs
    FROM (
      SELECT project_ref, account, coalesce(${ofLife('value', 0)}, created_at) AS created_at,
        (SELECT min(at) FROM cpu_count_start WHERE cpu_count_start.project_ref = project.project_ref) AS untilAt
      FROM project JOIN account USING (account_ref)
      WHERE born_watched = 0 AND NOT EXISTS (SELECT 1 FROM endpoint
        WHERE endpoint.project_ref = project.project_ref AND ledger_until_at IS NOT NULL
          AND coalesce(endpoint.first_seen_at < ${ofLife('from_at', 1)}, TRUE))
    ) AS counted
    WHERE untilAt - coalesce(created_at, 0) > ${shortestUnattributedMs}
  ) WHERE cuMs > 0`;

/** Reads which use cannot be placed in time yet. */
export function unattributedUseOf(database: Database) {
  const sql = statementsOf(database);
  return {
    all: sql.all<[], UnattributedUse>`${unattributed}`,
    /** The unattributed use of a project; undefined where all its use is placed. */
    find: sql.one<[project_ref: number], UnattributedUse>`${unattributed} AND project_ref = ?`,
  };
}
