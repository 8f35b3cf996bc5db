import type { Database } from 'better-sqlite3';
import { dayMs } from '../../../resources/duration.ts';
import { meterMetrics } from '../../../resources/meter.ts';
import { type BegunAnewList, isAnyLost, isRebuilt } from './begun-anew.ts';

const tables = [
  'metered_account',
  'meter_pass',
  'metered_project',
  'metered_month',
  'metered_day',
  'metered_timeframe',
];
const columns = meterMetrics.join(', ');
const monthOf = (seconds: string) => `unixepoch(${seconds}, 'unixepoch', 'start of month') * 1000`;
/** The larger of two amounts of the same, of which one may not be known. */
const larger = meterMetrics
  .map(
    metric =>
      `${metric} = max(coalesce(${metric}, excluded.${metric}), coalesce(excluded.${metric}, ${metric}))`,
  )
  .join(', ');
const sums = meterMetrics.map(metric => `sum(${metric})`).join(', ');

/** Days and months from their parts that are left: each came to the most that one of them says. */
const additions: readonly string[] = [
  ...['hourly', 'daily'].map(
    granularity => `INSERT INTO metered_day SELECT metered_ref, timeframe_start / ${dayMs} AS day, ${sums}
      FROM metered_timeframe WHERE granularity = '${granularity}' GROUP BY 1, 2 ON CONFLICT DO UPDATE SET ${larger}`,
  ),
  `INSERT INTO metered_month SELECT metered_ref, timeframe_start, ${columns}
   FROM metered_timeframe WHERE granularity = 'monthly' ON CONFLICT DO UPDATE SET ${larger}`,
  `INSERT INTO metered_month SELECT metered_ref, ${monthOf('day * 86400')} AS month_start, ${sums}
   FROM metered_day WHERE true GROUP BY 1, 2 ON CONFLICT DO UPDATE SET ${larger}`,
];

const metrics = {
  project: [
    'dbpm_project_metered_compute_unit_seconds_total',
    'dbpm_project_metered_storage_byte_months_total',
    'dbpm_project_metered_transfer_bytes_total',
    'dbpm_project_metered_extra_branch_months_total',
  ],
  account: [
    'dbpm_account_metered_compute_unit_seconds_total',
    'dbpm_account_metered_storage_byte_months_total',
    'dbpm_account_metered_transfer_bytes_total',
    'dbpm_account_metered_extra_branch_months_total',
  ],
};

/**
 * Has what was metered be the sum of its months, and all read again that the service still tells: a timeframe counts as far as
 * it is more than what is known of it.
 */
export function repairMeter(database: Database, anew: BegunAnewList): void {
  const isLost = tables.map(isAnyLost).join(' OR ');
  if (database.prepare(`SELECT 1 WHERE ${isLost}`).get() === undefined) return;
  for (const sql of additions) database.exec(sql);
  database.exec(`
    DELETE FROM meter_pass;
    INSERT OR IGNORE INTO metered_account (account_ref, scope) SELECT DISTINCT account_ref, '' FROM metered_project`);
  const parts = {
    project: 'FROM metered_month AS part WHERE part.metered_ref = metered_project.metered_ref',
    account: 'FROM metered_project AS part WHERE part.account_ref = metered_account.account_ref',
  };
  for (const unit of ['project', 'account'] as const) {
    // Sums of whole numbers fail where they are more than 64 bits hold.
    const kind = unit === 'account' ? 'REAL' : 'INTEGER';
    const sumsOf = meterMetrics.map(metric => `(SELECT sum(CAST(part.${metric} AS ${kind})) ${parts[unit]})`);
    const isLess = meterMetrics
      .map((metric, index) => `${metric} > coalesce(${sumsOf[index]}, 0)`)
      .join(' OR ');
    const name = unit === 'project' ? "account || '/' || project_id" : 'account';
    const isUnknown =
      unit === 'project'
        ? `${isAnyLost('metered_month')} AND ${isRebuilt('metered_project', 'metered_ref')}`
        : `${isAnyLost('metered_account')} AND (${isAnyLost('metered_month')} OR ${isAnyLost('metered_project')})`;
    const query = `SELECT ${name} FROM metered_${unit} JOIN account USING (account_ref) WHERE ${isLess} OR (${isUnknown})`;
    for (const metric of metrics[unit]) anew.add(metric, query);
    database.exec(`UPDATE metered_${unit} SET (${columns}) = (${sumsOf.join(', ')})`);
  }
  anew.addUnknown(metrics.project, 'metered_project');
}
