import Database from 'better-sqlite3';
import { dayMs } from '../../src/resources/duration.ts';
import { monthStart } from '../../src/resources/utc-month.ts';

const knownDays = 20;
const gigabyte = 1e9;

/**
 * Writes into the history of a daemon that runs that the service metered a project alike for some weeks, and since yesterday a
 * hundred times as much.
 *
 * @returns what takes it back.
 */
export function setMeterUnusual(file: string, account: string, project_id: string): () => void {
  const history = new Database(file, { timeout: 5000 });
  const today = Math.floor(Date.now() / dayMs);
  const write = history.transaction(() => {
    const account_ref = history
      .prepare('SELECT account_ref FROM account WHERE account = ?')
      .pluck()
      .get(account);
    const ref = writeMeteredProject(history, { account_ref, project_id }, today);
    const month = history.prepare(
      'INSERT OR REPLACE INTO metered_month (metered_ref, month_start) VALUES (?, ?)',
    );
    for (const day of [today - knownDays, today]) month.run(ref, monthStart(day * dayMs));
    const insert = history.prepare(
      `INSERT OR REPLACE INTO metered_day
         (metered_ref, day, public_network_transfer_bytes, root_branch_bytes_month, extra_branches_month)
       VALUES (?, ?, ?, ?, ?)`,
    );
    for (let day = today - knownDays; day <= today; day += 1) {
      const times = day >= today - 1 ? 100 : 1;
      insert.run(ref, day, times * gigabyte, Math.round((times * gigabyte) / 30), times);
    }
    return ref;
  });
  const metered_ref = write.immediate();
  history.close();
  return () => {
    const again = new Database(file, { timeout: 5000 });
    for (const table of ['metered_day', 'metered_month'])
      again.prepare(`DELETE FROM ${table} WHERE metered_ref = ?`).run(metered_ref);
    again.close();
  };
}

/** Writes that the service meters a project, and has told all of its account until the beginning of a day. @returns its `metered_ref`. */
function writeMeteredProject(
  history: Database.Database,
  { account_ref, project_id }: { readonly account_ref: unknown; readonly project_id: string },
  settledUntilDay: number,
): unknown {
  history
    .prepare(
      `INSERT INTO meter_pass (account_ref, granularity, settled_until_at, told_until_at)
       VALUES (@account_ref, 'hourly', @untilAt, @untilAt)
       ON CONFLICT DO UPDATE SET settled_until_at = excluded.settled_until_at, told_until_at = excluded.told_until_at`,
    )
    .run({ account_ref, untilAt: settledUntilDay * dayMs });
  return history
    .prepare(
      `INSERT INTO metered_project (account_ref, project_id) VALUES (?, ?)
       ON CONFLICT DO UPDATE SET project_id = excluded.project_id RETURNING metered_ref`,
    )
    .pluck()
    .get(account_ref, project_id);
}

/**
 * Writes into the history of a daemon that runs that the service metered a hundred compute hours of a project yesterday, and
 * says that it was awake for as long.
 *
 * @returns what takes it back.
 */
export function setLedgersApart(file: string, account: string): () => void {
  const history = new Database(file, { timeout: 5000 });
  const account_ref = history
    .prepare('SELECT account_ref FROM account WHERE account = ?')
    .pluck()
    .get(account);
  const today = Math.floor(Date.now() / dayMs);
  const apart = history.transaction(() => {
    const { project_ref, project_id } = history
      .prepare('SELECT project_ref, project_id FROM project WHERE account_ref = ? AND gone_at IS NULL')
      .get(account_ref) as { readonly project_ref: number; readonly project_id: string };
    history
      .prepare('UPDATE project SET first_seen_at = ? WHERE project_ref = ?')
      .run((today - 3) * dayMs, project_ref);
    const metered_ref = writeMeteredProject(history, { account_ref, project_id }, today);
    history
      .prepare(
        'INSERT OR REPLACE INTO metered_day (metered_ref, day, compute_unit_seconds) VALUES (?, ?, 360000)',
      )
      .run(metered_ref, today - 1);
    history.prepare('UPDATE project SET active_time = 0 WHERE project_ref = ?').run(project_ref);
    history
      .prepare(
        `INSERT OR REPLACE INTO active_window (project_ref, begun_at, begun_sec, from_at, until_at, active_sec)
         VALUES (@project_ref, @untilAt, 0, @fromAt, @untilAt, 360000)`,
      )
      .run({ project_ref, fromAt: (today - 1) * dayMs, untilAt: today * dayMs });
  });
  apart.immediate();
  history.close();
  return () => {
    const again = new Database(file, { timeout: 5000 });
    again.exec(`DELETE FROM metered_day; DELETE FROM meter_pass WHERE granularity = 'hourly';
      DELETE FROM active_window`);
    again.close();
  };
}
