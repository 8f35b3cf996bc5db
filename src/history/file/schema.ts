import { readFileSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { applicationId, formatVersion } from './format.ts';

const schema = new URL('../schema.sql', import.meta.url);

/** Makes the tables of a history in a file that is still empty, in one transaction. */
export function createSchema(database: Database): void {
  database.transaction(() => {
    database.exec(readFileSync(schema, 'utf8'));
    database.pragma(`application_id = ${applicationId}`);
    database.pragma(`user_version = ${formatVersion}`);
  })();
}
