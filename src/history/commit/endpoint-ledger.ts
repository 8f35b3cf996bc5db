import type { Database } from 'better-sqlite3';
import { hourMs } from '../../resources/duration.ts';
import { isTransition, movedAt } from '../clause.ts';
import { statementsOf } from '../file/statement.ts';
import {
  type ComputeRate,
  type ComputeRow,
  type ComputeSize,
  chartCompute,
  endCompute,
  type LedgerStretch,
  largestCu,
} from '../ledger/compute-ledger.ts';
import {
  dateEvent,
  enter,
  type LedgerEntry,
  listWitnessed,
  mergeWitnessed,
  type Observation,
  open,
  type Transition,
} from '../ledger/state-ledger.ts';

interface GoneRow extends SizeRow {
  readonly endpoint_ref: number;
  readonly ledger_until_at: number;
  readonly gone_at: number;
}

/** Since when operations of a project are known, and since when it is in its account that moved there. */
type KnownSince = Readonly<Record<'fromAt' | 'movedAt', number | null>>;

interface LedgerRow extends SizeRow {
  readonly endpoint_ref: number;
  readonly current_state: string | null;
  readonly pending_state: string | null;
  readonly created_at: number | null;
  readonly updated_at: number | null;
  readonly started_at: number | null;
  readonly suspended_at: number | null;
  readonly ledger_state: string | null;
  readonly ledger_since_at: number | null;
  readonly ledger_until_at: number | null;
  readonly changing: number;
}

/** The size of an endpoint as it was read, and the size its compute ledger went on with last. */
type SizeRow = Readonly<
  Record<
    'autoscaling_limit_min_cu' | 'autoscaling_limit_max_cu' | 'ledger_min_cu' | 'ledger_max_cu',
    number | null
  >
>;

/** The state ledgers of a project's endpoints. All calls happen inside the transaction of one reading. */
export class EndpointLedgers {
  readonly #goOn;
  readonly #statements;

  constructor(database: Database) {
    const sql = statementsOf(database);
    this.#goOn = computeLedgersOf(database);
    this.#statements = {
      endpoints: sql.all<[number], LedgerRow>`
        SELECT endpoint_ref, current_state, pending_state, created_at, updated_at,
          started_at, suspended_at,
          ledger_state, ledger_since_at, ledger_until_at,
          autoscaling_limit_min_cu, autoscaling_limit_max_cu, ledger_min_cu, ledger_max_cu,
          EXISTS (SELECT 1 FROM operation o WHERE o.project_ref = endpoint.project_ref AND o.phase = 'open'
            AND o.endpoint_ref = endpoint.endpoint_ref
            AND o.action IN ('start_compute', 'suspend_compute')) AS changing
        FROM endpoint WHERE project_ref = ? AND gone_at IS NULL AND first_seen_at IS NOT NULL`,
      known: sql.one<[number], KnownSince>`
        SELECT (SELECT min(created_at) FROM operation WHERE operation.project_ref = project.project_ref) AS fromAt,
          ${movedAt} AS movedAt
        FROM project WHERE project_ref = ?`,
      transitions: sql.all<[number], Transition>`
        SELECT updated_at AS at, iif(action = 'start_compute', 'active', 'idle') AS state FROM operation
        WHERE endpoint_ref = ? AND ${isTransition}
          AND updated_at IS NOT NULL
        ORDER BY updated_at, created_at`,
      save: sql.run<(string | number | null)[]>`
        UPDATE endpoint SET ledger_state = ?, ledger_since_at = ?, ledger_until_at = ?,
          ledger_min_cu = ?, ledger_max_cu = ?
        WHERE endpoint_ref = ?`,
      gone: sql.all<[number], GoneRow>`
        SELECT endpoint_ref, ledger_until_at, autoscaling_limit_min_cu, autoscaling_limit_max_cu,
          ledger_min_cu, ledger_max_cu, coalesce(endpoint.gone_at, project.gone_at) AS gone_at
        FROM endpoint JOIN project USING (project_ref)
        WHERE project_ref = ? AND ledger_until_at IS NOT NULL
          AND (endpoint.gone_at IS NOT NULL OR project.gone_at IS NOT NULL) AND coalesce(endpoint.gone_at, project.gone_at)
          > (SELECT max(from_at) FROM compute_interval c WHERE c.endpoint_ref = endpoint.endpoint_ref)`,
      // The hours of a sample are those of the whole stretch it was used in.
      reopen: sql.run<[Readonly<Record<'project_ref' | 'fromAt', number>>]>`
        UPDATE project SET rolled_until_hour = min(rolled_until_hour, @fromAt / ${hourMs}, coalesce(
          (SELECT after_at FROM cpu_sample WHERE project_ref = @project_ref AND at > @fromAt ORDER BY at LIMIT 1),
          (SELECT max(at) FROM cpu_sample WHERE project_ref = @project_ref AND at <= @fromAt),
          @fromAt) / ${hourMs})
        WHERE project_ref = @project_ref`,
      begin: sql.run<[number, number, string]>`
        INSERT OR REPLACE INTO state_interval (endpoint_ref, from_at, state) VALUES (?, ?, ?)`,
      spend: sql.run<[number, string, number]>`
        INSERT INTO state_duration (endpoint_ref, state, duration_ms) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET duration_ms = duration_ms + excluded.duration_ms`,
    };
  }

  /**
   * Enters what a reading of a project says, once its operations are known back to their beginning.
   *
   * @param servedAt when the reading was made; no change of state is dated later.
   * @param observedAt when the states of the endpoints were read; absent when they were not.
   * @param transitions changes of state that were not entered before, by endpoint.
   */
  commit(
    project_ref: number,
    servedAt: number,
    observedAt: number | undefined,
    transitions: ReadonlyMap<number, Transition[]>,
  ): void {
    let known: KnownSince | undefined;
    for (const row of this.#statements.endpoints(project_ref)) {
      const observation = observe(row, observedAt);
      const { ledger_state: state, ledger_since_at: sinceAt, ledger_until_at: untilAt } = row;
      if (state !== null && sinceAt !== null && untilAt !== null) {
        const ledger = { state, sinceAt, untilAt };
        const shown = transitions.get(row.endpoint_ref) ?? [];
        const changes = mergeWitnessed(ledger, shown, witness(row, observation));
        const entry = enter(ledger, changes, observation);
        this.#save(row, entry, { state, fromAt: untilAt });
        continue;
      }
      if (observation === undefined) continue;
      known ??= this.#statements.known(project_ref);
      const begunAt = known?.movedAt ?? Number.NEGATIVE_INFINITY;
      const shown = this.#statements
        .transitions(row.endpoint_ref)
        .map(({ at, state }) => ({ at: dateEvent(at, servedAt), state }));
      const changes = mergeWitnessed(undefined, shown, witness(row, observation)).map(
        // What it did before it moved here is of the other account.
        ({ at, state }) => ({ at: Math.max(at, begunAt), state }),
      );
      const entry = open(row.created_at ?? undefined, known?.fromAt ?? undefined, changes, observation);
      const fromAt = entry.begun[0]?.at ?? entry.ledger.sinceAt;
      this.#save(row, entry, { state: entry.begun[0]?.state ?? entry.ledger.state, fromAt });
      // Only now is it known in which hours the project was awake since then.
      this.#statements.reopen({ project_ref, fromAt });
    }
  }

  /** Ends the compute ledgers of the endpoints of a project that are gone, alone or with it. */
  end(project_ref: number): void {
    for (const row of this.#statements.gone(project_ref)) {
      const size = sizeRead(row);
      if (size) this.#goOn(row.endpoint_ref, endCompute(row.ledger_until_at, row.gone_at, size));
    }
  }

  #save(
    row: LedgerRow,
    { ledger, begun, durations }: LedgerEntry,
    before: Pick<LedgerStretch, 'state' | 'fromAt'>,
  ): void {
    const { endpoint_ref } = row;
    const size = sizeRead(row);
    this.#statements.save(
      ...[ledger.state, ledger.sinceAt, ledger.untilAt, size?.minCu ?? null, size?.maxCu ?? null],
      endpoint_ref,
    );
    if (size) {
      const stretch = { ...before, untilAt: ledger.untilAt, begun, sizeBefore: sizeBefore(row) ?? size };
      this.#goOn(endpoint_ref, chartCompute({ ...stretch, sizeAfter: size }));
    }
    for (const { at, state } of begun) this.#statements.begin(endpoint_ref, at, state);
    for (const [state, durationMs] of durations) this.#statements.spend(endpoint_ref, state, durationMs);
  }
}

/** The size as it was read, or else as it was before; undefined where no limit was ever reported. */
function sizeRead({
  autoscaling_limit_min_cu,
  autoscaling_limit_max_cu,
  ...before
}: SizeRow): ComputeSize | undefined {
  const least = limitRead(autoscaling_limit_min_cu);
  const most = limitRead(autoscaling_limit_max_cu);
  const minCu = least ?? most;
  return minCu === null ? sizeBefore(before) : { minCu, maxCu: Math.max(minCu, most ?? minCu) };
}

/** A limit that can be one: neither negative nor astronomical; otherwise null. */
function limitRead(limit: number | null): number | null {
  return limit !== null && limit >= 0 && limit <= largestCu ? limit : null;
}

function sizeBefore({
  ledger_min_cu,
  ledger_max_cu,
}: Pick<SizeRow, 'ledger_min_cu' | 'ledger_max_cu'>): ComputeSize | undefined {
  if (ledger_min_cu === null || ledger_max_cu === null) return undefined;
  return { minCu: ledger_min_cu, maxCu: ledger_max_cu };
}

function observe(row: LedgerRow, at: number | undefined): Observation | undefined {
  if (at === undefined || row.current_state === null) return undefined;
  return {
    at,
    state: row.current_state,
    ...(row.updated_at !== null && { updatedAt: row.updated_at }),
    changing: row.pending_state !== null || row.changing === 1,
  };
}

/** Changes of state that the endpoint dates itself, of one whose state was read. */
function witness(row: LedgerRow, observation: Observation | undefined): readonly Transition[] {
  if (observation === undefined) return [];
  const { created_at: createdAt, started_at: startedAt, suspended_at: suspendedAt } = row;
  return listWitnessed({ state: observation.state, createdAt, startedAt, suspendedAt }, observation.at);
}

/**
 * Makes a function that goes on with the compute ledger of an endpoint by some rates. What is written stays: a rate that begins
 * earlier than the last one begins with it.
 */
function computeLedgersOf(database: Database) {
  const sql = statementsOf(database);
  const findLast = sql.one<[endpoint_ref: number], ComputeRow>`
    SELECT from_at, lower_cu, upper_cu, lower_total, upper_total FROM compute_interval
    WHERE endpoint_ref = ? ORDER BY from_at DESC LIMIT 1`;
  const put = sql.run<[number, number, number, number, number, number]>`
    INSERT OR REPLACE INTO compute_interval VALUES (?, ?, ?, ?, ?, ?)`;
  return (endpoint_ref: number, rates: readonly ComputeRate[]): void => {
    let last = findLast(endpoint_ref);
    for (const { fromAt, lowerCu: lower_cu, upperCu: upper_cu } of rates) {
      if (last?.lower_cu === lower_cu && last.upper_cu === upper_cu) continue;
      const from_at = Math.max(fromAt, last?.from_at ?? fromAt);
      const ms = from_at - (last?.from_at ?? from_at);
      const lower_total = (last?.lower_total ?? 0) + (last?.lower_cu ?? 0) * ms;
      const upper_total = (last?.upper_total ?? 0) + (last?.upper_cu ?? 0) * ms;
      put(endpoint_ref, from_at, lower_cu, upper_cu, lower_total, upper_total);
      last = { from_at, lower_cu, upper_cu, lower_total, upper_total };
    }
  };
}
