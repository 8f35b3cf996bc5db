import type { Database } from 'better-sqlite3';
import { knownStates } from '../../resources/endpoint.ts';
import { knownActions, knownStatuses } from '../../resources/operation.ts';
import { statementsOf } from '../file/statement.ts';

/** Open sets of words that become label values. */
type WordKind = 'state' | 'action' | 'status';

const known: Readonly<Record<WordKind, ReadonlySet<string>>> = {
  state: new Set(knownStates),
  action: new Set(knownActions),
  status: new Set(knownStatuses),
};
/** Of a kind in an account, but for those known beforehand. */
const mostWords = 50;

/**
 * Keeps open sets of words from flooding Prometheus: the first 50 distinct words of a kind in an account
 * pass, and those known beforehand; every later one becomes `other`. Which ones passed survives a restart.
 */
export class WordRegister {
  readonly #load;
  readonly #insert;
  readonly #words = new Map<string, Set<string>>();

  constructor(database: Database) {
    const sql = statementsOf(database);
    this.#load = sql.values<[number, WordKind], string>`
      SELECT word FROM word WHERE account_ref = ? AND kind = ?`;
    this.#insert = sql.run<[number, WordKind, string]>`
      INSERT INTO word (account_ref, kind, word) VALUES (?, ?, ?)`;
  }

  /** The label value for a word; call it inside the transaction that commits the word. */
  admit(account_ref: number, kind: WordKind, word: string): string {
    const words = this.#wordsOf(account_ref, kind);
    if (words.has(word)) return word;
    if (words.size >= mostWords && !known[kind].has(word)) return 'other';
    this.#insert(account_ref, kind, word);
    words.add(word);
    return word;
  }

  /** The label value of a word that was admitted before, `other` when it was not let in. */
  labelOf(account_ref: number, kind: WordKind, word: string): string {
    return this.#wordsOf(account_ref, kind).has(word) ? word : 'other';
  }

  /** Forgets what a rolled-back transaction may have admitted. */
  reload(): void {
    this.#words.clear();
  }

  #wordsOf(account_ref: number, kind: WordKind): Set<string> {
    const key = `${account_ref} ${kind}`;
    let words = this.#words.get(key);
    if (words === undefined) {
      words = new Set(this.#load(account_ref, kind));
      this.#words.set(key, words);
    }
    return words;
  }
}
