import type { Database } from 'better-sqlite3';
import { accountReader } from './commit/account-enrolment.ts';
import { WordRegister } from './commit/word-register.ts';
import { inodeOf, resolveLinks } from './file/alias.ts';
import { HistoryError } from './file/history-error.ts';
import { Owner } from './file/owner.ts';
import { openReader, refuseOtherFormat } from './file/reader.ts';
import { statementsOf } from './file/statement.ts';
import type { HistoryOptions } from './history-options.ts';
import { type AccountSnapshot, type KnownAccount, snapshot } from './snapshot/known-account.ts';

/** A history as a standby sees it: what another daemon writes, read again and again, and never written. */
export class StandbyHistory {
  readonly #options: HistoryOptions;
  readonly #database: Database;
  readonly #readAccount: (account: string, account_ref: number) => KnownAccount;
  readonly #findAccount;
  readonly #words: WordRegister;
  readonly #accounts = new Map<string, KnownAccount>();
  readonly #inode: number | undefined;
  #version: unknown;

  /** @throws HistoryError or the database's error when it cannot be read now. */
  constructor(options: HistoryOptions) {
    this.#options = options;
    this.#inode = inodeOf(resolveLinks(options.file));
    const database = openReader(options.file);
    try {
      refuseOtherFormat(database, options.file);
      this.#words = new WordRegister(database);
      this.#readAccount = accountReader(database, this.#words, options);
      this.#findAccount = statementsOf(database).value<[string], number>`
        SELECT account_ref FROM account WHERE account = ?`;
    } catch (error) {
      database.close();
      throw error;
    }
    this.#database = database;
  }

  /**
   * Whether another daemon wrote something since this was last asked.
   *
   * @throws HistoryError when another file is in its place: then it is to be opened again.
   */
  wasWritten(): boolean {
    if (inodeOf(resolveLinks(this.#options.file)) !== this.#inode)
      throw new HistoryError(`${this.#options.file} was removed or replaced`);
    const version = this.#database.pragma('data_version', { simple: true });
    if (version === this.#version) return false;
    this.#version = version;
    return true;
  }

  /**
   * Every account that is known by now, and its projects: one instant of the history.
   *
   * @param now epoch milliseconds by this host's clock.
   * @throws HistoryError or the database's error when it cannot be read.
   */
  snapshot(now: number): readonly AccountSnapshot[] {
    // Another version of the program may have it by now.
    refuseOtherFormat(this.#database, this.#options.file);
    return this.#database.transaction(() => {
      this.#words.reload();
      this.#readAccounts();
      return snapshot(this.#accounts.values(), now, this.#options.staleAfterMs);
    })();
  }

  /** Whether any list or project was ever read. */
  hasData(): boolean {
    return [...this.#accounts.values()].some(({ own }) => own.wasRead());
  }

  /** How often a standby took this history over, ever. */
  takeovers(): number {
    return Owner.takeovers(this.#database);
  }

  close(): void {
    this.#database.close();
  }

  #readAccounts(): void {
    for (const known of this.#accounts.values()) known.reload();
    for (const account of this.#options.accounts) {
      if (this.#accounts.has(account)) continue;
      const account_ref = this.#findAccount(account);
      if (account_ref !== undefined) this.#accounts.set(account, this.#readAccount(account, account_ref));
    }
  }
}
