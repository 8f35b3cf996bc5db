import type { Database } from 'better-sqlite3';
import type { InstantRow } from '../../resources/backfill.ts';
import { dayMs, hourMs } from '../../resources/duration.ts';
import { compact } from '../../resources/field.ts';
import { minOf } from '../../resources/min-max.ts';
import { isOfShard, type Shard } from '../../resources/shard.ts';
import type { EndpointLife, UsageLedger, UsageProject, UseBounds } from '../../resources/usage/ledger.ts';
import { type NamedProjectRow, namedProject } from '../column.ts';
import { type RowOf, statementsOf } from '../file/statement.ts';
import { keptFromAt } from '../upkeep/retention.ts';
import { readLives } from './former-life-query.ts';
import { knownFromOf } from './gap-query.ts';
import { dayOf, hourOf, hourTotalsOf } from './roll-up-query.ts';
import { SampleInterpolation } from './sample-interpolation.ts';

/** Totals of a project that save looking through its samples. */
interface Landmarks {
  readonly project_ref: number;
  /** When the last total was read, and the total in compute seconds. */
  readonly lastAt: number;
  readonly totalSec: number;
  /** Hours before it have their rows. */
  readonly rolledUntilHour: number;
}

/** Reads from the history what projects used: raw samples as long as they are kept, then hours, then days. */
export class UsageQuery implements UsageLedger {
  readonly projects: readonly UsageProject[];
  readonly #statements;
  /** Another shard counts the others. */
  readonly #isOwn: (project_id: string) => boolean;
  readonly #usedBefore;
  readonly #interpolation: SampleInterpolation;
  readonly #since;
  readonly #kept;
  readonly #landmarks: ReadonlyMap<number, Landmarks>;
  /** First instant whose sample can be spread, by `project_ref`. */
  readonly #interpolatedFrom = new Map<number, number>();
  /** Read when they are first asked for: few price books count them. */
  #endpointLives: readonly EndpointLife[] | undefined;
  /** By account: it takes a look at all samples that count from zero. */
  readonly #knownFrom = new Map<string, number | undefined>();

  /**
   * @param accounts whose projects there are; all by default.
   * @param shard only its projects: another shard counts the ones that moved there.
   */
  constructor(database: Database, accounts?: readonly string[], shard?: Shard) {
    this.#statements = prepare(database);
    this.#isOwn = project_id => shard === undefined || isOfShard(project_id, shard);
    this.#usedBefore = hourTotalsOf(database);
    this.#interpolation = new SampleInterpolation(database);
    this.#since = knownFromOf(database, this.#interpolation);
    this.#kept = { samplesAt: keptFromAt(database, 'samples'), hoursAt: keptFromAt(database, 'hours') };
    this.#landmarks = new Map(this.#statements.landmarks().map(each => [each.project_ref, each]));
    const lives = readLives(database);
    this.projects = this.#statements
      .projects()
      .filter(({ account }) => accounts === undefined || accounts.includes(account))
      .filter(({ project_id }) => this.#isOwn(project_id))
      .map(project => compact({ ...project, ...lives.get(project.project_ref) }));
  }

  knownUntil(account: string): number | undefined {
    return this.#statements.listedAt(account);
  }

  knownFrom(account: string): number | undefined {
    if (!this.#knownFrom.has(account)) {
      this.#knownFrom.set(account, this.#since(account, this.#projectsOf(account)));
    }
    return this.#knownFrom.get(account);
  }

  /** Instant until which the use of an account's present projects is settled: nothing more can be found out of it. */
  settledUntil(account: string): number {
    const own = this.#statements.settledAt(account).filter(([project_id]) => this.#isOwn(project_id));
    return minOf(own.map(([, untilAt]) => untilAt));
  }

  /** Use of a project before each of a row of instants, in CU-milliseconds. */
  *usedAtSteps(project_ref: number, { fromAt, stepMs, count }: InstantRow): Generator<number> {
    const untilAt = fromAt + (count - 1) * stepMs;
    // Many samples lie between days: a search for each day is faster than a walk over them.
    const interpolatedFromAt =
      stepMs >= dayMs ? Number.POSITIVE_INFINITY : this.#interpolatedFromAt(project_ref);
    let at = fromAt;
    for (; at < interpolatedFromAt && at <= untilAt; at += stepMs) yield this.#readUntil(project_ref, at);
    if (at > untilAt) return;
    yield* this.#interpolation.usedAtSteps(project_ref, at, untilAt, stepMs);
  }

  usedUntil(project_ref: number, at: number): number {
    return this.#readUntil(project_ref, at);
  }

  boundsAt(project_ref: number, at: number): UseBounds {
    const { lastAt } = this.#landmarks.get(project_ref) ?? noLandmarks;
    if (at < lastAt && at >= this.#interpolatedFromAt(project_ref))
      return this.#interpolation.boundsAt(project_ref, at);
    const used = this.#readUntil(project_ref, at);
    return { least: used, most: used };
  }

  endpointLives(): readonly EndpointLife[] {
    this.#endpointLives ??= this.#statements.endpointLives().map(compact);
    return this.#endpointLives;
  }

  #projectsOf(account: string): readonly UsageProject[] {
    return this.projects.filter(project => project.account === account);
  }

  #readUntil(project_ref: number, at: number): number {
    const { lastAt, totalSec, rolledUntilHour } = this.#landmarks.get(project_ref) ?? noLandmarks;
    if (at >= lastAt) return Math.round(totalSec * 1000);
    if (at % hourMs === 0 && at >= this.#kept.hoursAt && at <= rolledUntilHour * hourMs) {
      return this.#usedBefore(project_ref, hourOf(at));
    }
    if (at >= this.#interpolatedFromAt(project_ref)) {
      const isRolled = at >= this.#kept.hoursAt && hourOf(at) < rolledUntilHour;
      const last = isRolled ? this.#statements.lastHour(project_ref, hourOf(at)) : undefined;
      // In an hour that nothing was used in there is nothing to spread.
      const isIdle = last !== undefined && last.hour < hourOf(at);
      return isIdle ? last.total : this.#interpolation.usedUntil(project_ref, at);
    }
    if (at > rolledUntilHour * hourMs) return this.#spreadRest(project_ref, rolledUntilHour, at);
    const isHourly = at >= this.#kept.hoursAt;
    const totalBefore = (slot: number) =>
      isHourly ? this.#usedBefore(project_ref, slot) : (this.#statements.day(project_ref, slot) ?? 0);
    const ms = isHourly ? hourMs : dayMs;
    const slot = isHourly ? hourOf(at) : dayOf(at);
    const before = totalBefore(slot);
    const share = (at - slot * ms) / ms;
    if (share === 0) return before;
    const after = totalBefore(slot + 1);
    return before + Math.round((after - before) * share);
  }

  /** The first sample of an import may reach beyond what is rolled up of it: the rest of it was used since then. */
  #spreadRest(project_ref: number, rolledUntilHour: number, at: number): number {
    const rolledAt = rolledUntilHour * hourMs;
    const untilAt = this.#interpolatedFromAt(project_ref);
    const before = this.#usedBefore(project_ref, rolledUntilHour);
    const after = this.#interpolation.usedUntil(project_ref, untilAt);
    return before + Math.round(((after - before) * (at - rolledAt)) / (untilAt - rolledAt));
  }

  #interpolatedFromAt(project_ref: number): number {
    if (this.#kept.samplesAt === 0) return 0;
    let fromAt = this.#interpolatedFrom.get(project_ref);
    if (fromAt === undefined) {
      fromAt = this.#findInterpolatedFrom(project_ref);
      this.#interpolatedFrom.set(project_ref, fromAt);
    }
    return fromAt;
  }

  /**
   * A sample that began before what is kept cannot be spread again, as the states it was spread by are gone: unless it was
   * never rolled up, such as the first one of a project that was just imported.
   */
  #findInterpolatedFrom(project_ref: number): number {
    const { samplesAt } = this.#kept;
    const cut = this.#statements.firstKept(project_ref, samplesAt);
    if (cut === undefined || (cut.afterAt ?? 0) >= samplesAt) return samplesAt;
    const { rolledUntilHour } = this.#landmarks.get(project_ref) ?? noLandmarks;
    const isRolled = cut.afterAt === null || rolledUntilHour > hourOf(cut.afterAt);
    return isRolled ? cut.at : cut.afterAt;
  }
}

const noLandmarks = { lastAt: Number.POSITIVE_INFINITY, totalSec: 0, rolledUntilHour: 0 };

function prepare(database: Database) {
  const sql = statementsOf(database);
  return {
    projects: sql.all<[], NamedProjectRow & { readonly project_ref: number }>`
      SELECT project_ref, ${namedProject} FROM project JOIN account USING (account_ref) ORDER BY project_ref`,
    // One that only operations name was gone before anything was read of it. A former life ended when the next change of
    // created_at says that it was gone, or that another one began.
    endpointLives: sql.all<[], RowOf<EndpointLife>>`
      SELECT project_ref, branch_id, coalesce(created_at, first_seen_at) AS created_at, gone_at FROM endpoint
      WHERE coalesce(created_at, first_seen_at) IS NOT NULL
      UNION ALL
      SELECT project_ref, life.branch_id, life.created_at, life.gone_at FROM (
        SELECT endpoint_ref, value AS created_at,
          lead(coalesce(value, from_at)) OVER (PARTITION BY endpoint_ref ORDER BY from_at) AS gone_at,
          (SELECT value FROM endpoint_change AS branch WHERE branch.endpoint_ref = each.endpoint_ref AND field = 'branch_id'
            AND branch.from_at <= each.from_at ORDER BY branch.from_at DESC LIMIT 1) AS branch_id
        FROM endpoint_change AS each WHERE field = 'created_at'
      ) AS life JOIN endpoint USING (endpoint_ref) WHERE life.created_at IS NOT NULL AND life.gone_at IS NOT NULL
      ORDER BY project_ref, created_at`,
    landmarks: sql.all<[], Landmarks>`
      SELECT project_ref, cpu_last_at AS lastAt, cpu_used_total_sec AS totalSec, rolled_until_hour AS rolledUntilHour
      FROM project WHERE cpu_last_at IS NOT NULL`,
    listedAt: sql.value<[string], number>`SELECT projects_listed_at FROM account WHERE account = ?`,
    settledAt: sql.tuples<[string], [project_id: string, untilAt: number]>`
      SELECT project_id, max(rolled_until_hour * ${hourMs}, coalesce(created_at, 0))
      FROM project JOIN account USING (account_ref) WHERE account = ? AND gone_at IS NULL`,
    firstKept: sql.one<[number, number], { readonly at: number; readonly afterAt: number | null }>`
      SELECT at, after_at AS afterAt FROM cpu_sample WHERE project_ref = ? AND at > ? ORDER BY at LIMIT 1`,
    lastHour: sql.one<[number, number], { readonly hour: number; readonly total: number }>`
      SELECT hour, total FROM usage_hour WHERE project_ref = ? AND hour <= ? ORDER BY hour DESC LIMIT 1`,
    day: sql.value<[number, number], number>`
      SELECT total FROM usage_day WHERE project_ref = ? AND day < ? ORDER BY day DESC LIMIT 1`,
  };
}
