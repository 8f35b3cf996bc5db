import Database from 'better-sqlite3';
import { dayMs } from '../../src/resources/duration.ts';
import { monthStart } from '../../src/resources/utc-month.ts';
import { writeMeteredProject } from './metered-project.ts';

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
