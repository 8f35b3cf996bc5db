import type { Database } from 'better-sqlite3';
import { clockSkewMs } from '../../resources/clock-skew.ts';
import { dayMs } from '../../resources/duration.ts';
import type { Moment } from '../../resources/reading.ts';
import { statementsOf } from '../file/statement.ts';

/** An instant that lies further ahead of now was dated by a clock that was wrong. */
const toleranceMs = dayMs;

interface Stretch {
  readonly account_ref: number;
  /** Now, by the service's clock. */
  readonly at: number;
  /** The latest instant at which something can have happened. */
  readonly horizonAt: number;
}

const wrongEndpoints = `SELECT endpoint_ref FROM endpoint JOIN project USING (project_ref)
  WHERE account_ref = @account_ref AND ledger_until_at > @horizonAt`;
const wrongProjects = `SELECT project_ref FROM project WHERE account_ref = @account_ref
  AND (cpu_last_at > @horizonAt OR first_seen_at > @horizonAt OR endpoints_served_at > @horizonAt OR usage_read_at > @horizonAt
    OR gone_at > @horizonAt)`;

/** Rows first, then the columns by which they are found. The last row of each kind holds the total: it comes back to now. */
const steps: readonly string[] = [
  `INSERT OR REPLACE INTO state_interval SELECT endpoint_ref, @at, ledger_state FROM endpoint
   WHERE endpoint_ref IN (${wrongEndpoints})`,
  `DELETE FROM state_interval WHERE from_at > @at AND endpoint_ref IN (${wrongEndpoints})`,
  `DELETE FROM compute_interval WHERE from_at > @at AND endpoint_ref IN (${wrongEndpoints})`,
  `UPDATE endpoint SET ledger_since_at = min(ledger_since_at, @at), ledger_until_at = @at
   WHERE endpoint_ref IN (${wrongEndpoints})`,
  `INSERT OR REPLACE INTO cpu_sample (project_ref, at, cpu_used_sec, after_at, base_sec)
   SELECT project_ref, @at, cpu_used_sec, min(coalesce(after_at, @at), @at), base_sec FROM cpu_sample AS last
   WHERE project_ref IN (${wrongProjects}) AND at > @at
     AND at = (SELECT max(at) FROM cpu_sample WHERE project_ref = last.project_ref)`,
  `DELETE FROM cpu_sample WHERE at > @at AND project_ref IN (${wrongProjects})`,
  `UPDATE OR REPLACE cpu_count_start SET at = @at WHERE at > @at AND project_ref IN (${wrongProjects})`,
  `UPDATE project SET cpu_last_at = min(cpu_last_at, @at), first_seen_at = min(first_seen_at, @at),
     endpoints_served_at = min(endpoints_served_at, @at), usage_read_at = min(usage_read_at, @at),
     gone_at = min(gone_at, @at), cpu_doubt = NULL
   WHERE project_ref IN (${wrongProjects}) AND @horizonAt`,
  `UPDATE account SET projects_listed_at = min(projects_listed_at, @at)
   WHERE account_ref = @account_ref AND @horizonAt`,
  `UPDATE cost_accrual SET as_of_at = min(as_of_at, @at), period_from_at = min(period_from_at, @at)
   WHERE account_ref = @account_ref AND @horizonAt`,
];

/**
 * Brings back to now what was dated by a clock that was far ahead, so that it does not stand still until that time comes.
 * Counts stay as they are. That is done of the history of an account with the first list of a run, and with the first after its
 * clock was set back; where the host's clock agrees, as nothing may be taken for wrong by a date that is. All calls happen inside
 * the transaction of one reading; each answers whether anything was dated later than now.
 */
export function clockHealingOf(database: Database) {
  const sql = statementsOf(database);
  const isWrong = sql.value<[Stretch], number>`
    SELECT EXISTS (SELECT 1 FROM account WHERE account_ref = @account_ref AND projects_listed_at > @horizonAt)
    OR EXISTS (${wrongEndpoints}) OR EXISTS (${wrongProjects}) OR EXISTS (
      SELECT 1 FROM cost_accrual WHERE account_ref = @account_ref AND as_of_at > @horizonAt) AND @at`;
  const takeSteps = steps.map(step => sql.run<[Stretch]>`${step}`);
  /** When the last list was served, by account. */
  const lastServedAt = new Map<number, number>();
  return (account_ref: number, reading: Moment): boolean => {
    const { servedAt: at } = reading;
    const before = lastServedAt.get(account_ref);
    lastServedAt.set(account_ref, at);
    if (before !== undefined && at >= before) return false;
    if (Math.abs(clockSkewMs(reading)) > toleranceMs) return false;
    const stretch = { account_ref, at, horizonAt: at + toleranceMs };
    if (isWrong(stretch) !== 1) return false;
    for (const step of takeSteps) step(stretch);
    return true;
  };
}
