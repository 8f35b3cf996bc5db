import type { Database } from 'better-sqlite3';
import type { Answers } from '../answers.ts';
import { type OpenedFile, openLasting } from '../file/followed-file.ts';
import { sizeOf } from '../file/reader.ts';
import { BrowsedClosings } from './browsed-closing.ts';
import { BrowsedFailures } from './browsed-failure.ts';
import { BrowsedFleet } from './browsed-fleet.ts';
import { BrowsedKeys } from './browsed-key.ts';
import { BrowsedMatches } from './browsed-match.ts';
import { BrowsedOperations } from './browsed-operation.ts';
import { BrowsedProjects } from './browsed-project.ts';
import { BrowsedSessions } from './browsed-session.ts';

/** The history as someone who looks around in it sees it, at one moment. */
export interface BrowsedHistory {
  readonly failures: Answers<BrowsedFailures>;
  readonly fleet: Answers<BrowsedFleet>;
  readonly closings: Answers<BrowsedClosings>;
  readonly keys: Answers<BrowsedKeys>;
  readonly operations: Answers<BrowsedOperations>;
  readonly projects: Answers<BrowsedProjects>;
  readonly sessions: Answers<BrowsedSessions>;
  readonly matches: Answers<BrowsedMatches>;
}

/** Reads a history beside the daemon that writes it, over a connection that stays open; nothing is written. */
export class HistoryBrowser {
  readonly #file: string;
  #open: OpenedFile<BrowsedHistory> | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /**
   * Looks something up; everything is of one moment.
   *
   * @returns undefined where there is no history yet.
   * @throws HistoryError when the file cannot be read as a history of this version.
   */
  look<Found>(read: (history: BrowsedHistory) => Found): Found | undefined {
    if (this.#open === undefined && sizeOf(this.#file) === 0) return undefined;
    this.#open ??= openLasting(this.#file, browse);
    const { database, made } = this.#open;
    return database.transaction(() => read(made))();
  }

  /** The files that it reads. */
  usable(): readonly string[] {
    return [this.#file];
  }

  close(): void {
    this.#open?.database.close();
    this.#open = undefined;
  }
}

/** Looks around in a history that is open. */
export function browse(database: Database): BrowsedHistory {
  return {
    closings: new BrowsedClosings(database),
    failures: new BrowsedFailures(database),
    fleet: new BrowsedFleet(database),
    keys: new BrowsedKeys(database),
    matches: new BrowsedMatches(database),
    operations: new BrowsedOperations(database),
    projects: new BrowsedProjects(database),
    sessions: new BrowsedSessions(database),
  };
}
