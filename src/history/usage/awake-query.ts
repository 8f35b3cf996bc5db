import type { Database } from 'better-sqlite3';
import type { Span } from '../../resources/endpoint-history.ts';
import type { AwakeRows, StateBegin, UseRow } from './awake-span.ts';

/** Reads when endpoints were awake, and when they were checked. */
export class AwakeQuery {
  readonly #statements;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  /** The rows that `listAwake` makes the spans of a window of. */
  rows(endpoint_ref: number, window: Span): AwakeRows {
    const states = this.#statements.states.all({ endpoint_ref, ...window });
    const uses = this.#statements.uses.all({ endpoint_ref, ...window });
    return { states, uses };
  }

  /** When checks of its availability were created. */
  checks(endpoint_ref: number, { fromAt, untilAt }: Span): readonly number[] {
    return this.#statements.checks.all(endpoint_ref, fromAt, untilAt);
  }
}

function prepare(database: Database) {
  type OfEndpoint = Span & { readonly endpoint_ref: number };
  return {
    states: database
      .prepare<[OfEndpoint], StateBegin>(
        `SELECT from_at, state = 'active' FROM state_interval
         WHERE endpoint_ref = @endpoint_ref AND from_at < @untilAt AND from_at >= coalesce(
           (SELECT max(from_at) FROM state_interval WHERE endpoint_ref = @endpoint_ref AND from_at <= @fromAt), 0)
         ORDER BY from_at`,
      )
      .raw(),
    uses: database.prepare<[OfEndpoint], UseRow>(
      `SELECT from_at, until_at, quiet_until_at FROM endpoint_use
       WHERE endpoint_ref = @endpoint_ref AND until_at >= @fromAt AND from_at < @untilAt ORDER BY from_at`,
    ),
    checks: database
      .prepare<[number, number, number], number>(
        `SELECT created_at FROM operation
         WHERE endpoint_ref = ? AND action = 'check_availability' AND created_at >= ? AND created_at < ?
         ORDER BY created_at`,
      )
      .pluck(),
  };
}
