import { readFileSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { applicationId, migrations, newestVersion } from './format.ts';

/**
 * Brings a history up to a format, one transaction a migration; `user_version` is the number of the last one done.
 *
 * @param version the newest by default.
 */
export function migrate(database: Database, version: number = newestVersion): void {
  const done = Number(database.pragma('user_version', { simple: true }));
  for (const [index, migration] of migrations.entries()) {
    if (index < done || index >= version) continue;
    const sql = readFileSync(migration, 'utf8');
    database.transaction(() => {
      database.exec(sql);
      database.pragma(`application_id = ${applicationId}`);
      database.pragma(`user_version = ${index + 1}`);
    })();
  }
}
