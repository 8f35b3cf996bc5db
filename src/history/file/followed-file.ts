import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { resolveLinks } from './alias.ts';
import { unusable } from './history-error.ts';
import { keepFewPages, openReader, refuseOtherFormat } from './reader.ts';

/** A history that is open, with what was made of it. */
interface OpenedFile<Made> {
  readonly database: Database.Database;
  readonly made: Made;
  readonly identity: string;
}

/** A history that is read for long beside the daemon that writes it: another file that took its place is opened, too. */
export class FollowedFile<Made> {
  readonly file: string;
  readonly #make: (database: Database.Database) => Made;
  #kept: OpenedFile<Made> | undefined;

  /** @param make what is prepared once for each file that is opened. */
  constructor(file: string, make: (database: Database.Database) => Made) {
    this.file = file;
    this.#make = make;
  }

  /**
   * The history as it is there now.
   *
   * @returns undefined where there is none.
   * @throws HistoryError when it cannot be read as a history of this version.
   */
  open(): OpenedFile<Made> | undefined {
    try {
      const identity = identityOf(this.file);
      if (this.#kept?.identity !== identity) this.close();
      if (identity === undefined) return undefined;
      this.#kept ??= this.#openNow(identity);
      // Another version of the program may have it by now.
      refuseOtherFormat(this.#kept.database, this.file);
      return this.#kept;
    } catch (cause) {
      this.close();
      throw cause instanceof Database.SqliteError ? unusable(this.file, cause) : cause;
    }
  }

  #openNow(identity: string): OpenedFile<Made> {
    const database = openReader(this.file);
    try {
      keepFewPages(database);
      refuseOtherFormat(database, this.file);
      return { database, made: this.#make(database), identity };
    } catch (error) {
      database.close();
      throw error;
    }
  }

  close(): void {
    this.#kept?.database.close();
    this.#kept = undefined;
  }
}

/**
 * Tells a file from another one in its place. One without a log is told by its content as well: it may be read as a copy,
 * which does not follow what is written.
 */
function identityOf(file: string): string | undefined {
  const path = resolveLinks(file);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined || stat.size === 0) return undefined;
  const isLogged = statSync(`${path}-shm`, { throwIfNoEntry: false }) !== undefined;
  const content = isLogged ? [] : [stat.size, stat.mtimeMs];
  return [stat.dev, stat.ino, ...content].join(' ');
}
