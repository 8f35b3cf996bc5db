import type { Database } from 'better-sqlite3';
import { dayMs } from '../../src/resources/duration.ts';

/** Writes that the service meters a project, and has told all of its account until the beginning of a day. @returns its `metered_ref`. */
export function writeMeteredProject(
  history: Database,
  { account_ref, project_id }: { readonly account_ref: unknown; readonly project_id: string },
  settledUntilDay: number,
): unknown {
  history
    .prepare(
      `INSERT INTO meter_pass (account_ref, granularity, settled_until_at) VALUES (?, 'hourly', ?)
       ON CONFLICT DO UPDATE SET settled_until_at = excluded.settled_until_at`,
    )
    .run(account_ref, settledUntilDay * dayMs);
  return history
    .prepare(
      `INSERT INTO metered_project (account_ref, project_id) VALUES (?, ?)
       ON CONFLICT DO UPDATE SET project_id = excluded.project_id RETURNING metered_ref`,
    )
    .pluck()
    .get(account_ref, project_id);
}
