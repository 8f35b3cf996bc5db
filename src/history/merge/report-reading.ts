import type { Database } from 'better-sqlite3';
import {
  type ChooseAccounts,
  lookAtHistory,
  type OpenHistory,
  openerOf,
  type ReportHistory,
} from '../usage/report-history.ts';
import { openJoined } from './joined-history.ts';

/** A history that a daemon may be writing, or several as one: these are joined when they are first looked at. */
export class ReadHistory implements Disposable {
  readonly #files: readonly string[];
  #joined: Database | undefined;

  constructor(files: readonly string[]) {
    this.#files = files;
  }

  /**
   * Looks at it; nothing changes meanwhile: all that is opened is of one instant.
   *
   * @returns undefined where none is there yet.
   * @throws HistoryError when a file cannot be read as a history of this version.
   */
  look<Found>(read: (open: OpenHistory) => Found): Found | undefined {
    const [only, ...others] = this.#files;
    if (only !== undefined && others.length === 0) return lookAtHistory(only, read);
    this.#joined ??= openJoined(this.#files);
    return this.#joined && read(openerOf(this.#joined));
  }

  [Symbol.dispose](): void {
    this.#joined?.close();
  }
}

/** As `ReadHistory`, for one look. */
function lookAtHistories<Found>(
  files: readonly string[],
  read: (open: OpenHistory) => Found,
): Found | undefined {
  using history = new ReadHistory(files);
  return history.look(read);
}

/** As `lookAtHistories`, at the history of the accounts that are chosen. */
export function readReportHistories<Found>(
  files: readonly string[],
  choose: ChooseAccounts,
  read: (history: ReportHistory) => Found,
): Found | undefined {
  return lookAtHistories(files, open => read(open(choose)));
}
