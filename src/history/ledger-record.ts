import type { Database } from 'better-sqlite3';
import {
  dateEvent,
  enter,
  type LedgerEntry,
  type Observation,
  open,
  type Transition,
} from './state-ledger.ts';

interface EndpointRow {
  readonly endpoint_ref: number;
  readonly current_state: string | null;
  readonly pending_state: string | null;
  readonly created_at: number | null;
  readonly updated_at: number | null;
  readonly ledger_state: string | null;
  readonly ledger_since_at: number | null;
  readonly ledger_until_at: number | null;
  readonly changing: number;
}

/** Keeps the state ledgers of a project's endpoints; all calls happen inside the transaction of one reading. */
export class LedgerRecord {
  readonly #statements;

  constructor(database: Database) {
    this.#statements = {
      endpoints: database.prepare<[number], EndpointRow>(
        `SELECT endpoint_ref, current_state, pending_state, created_at, updated_at,
           ledger_state, ledger_since_at, ledger_until_at,
           EXISTS (SELECT 1 FROM operation o WHERE o.project_ref = endpoint.project_ref AND o.phase = 'open'
             AND o.endpoint_ref = endpoint.endpoint_ref
             AND o.action IN ('start_compute', 'suspend_compute')) AS changing
         FROM endpoint WHERE project_ref = ? AND gone_at IS NULL AND first_seen_at IS NOT NULL`,
      ),
      knownFrom: database
        .prepare<[number], number | null>('SELECT min(created_at) FROM operation WHERE project_ref = ?')
        .pluck(),
      transitions: database.prepare<[number], Transition>(
        `SELECT updated_at AS at, iif(action = 'start_compute', 'active', 'idle') AS state FROM operation
         WHERE endpoint_ref = ? AND status = 'finished' AND action IN ('start_compute', 'suspend_compute')
           AND updated_at IS NOT NULL
         ORDER BY updated_at, created_at`,
      ),
      save: database.prepare<[string, number, number, number]>(
        `UPDATE endpoint SET ledger_state = ?, ledger_since_at = ?, ledger_until_at = ?
         WHERE endpoint_ref = ?`,
      ),
      begin: database.prepare<[number, number, string]>(
        'INSERT OR REPLACE INTO state_interval (endpoint_ref, from_at, state) VALUES (?, ?, ?)',
      ),
      spend: database.prepare<[number, string, number]>(
        `INSERT INTO state_duration (endpoint_ref, state, duration_ms) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET duration_ms = duration_ms + excluded.duration_ms`,
      ),
    };
  }

  /**
   * Enters what a reading of a project says, once its operations are known back to their beginning.
   *
   * @param servedAt when the reading was made; no change of state is dated later.
   * @param observedAt when the states of the endpoints were read; absent when they were not.
   * @param transitions changes of state that were not entered before, by endpoint.
   */
  record(
    project_ref: number,
    servedAt: number,
    observedAt: number | undefined,
    transitions: ReadonlyMap<number, Transition[]>,
  ): void {
    let knownFromAt: number | undefined | 'unread' = 'unread';
    for (const row of this.#statements.endpoints.all(project_ref)) {
      const observation = observe(row, observedAt);
      const { ledger_state: state, ledger_since_at: sinceAt, ledger_until_at: untilAt } = row;
      if (state !== null && sinceAt !== null && untilAt !== null) {
        const changes = transitions.get(row.endpoint_ref) ?? [];
        this.#save(row.endpoint_ref, enter({ state, sinceAt, untilAt }, changes, observation));
        continue;
      }
      if (observation === undefined) continue;
      if (knownFromAt === 'unread') knownFromAt = this.#statements.knownFrom.get(project_ref) ?? undefined;
      const changes = this.#statements.transitions
        .all(row.endpoint_ref)
        .map(({ at, state }) => ({ at: dateEvent(at, servedAt), state }));
      this.#save(row.endpoint_ref, open(row.created_at ?? undefined, knownFromAt, changes, observation));
    }
  }

  #save(endpoint_ref: number, { ledger, begun, durations }: LedgerEntry): void {
    this.#statements.save.run(ledger.state, ledger.sinceAt, ledger.untilAt, endpoint_ref);
    for (const { at, state } of begun) this.#statements.begin.run(endpoint_ref, at, state);
    for (const [state, durationMs] of durations) this.#statements.spend.run(endpoint_ref, state, durationMs);
  }
}

function observe(row: EndpointRow, at: number | undefined): Observation | undefined {
  if (at === undefined || row.current_state === null) return undefined;
  return {
    at,
    state: row.current_state,
    ...(row.updated_at !== null && { updatedAt: row.updated_at }),
    changing: row.pending_state !== null || row.changing === 1,
  };
}
