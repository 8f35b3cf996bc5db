import { readdirSync } from 'node:fs';

const folder = new URL('../migrations/', import.meta.url);

/** The steps from an empty file to the format of now, in order; `user_version` counts those done. */
export const migrations: readonly URL[] = readdirSync(folder)
  .sort()
  .map(name => new URL(name, folder));

export const newestVersion = migrations.length;

/** Marks the file as ours in SQLite's header: "dbpm" in ASCII. */
export const applicationId = 0x6462706d;

/** Offset in SQLite's header ("Database File Format", 1.3). */
export const applicationIdAt = 68;
