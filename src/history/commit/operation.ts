import type { Database } from 'better-sqlite3';
import { hasEnded, type Operation, operationDurationBuckets } from '../../resources/operation.ts';
import type { OperationsReading } from '../../resources/reading.ts';
import { movedAt } from '../clause.ts';
import { statementsOf } from '../file/statement.ts';
import { isBeforeCreation, isToCome, latestInstant } from '../ledger/plausible-instant.ts';
import { dateEvent, type Transition } from '../ledger/state-ledger.ts';
import type { Endpoints } from './endpoint.ts';
import type { ImplausibleValues, LostFields } from './lost-value.ts';
import type { WordRegister } from './word-register.ts';

interface KnownOperation {
  readonly phase: 'open' | 'ended' | 'vanished';
  readonly failures_count: number;
}

/** The states a finished operation leads to: "States and transitions" of the specification. */
const stateAfter: ReadonlyMap<string, string> = new Map([
  ['start_compute', 'active'],
  ['suspend_compute', 'idle'],
]);

/** The operations of projects, each counted once. All calls happen inside the transaction of one reading. */
export class Operations {
  readonly #words: WordRegister;
  readonly #endpoints: Endpoints;
  readonly #durations: OperationDurations;
  readonly #statements;

  constructor(
    database: Database,
    words: WordRegister,
    endpoints: Endpoints,
    implausible: ImplausibleValues,
    lost: LostFields,
  ) {
    this.#durations = new OperationDurations(database, implausible, lost);
    this.#words = words;
    this.#endpoints = endpoints;
    this.#statements = prepare(database);
  }

  /** Commits the newest operations: some that were read before may be pruned by now, or were read by another account. */
  commitNewest(
    account_ref: number,
    project_ref: number,
    reading: OperationsReading,
  ): ReadonlyMap<number, Transition[]> {
    const forgotten = this.#statements.forgotten(project_ref);
    const isForgotten = ({ operation_id, created_at, updated_at = created_at }: Operation): boolean =>
      forgotten !== undefined &&
      created_at !== undefined &&
      created_at <= forgotten.readUntilAt &&
      Math.max(created_at, updated_at ?? created_at) < forgotten.keptFromAt &&
      this.#statements.find(project_ref, operation_id) === undefined;
    const items = reading.items.filter(operation => !isForgotten(operation));
    return this.commit(account_ref, project_ref, { ...reading, items }, reading.servedAt);
  }

  /** @returns the changes of state of operations that ended now, by endpoint. */
  commit(
    account_ref: number,
    project_ref: number,
    reading: OperationsReading,
    servedAt: number,
  ): ReadonlyMap<number, Transition[]> {
    const transitions = new Map<number, Transition[]>();
    const endpoint_refs = this.#mentionEndpoints(project_ref, reading.items);
    for (const operation of oldestFirst(reading.items)) {
      const endpoint_ref = endpoint_refs.get(operation.endpoint_id);
      const believed = this.#durations.believe(account_ref, operation, servedAt);
      const endedNow = this.#put(account_ref, project_ref, endpoint_ref, believed);
      if (!endedNow) continue;
      this.#count(account_ref, project_ref, believed, servedAt);
      const state = operation.status === 'finished' ? stateAfter.get(operation.action) : undefined;
      if (endpoint_ref === undefined || state === undefined) continue;
      this.#statements.countTransition({ endpoint_ref, state });
      const transition = { at: dateEvent(operation.updated_at, servedAt), state };
      transitions.set(endpoint_ref, [...(transitions.get(endpoint_ref) ?? []), transition]);
    }
    for (const operation_id of reading.vanishedIds) this.#statements.vanish(project_ref, operation_id);
    return transitions;
  }

  /** The rows of the endpoints that operations speak of, each asked for once: a page has many operations of a few. */
  #mentionEndpoints(project_ref: number, operations: readonly Operation[]) {
    const endpoint_ids = new Set(operations.map(({ endpoint_id }) => endpoint_id));
    const endpoint_refs = new Map<string | undefined, number>();
    for (const endpoint_id of endpoint_ids) {
      if (endpoint_id === undefined) continue;
      endpoint_refs.set(endpoint_id, this.#endpoints.mention(project_ref, endpoint_id));
    }
    return endpoint_refs;
  }

  /** @returns whether the operation reached its end with this reading. */
  #put(
    account_ref: number,
    project_ref: number,
    endpoint_ref: number | undefined,
    operation: BelievedOperation,
  ): boolean {
    const known = this.#statements.find(project_ref, operation.operation_id);
    const ended = hasEnded(operation.status);
    const failures = Math.max(operation.failures_count ?? 0, known?.failures_count ?? 0);
    const growth = failures - (known?.failures_count ?? 0);
    if (growth > 0) {
      const action = this.#words.admit(account_ref, 'action', operation.action);
      this.#statements.countAttempts(project_ref, action, growth);
    }
    if (!ended && known?.phase !== 'ended') {
      this.#words.admit(account_ref, 'action', operation.action);
      this.#words.admit(account_ref, 'status', operation.status);
    }
    if (known?.phase === 'ended') {
      // An operation stays as it ended: a page that is behind must not take it back.
      if (growth > 0) this.#statements.putFailures(failures, project_ref, operation.operation_id);
      return false;
    }
    this.#statements.put({
      project_ref,
      operation_id: operation.operation_id,
      endpoint_ref: endpoint_ref ?? null,
      branch_id: operation.branch_id ?? null,
      action: operation.action,
      status: operation.status,
      failures_count: failures,
      created_at: operation.created_at ?? null,
      updated_at: operation.updated_at ?? null,
      total_duration_ms: operation.total_duration_ms ?? null,
      error: operation.error ?? null,
      retry_at: operation.retry_at ?? null,
      phase: ended ? 'ended' : 'open',
    });
    return ended;
  }

  #count(account_ref: number, project_ref: number, operation: BelievedOperation, servedAt: number): void {
    const action = this.#words.admit(account_ref, 'action', operation.action);
    const status = this.#words.admit(account_ref, 'status', operation.status);
    this.#statements.count(project_ref, action, status, dateEvent(operation.updated_at, servedAt));
    this.#durations.count(account_ref, { ...operation, action }, servedAt);
  }
}

/** Lists are newest first; of changes dated to the same second the later one must have the last word. */
function oldestFirst(operations: readonly Operation[]): readonly Operation[] {
  return operations.toReversed().sort((a, b) => (a.created_at ?? 0) - (b.created_at ?? 0));
}

function prepare(database: Database) {
  const sql = statementsOf(database);
  return {
    find: sql.one<[number, string], KnownOperation>`
      SELECT phase, failures_count FROM operation WHERE project_ref = ? AND operation_id = ?`,
    forgotten: sql.one<[number], { readonly readUntilAt: number; readonly keptFromAt: number }>`
      SELECT operations_head_at AS readUntilAt, max(coalesce(${movedAt}, 0),
        coalesce((SELECT kept_from_at FROM retention WHERE kind = 'operations'), 0)) AS keptFromAt
      FROM project WHERE project_ref = ? AND operations_head_at IS NOT NULL`,
    put: sql.run`
      INSERT INTO operation (project_ref, operation_id, endpoint_ref, branch_id, action, status,
        failures_count, created_at, updated_at, total_duration_ms, error, retry_at, phase)
      VALUES (@project_ref, @operation_id, @endpoint_ref, @branch_id, @action, @status,
        @failures_count, @created_at, @updated_at, @total_duration_ms, @error, @retry_at, @phase)
      ON CONFLICT (project_ref, operation_id) DO UPDATE SET
        endpoint_ref = coalesce(excluded.endpoint_ref, endpoint_ref), action = excluded.action,
        status = excluded.status, failures_count = excluded.failures_count,
        updated_at = excluded.updated_at, total_duration_ms = excluded.total_duration_ms,
        error = excluded.error, retry_at = excluded.retry_at, phase = excluded.phase`,
    putFailures: sql.run<[number, number, string]>`
      UPDATE operation SET failures_count = ? WHERE project_ref = ? AND operation_id = ?`,
    vanish: sql.run<[number, string]>`
      UPDATE operation SET phase = 'vanished'
      WHERE project_ref = ? AND operation_id = ? AND phase = 'open'`,
    count: sql.run<[number, string, string, number]>`
      INSERT INTO operation_count (project_ref, action, status, count, last_ended_at)
      VALUES (?, ?, ?, 1, ?)
      ON CONFLICT DO UPDATE SET count = count + 1, last_ended_at = max(last_ended_at, excluded.last_ended_at)`,
    countAttempts: sql.run<[number, string, number]>`
      INSERT INTO attempt_failure_count (project_ref, action, count) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET count = count + excluded.count`,
    countTransition: sql.run<[Readonly<{ endpoint_ref: number; state: string }>]>`
      UPDATE endpoint SET starts = starts + (@state = 'active'), suspends = suspends + (@state = 'idle')
      WHERE endpoint_ref = @endpoint_ref`,
  };
}

/** Whether the operations are known back to their beginning once this is committed. */
export function isImported({ progress }: OperationsReading): boolean {
  return progress.headAt !== undefined && progress.tailCursor === undefined;
}

/** An operation with the duration the service gives, where that can be true. */
type BelievedOperation = Omit<Operation, 'total_duration_ms'> & {
  readonly total_duration_ms: number | undefined;
};

/** How long operations took that ended. All calls happen inside the transaction of one reading. */
class OperationDurations {
  readonly #implausible: ImplausibleValues;
  readonly #lost: LostFields;
  readonly #count;

  constructor(database: Database, implausible: ImplausibleValues, lost: LostFields) {
    this.#implausible = implausible;
    this.#lost = lost;
    this.#count = statementsOf(database).run<[number, string, number, number]>`
      INSERT INTO operation_duration (account_ref, action, upper_bound, count, sum_ms)
      VALUES (?, ?, ?, 1, ?)
      ON CONFLICT DO UPDATE SET count = count + 1, sum_ms = sum_ms + excluded.sum_ms`;
  }

  /** The operation without a duration that is longer than it exists, which is lost. */
  believe(account_ref: number, operation: Operation, servedAt: number): BelievedOperation {
    const { total_duration_ms, created_at } = operation;
    const isTooLong =
      total_duration_ms !== undefined && total_duration_ms > latestInstant(servedAt) - (created_at ?? 0);
    if (isTooLong) this.#lost.note(account_ref, 'total_duration_ms', 1);
    return { ...operation, total_duration_ms: isTooLong ? undefined : total_duration_ms };
  }

  /** Counts an operation that ended, as the service measured it, else from whole seconds. */
  count(account_ref: number, operation: BelievedOperation, servedAt: number): void {
    const { action, created_at, updated_at, total_duration_ms } = operation;
    if (!this.#arePlausible(account_ref, operation, servedAt)) return;
    if (created_at === undefined || updated_at === undefined) return;
    const durationMs = total_duration_ms ?? Math.max(0, updated_at - created_at);
    const bound =
      operationDurationBuckets.find(limit => durationMs <= limit * 1000) ?? Number.POSITIVE_INFINITY;
    this.#count(account_ref, action, bound, durationMs);
  }

  /** Whether the instants of an operation that ended can be true. */
  #arePlausible(account_ref: number, operation: BelievedOperation, servedAt: number): boolean {
    const { operation_id: id, created_at, updated_at } = operation;
    const isCreated = !isToCome(created_at, servedAt);
    if (!isCreated) this.#implausible.note(account_ref, { field: 'created_at', id, value: created_at });
    if (updated_at === undefined) return isCreated;
    const isOdd =
      isToCome(updated_at, servedAt) ||
      (created_at !== undefined && isBeforeCreation(updated_at, created_at));
    if (isOdd) this.#implausible.note(account_ref, { field: 'updated_at', id, value: updated_at });
    return isCreated && !isOdd;
  }
}
