import type { Database } from 'better-sqlite3';
import { FollowedFile, holdStill, openUsable } from '../file/followed-file.ts';
import { listAccounts, openReportHistory } from '../usage/report-history.ts';
import { lookAtUsage, type UsageHistory, usageOfReport } from '../usage/usage-history.ts';
import { mergeHistories } from './merged-history.ts';
import { readProjectLives } from './project-life.ts';

interface OpenFile {
  readonly file: string;
  readonly database: Database;
}

/**
 * Reads the use of compute from several histories that somebody else writes. Comparisons of ledgers and what was ever charged
 * are left out: only those who write a history keep them.
 */
export class SeveralUsageReader {
  readonly #files: readonly FollowedFile<undefined>[];
  readonly #accounts: readonly string[];
  /** The files that are held still; undefined while none are. */
  #held: readonly OpenFile[] | undefined;

  constructor(files: readonly string[], accounts: readonly string[]) {
    this.#files = files.map(file => new FollowedFile(file, () => undefined));
    this.#accounts = accounts;
  }

  /** The use as it is known now; a file that cannot be read is left out. */
  look(): UsageHistory {
    const parts = (this.#held ?? openUsable(this.#files)).map(({ file, database }) => {
      const known = listAccounts(database);
      const own = this.#accounts.filter(account => known.includes(account));
      return {
        ...{ file, history: openReportHistory(database, own), lives: readProjectLives(database) },
        usage: lookAtUsage(database, own),
      };
    });
    return {
      ...usageOfReport(mergeHistories(parts, this.#accounts)),
      ledgers: account => parts.reduce((sum, part) => sum + part.usage.ledgers(account), 0),
    };
  }

  /** Runs work that sees the histories as they were when the work began. */
  steadily<Result>(work: () => Result): Result {
    const held = openUsable(this.#files);
    this.#held = held;
    try {
      return holdStill(
        held.map(({ database }) => database),
        work,
      );
    } finally {
      this.#held = undefined;
    }
  }

  close(): void {
    for (const each of this.#files) each.close();
  }
}
