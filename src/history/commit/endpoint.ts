import type { Database } from 'better-sqlite3';
import { type Endpoint, endpointItem } from '../../resources/endpoint.ts';
import type { ListReading } from '../../resources/reading.ts';
import { endpointColumns } from '../column.ts';
import { statementsOf } from '../file/statement.ts';
import { isOneUse, isToCome, latestInstant } from '../ledger/plausible-instant.ts';
import { isOtherLife, lifeChangesOf } from './life-change.ts';
import { fieldChangesOf, type ListDiff, ListedItems } from './listed-items.ts';
import type { ImplausibleValues } from './lost-value.ts';
import type { WordRegister } from './word-register.ts';

/** Makes a function that writes when clients used endpoints. */
function endpointUsesOf(database: Database) {
  const sql = statementsOf(database);
  const findLast = sql.one<[number, number], Readonly<Record<'from_at' | 'until_at', number>>>`
    SELECT from_at, until_at FROM endpoint_use WHERE endpoint_ref = ? AND until_at <= ?
    ORDER BY from_at DESC LIMIT 1`;
  const begin = sql.run<[number, number, number, number | null]>`
    INSERT INTO endpoint_use (endpoint_ref, from_at, until_at, quiet_until_at) VALUES (?, ?, ?, ?)`;
  const extend = sql.run<[number, number, number]>`
    UPDATE endpoint_use SET until_at = ? WHERE endpoint_ref = ? AND from_at = ?`;
  return (
    endpoint_ref: number,
    { last_active }: Endpoint,
    servedAt: number,
    readBeforeAt: number | null,
  ): void => {
    if (last_active === undefined || isToCome(last_active, servedAt)) return;
    const last = findLast(endpoint_ref, latestInstant(servedAt));
    if (last !== undefined && last_active <= last.until_at) return;
    if (last !== undefined && isOneUse(last.until_at, last_active)) {
      extend(last_active, endpoint_ref, last.from_at);
      return;
    }
    const quietUntilAt = readBeforeAt === null ? null : Math.min(readBeforeAt, last_active);
    begin(endpoint_ref, last_active, last_active, quietUntilAt);
  };
}

/**
 * Makes a function that ends the life of an endpoint where a listed one is another with the same id: it was created after the one
 * that is known was gone, or last read.
 */
function endpointLivesOf(database: Database) {
  const { follow } = lifeChangesOf(database, 'endpoint', 'branch_id');
  return (
    { item: { created_at: beganAt }, before }: ListDiff<Endpoint>['items'][number],
    servedAt: number,
    readBeforeAt: number | null,
  ): void => {
    const { endpoint_ref: ref, created_at, first_seen_at, gone_at } = before ?? {};
    if (beganAt === undefined || typeof ref !== 'number') return;
    if (typeof created_at !== 'number' || typeof first_seen_at !== 'number') return;
    const goneAt = typeof gone_at === 'number' ? Math.min(gone_at, beganAt) : null;
    const readAt = (goneAt === null ? readBeforeAt : null) ?? created_at;
    if (!isOtherLife(beganAt, created_at, () => readAt, servedAt)) return;
    follow({ ref, first_seen_at, created_at, gone_at: goneAt }, beganAt, servedAt);
  };
}

/** The endpoints of projects. All calls happen inside the transaction of one reading. */
export class Endpoints {
  readonly #words: WordRegister;
  readonly #commitUse;
  readonly #commitChanges;
  readonly #endLife;
  readonly #implausible: ImplausibleValues;
  readonly #items: ListedItems;
  readonly #mention;

  constructor(database: Database, words: WordRegister, implausible: ImplausibleValues) {
    this.#implausible = implausible;
    this.#words = words;
    this.#commitUse = endpointUsesOf(database);
    this.#endLife = endpointLivesOf(database);
    this.#commitChanges = fieldChangesOf(database, 'endpoint', endpointItem.fields);
    const { columns } = endpointColumns;
    this.#items = new ListedItems(database, {
      ...{ table: 'endpoint', ref: 'endpoint_ref', within: 'project_ref', id: 'endpoint_id', columns },
    });
    this.#mention = statementsOf(database).value<[number, string], number>`
      INSERT INTO endpoint (project_ref, endpoint_id) VALUES (?, ?)
      ON CONFLICT (project_ref, endpoint_id) DO UPDATE SET endpoint_id = excluded.endpoint_id
      RETURNING endpoint_ref`;
  }

  /** The list of a project's endpoints against what is known of them. */
  diff(
    account_ref: number,
    project_ref: number,
    list: ListReading<Endpoint>,
    servedAt: number,
  ): ListDiff<Endpoint> {
    return this.#items.diff(project_ref, list, servedAt, {
      identify: ({ endpoint_id }) => endpoint_id,
      write: endpoint => {
        const row = endpointColumns.write(endpoint);
        for (const column of ['current_state', 'pending_state'] as const) {
          const word = endpoint[column];
          if (word !== undefined) row[column] = this.#words.admit(account_ref, 'state', word);
        }
        return row;
      },
    });
  }

  /** @param readBeforeAt when endpoints of the project were last read before; null the first time. */
  commit(account_ref: number, diff: ListDiff<Endpoint>, readBeforeAt: number | null): void {
    const { items, servedAt } = diff;
    for (const each of items) this.#endLife(each, servedAt, readBeforeAt);
    const refs = this.#items.commit(diff);
    for (const [index, endpoint_ref] of refs.entries()) {
      const endpoint = items[index]?.item;
      if (endpoint === undefined) continue;
      this.#noteInstants(account_ref, endpoint, servedAt);
      this.#commitUse(endpoint_ref, endpoint, servedAt, readBeforeAt);
      this.#commitChanges(endpoint_ref, endpoint, servedAt);
    }
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
    const endpoint_ref = this.#mention(project_ref, endpoint_id);
    if (endpoint_ref === undefined) throw new Error('an upsert with RETURNING gives a row');
    return endpoint_ref;
  }
}
