import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { resolveLinks } from './alias.ts';
import { keepFewPages } from './database.ts';
import { HistoryError, unusable } from './history-error.ts';
import { openReader, refuseOtherFormat } from './reader.ts';

/** A history that is open, with what was made of it. */
export interface OpenedFile<Made> {
  readonly database: Database.Database;
  readonly made: Made;
}

interface Kept<Made> extends OpenedFile<Made> {
  readonly identity: string;
}

/** A history that is read for long beside whoever writes it: another file that took its place is opened, too. */
export class FollowedFile<Made> {
  readonly file: string;
  readonly #make: (database: Database.Database) => Made;
  #kept: Kept<Made> | undefined;

  /** @param make what is prepared once for each file that is opened. */
  constructor(file: string, make: (database: Database.Database) => Made) {
    this.file = file;
    this.#make = make;
  }

  /**
   * The history as it is there now.
   *
   * @returns a sentence that says why it cannot be read, where it cannot.
   */
  open(): OpenedFile<Made> | string {
    try {
      const identity = identityOf(this.file);
      if (identity === undefined) {
        this.close();
        return `${this.file} is not there`;
      }
      if (this.#kept?.identity !== identity) this.close();
      this.#kept ??= { ...openLasting(this.file, this.#make), identity };
      // Another version of the program may have it by now.
      refuseOtherFormat(this.#kept.database, this.file);
      return this.#kept;
    } catch (cause) {
      this.close();
      if (cause instanceof Database.SqliteError) return unusable(this.file, cause).message;
      if (cause instanceof HistoryError) return cause.message;
      throw cause;
    }
  }

  close(): void {
    this.#kept?.database.close();
    this.#kept = undefined;
  }
}

/**
 * Opens a history that somebody else writes, to be looked at for long.
 *
 * @param make what is prepared once for it.
 * @throws HistoryError when it cannot be read as a history of this version.
 */
export function openLasting<Made>(
  file: string,
  make: (database: Database.Database) => Made,
): OpenedFile<Made> {
  let database: Database.Database | undefined;
  try {
    database = openReader(file);
    keepFewPages(database);
    refuseOtherFormat(database, file);
    return { database, made: make(database) };
  } catch (error) {
    database?.close();
    throw error instanceof Database.SqliteError ? unusable(file, error) : error;
  }
}

/** The files that can be read now. */
export function openUsable<Made>(
  files: readonly FollowedFile<Made>[],
): readonly (OpenedFile<Made> & { readonly file: string })[] {
  return files.flatMap(each => {
    const opened = each.open();
    return typeof opened === 'string' ? [] : [{ ...opened, file: each.file }];
  });
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

/** Runs short work over several histories, each as it was when the work began. */
export function holdStill<Result>(databases: readonly Database.Database[], work: () => Result): Result {
  const [first, ...others] = databases;
  return first === undefined ? work() : first.transaction(() => holdStill(others, work))();
}
