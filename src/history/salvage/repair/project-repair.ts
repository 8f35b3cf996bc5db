import type { Database } from 'better-sqlite3';
import { type BegunAnewList, isAnyLost, isLost, isRebuilt } from './begun-anew.ts';

const rebuilt = isRebuilt('project', 'project.project_ref');

/**
 * Gives projects of which an index alone told the counter that their last sample holds, and accounts the sum of their
 * projects.
 *
 * @param latestAt the latest instant that is known, for what must have one.
 */
export function repairProjects(database: Database, anew: BegunAnewList, latestAt: number): void {
  database
    .prepare<[number]>(
      `UPDATE project SET first_seen_at = coalesce(
         (SELECT min(at) FROM cpu_sample WHERE cpu_sample.project_ref = project.project_ref), ?) WHERE ${rebuilt}`,
    )
    .run(latestAt);
  database.exec(`
    UPDATE project SET cpu_last_at = last.at, cpu_last_sec = last.cpu_used_sec,
      cpu_used_total_sec = last.base_sec + last.cpu_used_sec,
      cpu_used_resets = max(0, (SELECT count(*) FROM cpu_count_start c WHERE c.project_ref = project.project_ref) - 1)
    FROM (SELECT project_ref, max(at) AS at, cpu_used_sec, base_sec FROM cpu_sample GROUP BY project_ref) AS last
    WHERE last.project_ref = project.project_ref AND ${rebuilt}`);
  repairSources(database);
  anew.addProjects('dbpm_project_cpu_used_resets_total', rebuilt);
  anew.addProjects('dbpm_project_cpu_used_seconds_total', `${rebuilt} AND cpu_used_total_sec IS NULL`);
  sumUpAccounts(database, anew);
}

/** A counter goes on over what its last value is of; where that cannot be known, nothing of it may be counted on. */
function repairSources(database: Database): void {
  const unknown = `SELECT project_ref FROM project JOIN account USING (account_ref)
    WHERE cpu_source IS NOT NULL AND ${rebuilt} AND ${isLost('cpu_source_change', 'project_ref')}`;
  for (const table of ['cpu_sample', 'cpu_count_start', 'usage_hour', 'usage_day'])
    database.exec(`DELETE FROM ${table} WHERE project_ref IN (${unknown})`);
  database.exec(`
    UPDATE project SET cpu_last_at = NULL, cpu_last_sec = NULL, cpu_used_total_sec = NULL WHERE project_ref IN (${unknown});
    UPDATE project SET usage_read_at = cpu_last_at WHERE ${rebuilt} AND 'project' = (SELECT source FROM cpu_source_change AS c
      WHERE c.project_ref = project.project_ref ORDER BY at DESC LIMIT 1)`);
}

/** What an account is told to be less than is found again as its projects are read: it must not count twice. */
function sumUpAccounts(database: Database, anew: BegunAnewList): void {
  const sum = '(SELECT sum(cpu_used_total_sec) FROM project WHERE project.account_ref = account.account_ref)';
  anew.addAccounts(
    'dbpm_account_cpu_used_seconds_total',
    `cpu_used_total_sec > coalesce(${sum}, 0) + 0.01
     OR (${isAnyLost('project')} AND ${isRebuilt('account', 'account_ref')})`,
  );
  database.exec(
    `UPDATE account SET cpu_used_total_sec = ${sum} WHERE abs(coalesce(cpu_used_total_sec, 0) - coalesce(${sum}, 0)) > 0.01`,
  );
}
