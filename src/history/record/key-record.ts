import type { Database } from 'better-sqlite3';
import type { ApiKey } from '../../resources/api-key.ts';
import type { ApiKeysReading } from '../../resources/reading.ts';
import { apiKeyColumns } from '../column.ts';
import { isToCome } from '../ledger/plausible-instant.ts';
import { ListedRecord } from './listed-record.ts';
import type { ImplausibleRecord } from './lost-value-record.ts';
import type { KeyPerson, SourceAddress } from './personal-data.ts';

/** How personal data are remembered. */
export interface PersonalData {
  readonly addresses: SourceAddress;
  readonly people: KeyPerson;
}

const neverUsed: Partial<ApiKey> = {};

/** Writes lists of API keys and their uses; all calls happen inside the transaction of one reading. */
export class KeyRecord {
  readonly #implausible: ImplausibleRecord;
  readonly #addresses: SourceAddress;
  readonly #people: KeyPerson;
  readonly #items: ListedRecord;
  readonly #statements;

  constructor(database: Database, implausible: ImplausibleRecord, { addresses, people }: PersonalData) {
    this.#implausible = implausible;
    this.#addresses = addresses;
    this.#people = people;
    const columns = [...apiKeyColumns.columns, 'source_address_changes'];
    this.#items = new ListedRecord(database, {
      ...{ table: 'api_key', ref: 'key_ref', within: 'account_ref', id: 'key_id', columns },
    });
    this.#statements = {
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
    const listed = new Set(reading.items.map(({ key_id }) => key_id));
    this.#items.leave(account_ref, listed, reading);
  }

  #recordKey(account_ref: number, key: ApiKey, servedAt: number): void {
    const before = this.#items.find(account_ref, key.key_id);
    const known = before && apiKeyColumns.read(before);
    const isOdd = this.#noteInstants(account_ref, key, servedAt);
    const isKnownUse = known !== undefined && !isToCome(known.last_used_at, servedAt);
    const isBehind = isKnownUse && (isOdd || (key.last_used_at ?? 0) < (known.last_used_at ?? 0));
    // A list that is behind shows a use already counted, or none.
    const { last_used_at, last_used_from_addr: address } = isBehind ? known : isOdd ? neverUsed : key;
    const knownAddress = known?.last_used_from_addr;
    const hasMoved =
      address !== undefined && knownAddress !== undefined && !this.#addresses.isSame(knownAddress, address);
    const isUsed = before === undefined || hasMoved || known?.last_used_at !== last_used_at;
    const row = {
      ...apiKeyColumns.write(key),
      last_used_at: last_used_at ?? null,
      last_used_from_addr: (isUsed ? address : undefined) ?? knownAddress ?? null,
      ...this.#people.remember(key),
      source_address_changes: Number(before?.source_address_changes ?? 0) + Number(hasMoved),
    };
    const key_ref = this.#items.put({ within: account_ref, id: key.key_id, row, servedAt }, before);
    if (isUsed && !isOdd) this.#recordUse(key_ref, key);
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
