import { createHmac } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { ApiKey, PersonalDataMode } from '../../resources/api-key.ts';
import { compact } from '../../resources/field.ts';
import type { ApiKeysReading } from '../../resources/reading.ts';
import { apiKeyColumns, type StoredRow } from '../column.ts';
import { statementsOf } from '../file/statement.ts';
import type { HistoryOptions } from '../history-options.ts';
import { isToCome } from '../ledger/plausible-instant.ts';
import { type ListDiff, ListedItems } from './listed-items.ts';
import type { ImplausibleValues } from './lost-value.ts';

/** Begins every hash, so that none is taken for the text it was made of. */
const hashPrefix = 'hashed:';
const hashDigits = 16;

/** Personal data of one kind, remembered as the configuration wants it. */
class PersonalText {
  readonly mode: PersonalDataMode;
  readonly #database: Database;
  readonly #salt: string;

  constructor(database: Database, mode: PersonalDataMode = 'plain') {
    this.mode = mode;
    this.#database = database;
    this.#salt = statementsOf(database).value<[], string>`SELECT salt FROM source_salt`() ?? '';
  }

  /** The form in which a text is remembered; undefined where it is not. */
  remember(text: string | undefined): string | undefined {
    if (text === undefined || this.mode === 'plain') return text;
    return this.mode === 'hashed' ? this.#hash(text) : undefined;
  }

  /** Whether what was remembered is this text, as it is or as it was hashed before. */
  isSame(remembered: string, text: string): boolean {
    return remembered === text || remembered === this.#hash(text);
  }

  /** Rewrites a column in which texts were remembered in another way; a hash stays one. To be called in a transaction. */
  convert(table: string, column: string): void {
    const sql = statementsOf(this.#database);
    if (this.mode === 'plain') return;
    // The old form must not stay in the free parts of the file.
    this.#database.pragma('secure_delete = ON');
    const texts = sql.values<[string], string>`
      SELECT DISTINCT ${column} FROM ${table} WHERE ${column} NOT LIKE ?`(
      this.mode === 'hashed' ? `${hashPrefix}%` : '',
    );
    const rewrite = sql.run<[string | null, string]>`UPDATE ${table} SET ${column} = ? WHERE ${column} = ?`;
    for (const text of texts) rewrite(this.remember(text) ?? null, text);
  }

  /** The hash of a text with the salt of the history; of a hash, itself. */
  #hash(text: string): string {
    if (text.startsWith(hashPrefix)) return text;
    return hashPrefix + createHmac('sha256', this.#salt).update(text).digest('hex').slice(0, hashDigits);
  }
}

type Uses = Pick<ApiKey, 'last_used_at' | 'last_used_from_addr'>;

/** The API keys of accounts and their uses. All calls happen inside the transaction of one reading. */
export class ApiKeys {
  readonly #database: Database;
  readonly #implausible: ImplausibleValues;
  readonly #addresses: PersonalText;
  readonly #people: PersonalText;
  readonly #items: ListedItems;
  readonly #statements;

  constructor(
    database: Database,
    implausible: ImplausibleValues,
    { sourceAddresses, people }: HistoryOptions,
  ) {
    const sql = statementsOf(database);
    this.#database = database;
    this.#implausible = implausible;
    this.#addresses = new PersonalText(database, sourceAddresses);
    this.#people = new PersonalText(database, people);
    const columns = [...apiKeyColumns.columns, 'source_address_changes'];
    this.#items = new ListedItems(database, {
      ...{ table: 'api_key', ref: 'key_ref', within: 'account_ref', id: 'key_id', columns },
    });
    this.#statements = {
      extendUse: sql.run<[number, number, number, string | null]>`
        UPDATE key_use SET until_at = max(until_at, ?)
        WHERE key_ref = ? AND from_at = (SELECT max(from_at) FROM key_use WHERE key_ref = ?)
          AND last_used_from_addr IS ?`,
      beginUse: sql.run<[number, number, number, string | null]>`
        INSERT OR REPLACE INTO key_use (key_ref, from_at, until_at, last_used_from_addr) VALUES (?, ?, ?, ?)`,
    };
  }

  /** Rewrites personal data that were remembered in another way. */
  convertPersonal(): void {
    for (const table of ['api_key', 'key_use']) this.#addresses.convert(table, 'last_used_from_addr');
    this.#people.convert('api_key', 'created_by_id');
    if (this.#people.mode === 'plain') return;
    this.#database.exec('UPDATE api_key SET created_by_name = NULL WHERE created_by_name IS NOT NULL');
  }

  /** The list of an account's keys against what is known of them. */
  diff(account_ref: number, { items, complete, servedAt }: ApiKeysReading): ListDiff<ApiKey> {
    const remembered = items.map(({ last_used_from_addr, ...key }) => {
      const address = this.#addresses.remember(last_used_from_addr);
      return address === undefined ? key : { ...key, last_used_from_addr: address };
    });
    return this.#items.diff(account_ref, { items: remembered, complete }, servedAt, {
      identify: ({ key_id }) => key_id,
      write: (key, before) => this.#write(key, before, servedAt),
    });
  }

  commit(account_ref: number, diff: ListDiff<ApiKey>): void {
    const { items, servedAt } = diff;
    const refs = this.#items.commit(diff);
    for (const [index, { item: key, before }] of items.entries()) {
      for (const field of ['created_at', 'last_used_at'] as const) {
        const value = key[field];
        if (isToCome(value, servedAt)) this.#implausible.note(account_ref, { field, id: key.key_id, value });
      }
      const { isUsed } = this.#judgeUse(key, before, servedAt);
      if (isUsed && !isToCome(key.last_used_at, servedAt)) this.#commitUse(refs[index] ?? 0, key);
    }
  }

  #write(key: ApiKey, before: StoredRow | undefined, servedAt: number): StoredRow {
    const { uses, knownAddress, hasMoved, isUsed } = this.#judgeUse(key, before, servedAt);
    return {
      ...apiKeyColumns.write(key),
      last_used_at: uses.last_used_at ?? null,
      last_used_from_addr:
        (isUsed ? uses.last_used_from_addr : undefined) ?? knownAddress ?? uses.last_used_from_addr ?? null,
      created_by_id: this.#people.remember(key.created_by_id) ?? null,
      // The id alone tells people apart: a hash has no name.
      created_by_name: this.#people.mode === 'plain' ? (key.created_by_name ?? null) : null,
      source_address_changes: Number(before?.source_address_changes ?? 0) + Number(hasMoved),
    };
  }

  /** The last use that counts, and whether it is another one than was known. A list that is behind shows a use already counted, or none. */
  #judgeUse(key: ApiKey, before: StoredRow | undefined, servedAt: number) {
    const known = before && apiKeyColumns.read(before);
    const isOdd = isToCome(key.last_used_at, servedAt);
    const isKnownUse = known?.last_used_at !== undefined && !isToCome(known.last_used_at, servedAt);
    const isBehind = isKnownUse && (isOdd || (key.last_used_at ?? 0) < (known.last_used_at ?? 0));
    const { last_used_from_addr } = key;
    const uses: Uses = isBehind ? known : isOdd ? compact({ last_used_from_addr }) : key;
    const { last_used_at, last_used_from_addr: address } = uses;
    const knownAddress = known?.last_used_from_addr;
    const hasMoved =
      address !== undefined && knownAddress !== undefined && !this.#addresses.isSame(knownAddress, address);
    const isUsed = before === undefined || hasMoved || known?.last_used_at !== last_used_at;
    return { uses, knownAddress, hasMoved, isUsed };
  }

  #commitUse(key_ref: number, uses: Uses): void {
    const { last_used_at: at, last_used_from_addr: address = null } = uses;
    if (at === undefined) return;
    const extended = this.#statements.extendUse(at, key_ref, key_ref, address).changes > 0;
    if (!extended) this.#statements.beginUse(key_ref, at, at, address);
  }
}
