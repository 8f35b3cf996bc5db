import { readFileSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { meterMetrics } from '../../resources/meter.ts';

/** The format of a history, as `user_version` says it. Those below were never released. */
export const formatVersion = 32;

/** Marks the file as ours in SQLite's header: "dbpm" in ASCII. */
export const applicationId = 0x6462706d;

/** Offset in SQLite's header ("Database File Format", 1.3). */
export const applicationIdAt = 68;

/**
 * Why a history of a format cannot be used, and what to do, as a clause that begins with a verb.
 *
 * @returns undefined for the format of now.
 */
export function refuseVersion(version: number): string | undefined {
  if (version === formatVersion) return undefined;
  return version > formatVersion
    ? `was written by a newer dbpm-exporter (format ${version}, this one knows ${formatVersion}): use that version or name another file`
    : `was written by a dbpm-exporter from before the first release (format ${version}, this one knows ${formatVersion}): move it away, and a new history is begun`;
}

const schema = new URL('../schema.sql', import.meta.url);
/** Stands in it for a column of each metric of the service's meter. */
const amounts = /\bamounts_of_meter (\w+),/g;

function columnsOfMeter(type: string): string {
  return meterMetrics.map(metric => `${metric} ${type},`).join('\n  ');
}

/** Makes the tables of a history in a file that is still empty, in one transaction. */
export function createSchema(database: Database): void {
  database.transaction(() => {
    database.exec(readFileSync(schema, 'utf8').replaceAll(amounts, (_, type) => columnsOfMeter(type)));
    database.pragma(`application_id = ${applicationId}`);
    database.pragma(`user_version = ${formatVersion}`);
  })();
}
