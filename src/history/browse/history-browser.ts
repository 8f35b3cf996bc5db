import type { Database } from 'better-sqlite3';
import type { ClosedPeriod } from '../../resources/closed-period.ts';
import type { Span } from '../../resources/duration.ts';
import { FollowedFile } from '../file/followed-file.ts';
import { statementsOf } from '../file/statement.ts';
import { browsedMatches } from '../fleet/known-project.ts';
import { browsedKeys } from '../usage/key-query.ts';
import { browsedFleet } from './browsed-fleet.ts';
import { browsedIncidents } from './browsed-incident.ts';
import { browsedOperations } from './browsed-operation.ts';
import { browsedProjects, browsedSessions } from './browsed-project.ts';
import { browsedSearch } from './browsed-search.ts';

/** The history as someone who looks around in it sees it, at one moment. */
export type BrowsedHistory = ReturnType<typeof browse>;

/**
 * Reads a history beside the daemon that writes it, over a connection that stays open; nothing is written. A file in its place is
 * read from then on.
 */
export class HistoryBrowser {
  readonly #file: FollowedFile<BrowsedHistory>;
  /** The last result of `lookOnce`, with the history and its state then. */
  #last: { readonly made: BrowsedHistory; readonly state: string; readonly found: unknown } | undefined;

  constructor(file: string) {
    this.#file = new FollowedFile(file, browse);
  }

  /**
   * Looks something up; everything is of one moment.
   *
   * @returns undefined where there is no history yet.
   * @throws HistoryError when the file cannot be read as a history of this version.
   */
  look<Found>(read: (history: BrowsedHistory) => Found): Found | undefined {
    const opened = this.#file.open();
    return opened?.database.transaction(() => read(opened.made))();
  }

  /**
   * As `look`, of one thing that is asked for again and again: it is looked up once for each state of the history.
   *
   * @param what names it.
   */
  lookOnce<Found>(what: string, read: (history: BrowsedHistory) => Found): Found | undefined {
    const opened = this.#file.open();
    if (opened === undefined) return undefined;
    const { made, database } = opened;
    const state = `${what} ${database.pragma('data_version', { simple: true })}`;
    if (this.#last?.made !== made || this.#last.state !== state)
      this.#last = { made, state, found: this.look(read) };
    return this.#last.found as Found;
  }

  close(): void {
    this.#file.close();
  }
}

/** Looks around in a history that is open. */
function browse(database: Database) {
  return {
    closings: {
      /** Closed periods that share time with a period and are closed still; epoch milliseconds. */
      within: statementsOf(database).all<[Span], BrowsedClosing>`
        SELECT account, from_at AS fromAt, until_at AS untilAt, closed_at AS closedAt, fingerprint
        FROM closed_period JOIN account USING (account_ref)
        WHERE reopened_at IS NULL AND from_at < @untilAt AND until_at > @fromAt ORDER BY account_ref, from_at`,
    },
    fleet: browsedFleet(database),
    incidents: browsedIncidents(database),
    keys: browsedKeys(database),
    matches: browsedMatches(database),
    operations: browsedOperations(database),
    projects: browsedProjects(database),
    search: browsedSearch(database),
    sessions: browsedSessions(database),
  };
}

/** A billing period that was closed, without its bill. */
export type BrowsedClosing = Pick<
  ClosedPeriod,
  'account' | 'fromAt' | 'untilAt' | 'closedAt' | 'fingerprint'
>;
