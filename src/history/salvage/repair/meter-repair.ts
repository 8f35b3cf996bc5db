import type { Database } from 'better-sqlite3';
import { dayMs } from '../../../resources/duration.ts';
import { meterMetrics } from '../../../resources/meter.ts';
import { monthStart } from '../../../resources/utc-month.ts';
import { MeterRollUp } from '../../record/meter-roll-up.ts';
import { dayOf } from '../../usage/roll-up-grid.ts';
import { type BegunAnewList, isAnyLost, isRebuilt } from './begun-anew.ts';

const things = ['compute_unit_seconds', 'storage_byte_months', 'transfer_bytes', 'extra_branch_months'];
const tables = ['metered_account', 'metered_project', 'metered_month', 'metered_day', 'metered_timeframe'];

const monthsOf = (metric: string) =>
  `(SELECT sum(${metric}) FROM metered_month AS m WHERE m.metered_ref = metered_project.metered_ref)`;
const projectsOf = (metric: string) =>
  `(SELECT sum(${metric}) FROM metered_project AS p WHERE p.account_ref = metered_account.account_ref)`;

/**
 * Adds the meter up anew from what is left of it. It is read again from as far back as the service tells, and counts what is
 * still known once.
 */
export function repairMeter(database: Database, anew: BegunAnewList): void {
  if (database.prepare(`SELECT 1 WHERE ${tables.map(isAnyLost).join(' OR ')}`).get() === undefined) return;
  rollUpAgain(database);
  const isLess = meterMetrics.map(metric => `${metric} > coalesce(${monthsOf(metric)}, 0)`).join(' OR ');
  const isShort = `${isLess} OR (${isAnyLost('metered_month')} AND ${isRebuilt('metered_project', 'metered_ref')})`;
  for (const thing of things) {
    anew.addProjects(
      `dbpm_project_metered_${thing}_total`,
      `EXISTS (SELECT 1 FROM metered_project WHERE metered_project.account_ref = project.account_ref
         AND metered_project.project_id = project.project_id AND (${isShort}))`,
    );
    anew.addAccounts(
      `dbpm_account_metered_${thing}_total`,
      `EXISTS (SELECT 1 FROM metered_project WHERE metered_project.account_ref = account.account_ref AND (${isShort}))`,
    );
  }
  const assign = (sumOf: (metric: string) => string) =>
    meterMetrics.map(metric => `${metric} = ${sumOf(metric)}`).join(', ');
  database.exec(`
    UPDATE metered_project SET ${assign(monthsOf)};
    INSERT INTO metered_account (account_ref, scope) SELECT DISTINCT account_ref, '' FROM metered_project WHERE true
      ON CONFLICT DO NOTHING;
    UPDATE metered_account SET ${assign(projectsOf)};
    DELETE FROM meter_pass`);
}

/** What days and months came to is made again where it is lost and their parts are not. */
function rollUpAgain(database: Database): void {
  const rollUp = new MeterRollUp(database);
  const frames = database.prepare<[], { metered_ref: number; granularity: string; timeframe_start: number }>(
    'SELECT metered_ref, granularity, timeframe_start FROM metered_timeframe',
  );
  const days = database.prepare<[], { metered_ref: number; day: number }>(
    'SELECT metered_ref, day FROM metered_day',
  );
  const seenDays = new Set<string>();
  const months = new Map<string, readonly [metered_ref: number, month_start: number]>();
  const noteMonth = (metered_ref: number, at: number) => {
    const start = monthStart(at);
    months.set(`${metered_ref} ${start}`, [metered_ref, start]);
  };
  for (const { metered_ref, granularity, timeframe_start } of frames.all()) {
    noteMonth(metered_ref, timeframe_start);
    const day = dayOf(timeframe_start);
    const key = `${metered_ref} ${day}`;
    if (granularity === 'monthly' || seenDays.has(key)) continue;
    seenDays.add(key);
    rollUp.addUpDay(metered_ref, day);
  }
  for (const { metered_ref, day } of days.all()) noteMonth(metered_ref, day * dayMs);
  for (const [metered_ref, start] of months.values()) rollUp.addUpMonth(metered_ref, start);
}
