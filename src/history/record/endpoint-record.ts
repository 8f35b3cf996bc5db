import type { Database } from 'better-sqlite3';
import { type Endpoint, endpointItem } from '../../resources/endpoint.ts';
import type { ListReading } from '../../resources/reading.ts';
import { endpointColumns } from '../column.ts';
import { isOneUse, isToCome, latestInstant } from '../ledger/plausible-instant.ts';
import { FieldChangeRecord, ListedRecord } from './listed-record.ts';
import type { ImplausibleRecord } from './lost-value-record.ts';
import type { PolledProject } from './poll-record.ts';
import type { WordRegister } from './word-register.ts';

interface UseReading {
  /** When the endpoint was last read before; absent the first time. */
  readonly readBeforeAt: number | undefined;
  readonly servedAt: number;
}

/** Writes when clients used endpoints; all calls happen inside the transaction of one reading. */
class EndpointUseRecord {
  readonly #statements;

  constructor(database: Database) {
    this.#statements = {
      last: database.prepare<[number, number], { readonly from_at: number; readonly until_at: number }>(
        `SELECT from_at, until_at FROM endpoint_use WHERE endpoint_ref = ? AND until_at <= ?
         ORDER BY from_at DESC LIMIT 1`,
      ),
      begin: database.prepare<[number, number, number, number | null]>(
        'INSERT INTO endpoint_use (endpoint_ref, from_at, until_at, quiet_until_at) VALUES (?, ?, ?, ?)',
      ),
      extend: database.prepare<[number, number, number]>(
        'UPDATE endpoint_use SET until_at = ? WHERE endpoint_ref = ? AND from_at = ?',
      ),
    };
  }

  record(
    endpoint_ref: number,
    last_active: number | undefined,
    { readBeforeAt, servedAt }: UseReading,
  ): void {
    if (last_active === undefined || isToCome(last_active, servedAt)) return;
    const last = this.#statements.last.get(endpoint_ref, latestInstant(servedAt));
    if (last !== undefined && last_active <= last.until_at) return;
    if (last !== undefined && isOneUse(last.until_at, last_active)) {
      this.#statements.extend.run(last_active, endpoint_ref, last.from_at);
      return;
    }
    const quietUntilAt = readBeforeAt === undefined ? null : Math.min(readBeforeAt, last_active);
    this.#statements.begin.run(endpoint_ref, last_active, last_active, quietUntilAt);
  }
}

/** Writes lists of endpoints; all calls happen inside the transaction of one reading. */
export class EndpointRecord {
  readonly #words: WordRegister;
  readonly #uses: EndpointUseRecord;
  readonly #changes: FieldChangeRecord<typeof endpointItem.fields>;
  readonly #implausible: ImplausibleRecord;
  readonly #items: ListedRecord;
  readonly #statements;

  constructor(database: Database, words: WordRegister, implausible: ImplausibleRecord) {
    this.#implausible = implausible;
    this.#words = words;
    this.#uses = new EndpointUseRecord(database);
    this.#changes = new FieldChangeRecord(database, 'endpoint', endpointItem.fields);
    const { columns } = endpointColumns;
    this.#items = new ListedRecord(database, {
      ...{ table: 'endpoint', ref: 'endpoint_ref', within: 'project_ref', id: 'endpoint_id', columns },
    });
    this.#statements = {
      mention: database
        .prepare<[number, string], number>(
          `INSERT INTO endpoint (project_ref, endpoint_id) VALUES (?, ?)
           ON CONFLICT (project_ref, endpoint_id) DO UPDATE SET endpoint_id = excluded.endpoint_id
           RETURNING endpoint_ref`,
        )
        .pluck(),
    };
  }

  recordList(
    account_ref: number,
    { project_ref, endpoints_served_at }: PolledProject,
    reading: ListReading<Endpoint>,
    servedAt: number,
  ): void {
    const readBeforeAt = endpoints_served_at ?? undefined;
    for (const endpoint of reading.items) {
      const row = endpointColumns.write(endpoint);
      for (const column of ['current_state', 'pending_state'] as const) {
        const word = endpoint[column];
        if (word !== undefined) row[column] = this.#words.admit(account_ref, 'state', word);
      }
      const { endpoint_id: id, last_active } = endpoint;
      this.#noteInstants(account_ref, endpoint, servedAt);
      const before = this.#items.find(project_ref, id);
      const endpoint_ref = this.#items.put({ within: project_ref, id, row, servedAt }, before);
      this.#uses.record(endpoint_ref, last_active, { readBeforeAt, servedAt });
      this.#changes.record(endpoint_ref, endpoint, servedAt);
    }
    const listed = new Set(reading.items.map(({ endpoint_id }) => endpoint_id));
    this.#items.leave(project_ref, listed, { complete: reading.complete, servedAt });
  }

  #noteInstants(account_ref: number, endpoint: Endpoint, servedAt: number): void {
    for (const field of ['created_at', 'updated_at', 'last_active'] as const) {
      const value = endpoint[field];
      if (isToCome(value, servedAt))
        this.#implausible.note(account_ref, { field, id: endpoint.endpoint_id, value });
    }
  }

  /** The row of an endpoint an operation speaks of, whether or not a list ever held it. */
  mention(project_ref: number, endpoint_id: string): number {
    const endpoint_ref = this.#statements.mention.get(project_ref, endpoint_id);
    if (endpoint_ref === undefined) throw new Error('an upsert with RETURNING gives a row');
    return endpoint_ref;
  }
}
