import type { Database } from 'better-sqlite3';
import { dayMs, hourMs, minuteMs } from '../../resources/duration.ts';
import { statementsOf } from '../file/statement.ts';
import { keptFromAt } from '../upkeep/retention.ts';
import { unattributedUseOf } from './attributed-usage-query.ts';
import { type ComputeQuery, computeOf } from './compute-query.ts';
import { dayOf, hourOf } from './roll-up-query.ts';
import { SampleInterpolation } from './sample-interpolation.ts';

interface DueProject {
  readonly project_ref: number;
  /** The first hour that has no row yet. */
  readonly hour: number;
  /** Until when nothing that is read later changes what is known. */
  readonly settledAt: number;
}

/** Operations and lists may be a little behind each other: an hour counts as settled when this much more is. */
const slackMs = 15 * minuteMs;

/** Writes the use of projects by hours and days, once nothing more can come for them. */
export class UsageRollUp {
  #interpolation: SampleInterpolation;
  readonly #compute: ComputeQuery;
  readonly #unattributed;
  readonly #statements;
  readonly #database: Database;
  /** Projects that were found, and are still to go on with: to find them takes longer than to go on with a few. */
  #due: readonly DueProject[] = [];
  /** When they were found: by a clock that was set back since, they are to be found anew. */
  #foundAt = 0;

  constructor(database: Database) {
    this.#database = database;
    this.#compute = computeOf(database);
    this.#interpolation = new SampleInterpolation(database);
    this.#unattributed = unattributedUseOf(database);
    this.#statements = prepare(database);
  }

  /**
   * Goes on with projects that an hour or more can be written of, those furthest behind first.
   *
   * @param now an instant of the confirmed clock, in epoch milliseconds; nothing later is taken for settled.
   * @returns how many it went on with: none when there is nothing left.
   */
  advance(now: number, limit: number): number {
    if (this.#due.length === 0 || now < this.#foundAt) {
      this.#due = this.#statements.due({ now, hour: hourOf(now) });
      this.#foundAt = now;
    }
    const due = this.#due.slice(0, limit);
    this.#due = this.#due.slice(limit);
    for (const { project_ref, hour, settledAt } of due) this.#roll(project_ref, hour, hourOf(settledAt));
    return due.length;
  }

  /**
   * Goes on with projects whose rows are about to go, up to then, though more might have come for them.
   *
   * @returns how many it went on with.
   */
  advanceTo(at: number, limit: number): number {
    this.#due = [];
    const behind = this.#statements.behind(hourOf(at), limit);
    for (const { project_ref, hour } of behind) this.#roll(project_ref, hour, hourOf(at));
    return behind.length;
  }

  /**
   * Has projects that were rolled up beyond an instant begun anew, as far back as their samples reach: hours in between
   * may have been written before they were over.
   */
  takeBack(now: number): void {
    const future = this.#statements.future(hourOf(now));
    if (future.length === 0) return;
    this.#due = [];
    const firstHour = this.#firstKeptHour();
    for (const project_ref of future) {
      this.#statements.dropHoursOf(project_ref, firstHour);
      this.#statements.dropDaysOf(project_ref, dayOf(firstHour * hourMs));
      this.#statements.dropComputeOf(project_ref, dayOf(firstHour * hourMs));
      this.#statements.rolled(firstHour, project_ref);
    }
    this.#interpolation = new SampleInterpolation(this.#database);
  }

  /** The first hour whose samples are all kept. */
  #firstKeptHour(): number {
    return hourOf(keptFromAt(this.#database, 'samples') + hourMs - 1);
  }

  #roll(project_ref: number, rolledUntil: number, until: number): void {
    const first = this.#firstHour(project_ref, rolledUntil, until);
    if (first >= until) {
      this.#statements.rolled(until, project_ref);
      return;
    }
    this.#statements.dropHoursOf(project_ref, first);
    this.#statements.dropDaysOf(project_ref, dayOf(first * hourMs));
    const totals = [...this.#interpolation.usedAtSteps(project_ref, first * hourMs, until * hourMs, hourMs)];
    let dayTotal = this.#statements.dayBefore(project_ref, dayOf(first * hourMs)) ?? 0;
    for (const [index, total] of totals.entries()) {
      const before = totals[index - 1];
      if (before === undefined) continue;
      const hour = first + index - 1;
      if (total !== before) this.#statements.putHour(project_ref, hour, total);
      const isEndOfDay = ((hour + 1) * hourMs) % dayMs === 0;
      if (isEndOfDay && total !== dayTotal) {
        this.#statements.putDay(project_ref, dayOf(hour * hourMs), total);
        dayTotal = total;
      }
    }
    for (const endpoint_ref of this.#statements.endpoints(project_ref)) {
      this.#rollCompute(endpoint_ref, dayOf(first * hourMs), dayOf(until * hourMs));
    }
    this.#statements.rolled(until, project_ref);
  }

  /** The hour to begin with: a project's first rows reach back to when it was created, once it is known when it used what. */
  #firstHour(project_ref: number, rolledUntil: number, until: number): number {
    const unattributed = this.#unattributed.find(project_ref);
    const begins = this.#statements.begins(project_ref);
    const beginsAt = unattributed?.untilAt ?? begins?.fromAt ?? until * hourMs;
    const first = Math.max(rolledUntil, hourOf(beginsAt));
    const isNew =
      begins !== undefined && this.#statements.rowBefore(project_ref, hourOf(begins.at)) === undefined;
    // A ledger that opened late may know more of pruned hours, but too late.
    return isNew ? first : Math.max(first, this.#firstKeptHour());
  }

  #rollCompute(endpoint_ref: number, firstDay: number, untilDay: number): void {
    const ends = { fromAt: (firstDay + 1) * dayMs, stepMs: dayMs, count: untilDay - firstDay };
    if (ends.count <= 0) return;
    for (const [index, { lower, upper }] of this.#compute.endpointAtSteps(endpoint_ref, ends).entries()) {
      if (lower !== null && upper !== null)
        this.#statements.putCompute(endpoint_ref, firstDay + index, lower, upper);
    }
  }
}

/** Endpoints whose ledgers are open are known as far as the one that was read longest ago, gone ones for good. */
const settled = `
  SELECT project_ref, rolled_until_hour AS hour,
    min(@now, CASE WHEN project.gone_at IS NOT NULL THEN @now ELSE coalesce(
      min((SELECT min(ledger_until_at) FROM endpoint
        WHERE endpoint.project_ref = project.project_ref AND gone_at IS NULL), projects_listed_at) - ${slackMs},
      iif(first_seen_at < @now - 86400000, projects_listed_at - ${slackMs}, NULL)
    ) END) AS settledAt
  FROM project JOIN account USING (account_ref)
  WHERE rolled_until_hour < @hour
    AND (project.gone_at IS NULL OR rolled_until_hour * ${hourMs} <= project.gone_at)`;

function prepare(database: Database) {
  const sql = statementsOf(database);
  type Due = Readonly<Record<'now' | 'hour', number>>;
  return {
    due: sql.all<[Due], DueProject>`
      SELECT * FROM (${settled}) WHERE settledAt >= (hour + 1) * ${hourMs} ORDER BY hour`,
    behind: sql.all<[number, number], { readonly project_ref: number; readonly hour: number }>`
      SELECT project_ref, rolled_until_hour AS hour FROM project
      WHERE rolled_until_hour < ? ORDER BY project_ref LIMIT ?`,
    begins: sql.one<[number], { readonly at: number; readonly fromAt: number }>`
      SELECT at, coalesce(after_at, at) AS fromAt FROM cpu_sample WHERE project_ref = ? ORDER BY at LIMIT 1`,
    rowBefore: sql.value<[number, number], number>`
      SELECT hour FROM usage_hour WHERE project_ref = ? AND hour < ? LIMIT 1`,
    putHour: sql.run<[number, number, number]>`INSERT OR REPLACE INTO usage_hour VALUES (?, ?, ?)`,
    putDay: sql.run<[number, number, number]>`INSERT OR REPLACE INTO usage_day VALUES (?, ?, ?)`,
    putCompute: sql.run<[number, number, number, number]>`
      INSERT OR REPLACE INTO compute_day VALUES (?, ?, ?, ?)`,
    dayBefore: sql.value<[number, number], number>`
      SELECT total FROM usage_day WHERE project_ref = ? AND day < ? ORDER BY day DESC LIMIT 1`,
    dropHoursOf: sql.run<[number, number]>`DELETE FROM usage_hour WHERE project_ref = ? AND hour >= ?`,
    dropDaysOf: sql.run<[number, number]>`DELETE FROM usage_day WHERE project_ref = ? AND day >= ?`,
    future: sql.values<[number], number>`SELECT project_ref FROM project WHERE rolled_until_hour > ?`,
    dropComputeOf: sql.run<[number, number]>`
      DELETE FROM compute_day WHERE endpoint_ref IN (SELECT endpoint_ref FROM endpoint WHERE project_ref = ?)
      AND day >= ?`,
    endpoints: sql.values<[number], number>`
      SELECT endpoint_ref FROM endpoint WHERE project_ref = ? AND ledger_until_at IS NOT NULL`,
    rolled: sql.run<[number, number]>`UPDATE project SET rolled_until_hour = ? WHERE project_ref = ?`,
  };
}
