import type { Database } from 'better-sqlite3';
import type { ApiKey } from '../../resources/api-key.ts';
import type { ApiKeysReading } from '../../resources/reading.ts';
import { isToCome } from '../ledger/plausible-instant.ts';
import type { ImplausibleRecord } from './implausible-record.ts';
import type { KeyPerson } from './key-person.ts';
import type { SourceAddress } from './source-address.ts';

/** How personal data are remembered. */
export interface PersonalData {
  readonly addresses: SourceAddress;
  readonly people: KeyPerson;
}

interface KnownKey {
  readonly key_ref: number;
  readonly gone_at: number | null;
  readonly key_name: string | null;
  readonly created_at: number | null;
  readonly last_used_at: number | null;
  readonly last_used_from_addr: string | null;
  readonly created_by_id: string | null;
  readonly created_by_name: string | null;
}

const neverUsed: Partial<ApiKey> = {};

/** Writes lists of API keys and their uses; all calls happen inside the transaction of one reading. */
export class KeyRecord {
  readonly #implausible: ImplausibleRecord;
  readonly #addresses: SourceAddress;
  readonly #people: KeyPerson;
  readonly #statements;

  constructor(database: Database, implausible: ImplausibleRecord, { addresses, people }: PersonalData) {
    this.#implausible = implausible;
    this.#addresses = addresses;
    this.#people = people;
    this.#statements = {
      find: database.prepare<[number, string], KnownKey>(
        `SELECT key_ref, gone_at, key_name, created_at, last_used_at, last_used_from_addr,
           created_by_id, created_by_name
         FROM api_key WHERE account_ref = ? AND key_id = ?`,
      ),
      insert: database.prepare(
        `INSERT INTO api_key (account_ref, key_id, key_name, created_at, last_used_at, last_used_from_addr,
           created_by_id, created_by_name, first_seen_at)
         VALUES (@account_ref, @key_id, @key_name, @created_at, @last_used_at, @last_used_from_addr,
           @created_by_id, @created_by_name, @first_seen_at)`,
      ),
      update: database.prepare(
        `UPDATE api_key SET gone_at = NULL, key_name = @key_name, created_at = @created_at,
           created_by_id = @created_by_id, created_by_name = @created_by_name,
           last_used_at = @last_used_at, last_used_from_addr = coalesce(@last_used_from_addr, last_used_from_addr),
           source_address_changes = source_address_changes + @moved
         WHERE key_ref = @key_ref`,
      ),
      present: database
        .prepare<[number], string>('SELECT key_id FROM api_key WHERE account_ref = ? AND gone_at IS NULL')
        .pluck(),
      leave: database.prepare<[number, number, string]>(
        'UPDATE api_key SET gone_at = ? WHERE account_ref = ? AND key_id = ?',
      ),
      extendUse: database.prepare<[number, number, number, string | null]>(
        `UPDATE key_use SET until_at = max(until_at, ?)
         WHERE key_ref = ? AND from_at = (SELECT max(from_at) FROM key_use WHERE key_ref = ?)
           AND last_used_from_addr IS ?`,
      ),
      beginUse: database.prepare<[number, number, number, string | null]>(
        `INSERT OR REPLACE INTO key_use (key_ref, from_at, until_at, last_used_from_addr) VALUES (?, ?, ?, ?)`,
      ),
    };
  }

  recordList(account_ref: number, reading: ApiKeysReading): void {
    for (const { last_used_from_addr, ...key } of reading.items) {
      const address = this.#addresses.remember(last_used_from_addr);
      const remembered = address === undefined ? key : { ...key, last_used_from_addr: address };
      this.#recordKey(account_ref, remembered, reading.servedAt);
    }
    if (!reading.complete) return;
    const listed = new Set(reading.items.map(key => key.key_id));
    for (const key_id of this.#statements.present.all(account_ref)) {
      if (!listed.has(key_id)) this.#statements.leave.run(reading.servedAt, account_ref, key_id);
    }
  }

  #recordKey(account_ref: number, key: ApiKey, servedAt: number): void {
    const known = this.#statements.find.get(account_ref, key.key_id);
    const isOdd = this.#noteInstants(account_ref, key, servedAt);
    const isKnownUse = known !== undefined && !isToCome(known.last_used_at ?? undefined, servedAt);
    const isBehind = isKnownUse && (isOdd || (key.last_used_at ?? 0) < (known.last_used_at ?? 0));
    // A list that is behind shows a use already counted, or none.
    const use = isBehind ? known : isOdd ? neverUsed : key;
    const fields = {
      key_name: key.key_name ?? null,
      created_at: key.created_at ?? null,
      last_used_at: use.last_used_at ?? null,
      last_used_from_addr: use.last_used_from_addr ?? null,
      ...this.#people.remember(key),
    };
    const used = known?.last_used_at !== fields.last_used_at;
    const moved =
      fields.last_used_from_addr !== null &&
      known !== undefined &&
      known.last_used_from_addr !== null &&
      !this.#addresses.isSame(known.last_used_from_addr, fields.last_used_from_addr);
    if (known === undefined) {
      const { lastInsertRowid } = this.#statements.insert.run({
        ...fields,
        account_ref,
        key_id: key.key_id,
        first_seen_at: servedAt,
      });
      if (!isOdd) this.#recordUse(Number(lastInsertRowid), key);
      return;
    }
    const same = (['key_name', 'created_at', 'created_by_id', 'created_by_name'] as const).every(
      column => known[column] === fields[column],
    );
    if (same && !used && !moved && known.gone_at === null) return;
    this.#statements.update.run({ ...fields, moved: Number(moved), key_ref: known.key_ref });
    if ((used || moved) && !isOdd) this.#recordUse(known.key_ref, key);
  }

  /** @returns whether the key was last used when that was still to come. */
  #noteInstants(account_ref: number, key: ApiKey, servedAt: number): boolean {
    for (const field of ['created_at', 'last_used_at'] as const) {
      const value = key[field];
      if (isToCome(value, servedAt)) this.#implausible.note(account_ref, { field, id: key.key_id, value });
    }
    return isToCome(key.last_used_at, servedAt);
  }

  #recordUse(key_ref: number, key: ApiKey): void {
    const { last_used_at: at, last_used_from_addr: address = null } = key;
    if (at === undefined) return;
    const extended = this.#statements.extendUse.run(at, key_ref, key_ref, address).changes > 0;
    if (!extended) this.#statements.beginUse.run(key_ref, at, at, address);
  }
}
