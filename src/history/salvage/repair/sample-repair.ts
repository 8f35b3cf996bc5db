import type { Database } from 'better-sqlite3';
import { hourMs } from '../../../resources/duration.ts';
import { isAnyLost, isLost, isRebuilt } from './begun-anew.ts';

const samplesLost = isLost('cpu_sample', 'project.project_ref');
const hourOfFirstSight = `first_seen_at / ${hourMs} - 1`;

/**
 * Closes gaps in what projects used, so that it is the same in all: totals are read as differences, and what is lost before one
 * would look as if it were used at once.
 */
export function repairSamples(database: Database): void {
  keepFromOldest(database);
  // The last value as it was counted.
  database.exec(`
    INSERT OR IGNORE INTO cpu_sample (project_ref, at, cpu_used_sec, base_sec)
    SELECT project_ref, cpu_last_at, cpu_last_sec, max(0, cpu_used_total_sec - cpu_last_sec) FROM project
    WHERE ${samplesLost} AND cpu_last_at > coalesce(
      (SELECT max(at) FROM cpu_sample WHERE cpu_sample.project_ref = project.project_ref), 0)`);
  // What a sample adds to one before the gap was used since then.
  database.exec(`
    UPDATE cpu_sample SET after_at = NULL FROM lost WHERE tbl = 'cpu_sample' AND first_ref = last_ref
      AND cpu_sample.project_ref = last_ref AND cpu_sample.at = before_at`);
  const first = `(SELECT project_ref, min(at) AS at, cpu_used_sec, base_sec FROM cpu_sample AS s
    WHERE EXISTS (SELECT 1 FROM project WHERE project.project_ref = s.project_ref AND ${samplesLost})
      GROUP BY project_ref HAVING NOT EXISTS (SELECT 1 FROM cpu_count_start AS c
        WHERE c.project_ref = s.project_ref AND c.at = s.at)) AS first`;
  // Hours hold what samples held before the first one that is left.
  database.exec(`
    INSERT OR IGNORE INTO cpu_sample (project_ref, at, cpu_used_sec, after_at, base_sec)
    SELECT project_ref, (hour + 1) * ${hourMs}, max(0, total / 1000.0 - base_sec), hour * ${hourMs},
      min(base_sec, total / 1000.0)
    FROM usage_hour JOIN ${first} USING (project_ref)
    WHERE (hour + 1) * ${hourMs} < first.at AND total / 1000.0 <= cpu_used_sec + base_sec`);
  database.exec(`
    INSERT OR IGNORE INTO cpu_sample (project_ref, at, cpu_used_sec, base_sec)
    SELECT project_ref, min(first_seen_at, first.at - 1), first.cpu_used_sec, base_sec
    FROM project JOIN ${first} USING (project_ref) WHERE first.at > 0 AND NOT EXISTS (
      SELECT 1 FROM usage_hour WHERE usage_hour.project_ref = project.project_ref)`);
  rollAgain(database);
}

/** Hours and days are worked out anew from samples, as far as these are kept; before that totals begin with the first. */
function rollAgain(database: Database): void {
  const endpointLost = `EXISTS (SELECT 1 FROM endpoint WHERE endpoint.project_ref = project.project_ref
    AND ${isLost('compute_day', 'endpoint_ref')})`;
  database.exec(`
    UPDATE project SET rolled_until_hour = min(rolled_until_hour,
      (SELECT (coalesce(max(kept_from_at), 0) + ${hourMs - 1}) / ${hourMs} FROM retention WHERE kind = 'samples'))
    WHERE ${isLost('usage_hour', 'project_ref')} OR ${isLost('usage_day', 'project_ref')} OR ${endpointLost}
      OR ${isRebuilt('project', 'project_ref')}`);
  for (const [table, column, before] of [
    ['usage_hour', 'hour', hourOfFirstSight],
    ['usage_day', 'day', `(${hourOfFirstSight}) / 24 - 1`],
  ] as const) {
    database.exec(`
      INSERT OR IGNORE INTO ${table}
      SELECT project_ref, min(${before}, first.at - 1), first.total
      FROM project JOIN (SELECT project_ref, min(${column}) AS at, total FROM ${table} GROUP BY project_ref) AS first
        USING (project_ref)
      WHERE ${isLost(table, 'project.project_ref')} AND EXISTS (SELECT 1 FROM retention WHERE kind = 'samples')`);
  }
}

/** Since when samples are all there: since the oldest one of each project that lost some. */
function keepFromOldest(database: Database): void {
  database.exec(`
    INSERT OR IGNORE INTO retention
    SELECT 'samples', max(oldest) FROM (
      SELECT min(at) AS oldest, first_seen_at FROM cpu_sample JOIN project USING (project_ref) GROUP BY project_ref)
    WHERE oldest > first_seen_at AND ${isAnyLost('retention')} HAVING max(oldest) IS NOT NULL`);
}
