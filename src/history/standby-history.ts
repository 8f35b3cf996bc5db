import { statSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { resolveLinks } from './file/alias.ts';
import { HistoryError } from './file/history-error.ts';
import { Owner } from './file/owner.ts';
import { openReader, refuseOtherFormat } from './file/reader.ts';
import type { AccountChanges } from './history.ts';
import type { HistoryOptions } from './history-options.ts';
import { makeRemember } from './record/account-enrolment.ts';
import { WordRegister } from './record/word-register.ts';
import type { AccountMemory } from './view/account-memory.ts';

/** A history as a standby sees it: what another daemon writes, read again and again, and never written. */
export class StandbyHistory {
  readonly #options: HistoryOptions;
  readonly #database: Database;
  readonly #remember: (account: string, account_ref: number) => AccountMemory;
  readonly #findAccount;
  readonly #words: WordRegister;
  readonly #memories = new Map<string, AccountMemory>();
  readonly #inode: number | undefined;
  #version: unknown;

  /** @throws HistoryError or the database's error when it cannot be read now. */
  constructor(options: HistoryOptions) {
    this.#options = options;
    this.#inode = inodeOf(options.file);
    const database = openReader(options.file);
    try {
      refuseOtherFormat(database, options.file);
      this.#words = new WordRegister(database);
      this.#remember = makeRemember(database, this.#words, options);
      this.#findAccount = database
        .prepare<[string], number>('SELECT account_ref FROM account WHERE account = ?')
        .pluck();
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
    if (inodeOf(this.#options.file) !== this.#inode)
      throw new HistoryError(`${this.#options.file} was removed or replaced`);
    const version = this.#database.pragma('data_version', { simple: true });
    if (version === this.#version) return false;
    this.#version = version;
    return true;
  }

  /**
   * Views of every account that is known by now and of its projects: one moment of the history.
   *
   * @param now epoch milliseconds by this host's clock.
   * @throws HistoryError or the database's error when it cannot be read.
   */
  changes(now: number): readonly AccountChanges[] {
    // Another version of the program may have it by now.
    refuseOtherFormat(this.#database, this.#options.file);
    return this.#database.transaction(() => {
      this.#words.reload();
      this.#readMemories();
      return [...this.#memories.values()].map(memory => {
        const account = memory.summary(now, this.#options.staleAfterMs);
        const projects = memory.takeChanges(now);
        return { account, projects, overview: { summary: account, ...memory.countShown() } };
      });
    })();
  }

  /** Whether any list or project was ever read. */
  hasData(): boolean {
    return [...this.#memories.values()].some(memory => memory.own.wasRead());
  }

  /** How often a standby took this history over, ever. */
  takeovers(): number {
    return Owner.takeovers(this.#database);
  }

  close(): void {
    this.#database.close();
  }

  #readMemories(): void {
    for (const memory of this.#memories.values()) memory.reload();
    for (const account of this.#options.accounts) {
      if (this.#memories.has(account)) continue;
      const account_ref = this.#findAccount.get(account);
      if (account_ref !== undefined) this.#memories.set(account, this.#remember(account, account_ref));
    }
  }
}

function inodeOf(file: string): number | undefined {
  return statSync(resolveLinks(file), { throwIfNoEntry: false })?.ino;
}
