import Database from 'better-sqlite3';
import { dayMs } from '../../src/resources/duration.ts';
import { writeMeteredProject } from './metered-project.ts';

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
