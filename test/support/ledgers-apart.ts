import Database from 'better-sqlite3';
import { dayMs } from '../../src/resources/duration.ts';

/**
 * Writes into the history of a daemon that runs that the service metered a hundred compute hours of a project yesterday.
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
    const metered_ref = history
      .prepare(
        `INSERT INTO metered_project (account_ref, project_id) VALUES (?, ?)
         ON CONFLICT DO UPDATE SET project_id = excluded.project_id RETURNING metered_ref`,
      )
      .pluck()
      .get(account_ref, project_id);
    history
      .prepare(
        `INSERT INTO meter_pass (account_ref, granularity, settled_until_at) VALUES (?, 'hourly', ?)
         ON CONFLICT DO UPDATE SET settled_until_at = excluded.settled_until_at`,
      )
      .run(account_ref, today * dayMs);
    history
      .prepare(
        'INSERT OR REPLACE INTO metered_day (metered_ref, day, compute_unit_seconds) VALUES (?, ?, 360000)',
      )
      .run(metered_ref, today - 1);
  });
  apart.immediate();
  history.close();
  return () => {
    const again = new Database(file, { timeout: 5000 });
    again.exec("DELETE FROM metered_day; DELETE FROM meter_pass WHERE granularity = 'hourly'");
    again.close();
  };
}
