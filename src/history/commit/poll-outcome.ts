import type { Database } from 'better-sqlite3';
import { accountLists, type Collector } from '../../resources/collector.ts';
import type { FailedReading, OperationProgress, Reading } from '../../resources/reading.ts';
import type { Reason } from '../../resources/reason.ts';
import { statementsOf } from '../file/statement.ts';
import type { KnownAccount } from '../snapshot/known-account.ts';

/** Whether collectors succeed, and since when they do not. All calls happen inside the transaction of one reading. */
export function collectorOutcomesOf(database: Database) {
  const sql = statementsOf(database);
  const writeAttempt = sql.run<[number, string, number, number | null, number, number | null]>`
    INSERT INTO collector (account_ref, collector, success, last_success_at, last_duration_ms, auth_ok)
    VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET success = excluded.success, last_duration_ms = excluded.last_duration_ms,
      last_success_at = coalesce(excluded.last_success_at, last_success_at),
      auth_ok = coalesce(excluded.auth_ok, auth_ok)`;
  const countErrors = sql.run<[number, string, string, number]>`
    INSERT INTO collector_error (account_ref, collector, reason, count) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET count = count + excluded.count`;

  /**
   * A collector that polls projects one by one is well while none of them is failing. What is answered for one of them
   * says nothing of the key, which belongs to the account.
   */
  function noteAttempt(
    { account_ref, freshness }: KnownAccount,
    { readAt, durationMs }: Reading,
    collector: Collector,
    outcome: 'ok' | Reason,
  ): void {
    const isOk = outcome === 'ok';
    const isOfAccount = accountLists.includes(collector);
    const saysOfKey = isOfAccount && (isOk || outcome === 'unauthorized');
    const success = Number(isOfAccount ? isOk : freshness.isWell(collector));
    const [succeededAt, authOk] = [isOk ? readAt : null, saysOfKey ? Number(isOk) : null];
    writeAttempt(account_ref, collector, success, succeededAt, durationMs, authOk);
  }

  return {
    /**
     * @param project_id the project that was polled; empty for a list as a whole.
     * @param rejected items that could not be used, each counted as a malformed one.
     */
    succeed(
      known: KnownAccount,
      reading: Reading,
      collector: Collector,
      rejected: number,
      project_id = '',
    ): void {
      known.freshness.succeeded(collector, project_id);
      if (rejected > 0) countErrors(known.account_ref, collector, 'malformed', rejected);
      noteAttempt(known, reading, collector, 'ok');
    },
    fail(known: KnownAccount, reading: FailedReading): void {
      const { collector, reason, ofUse } = reading;
      countErrors(known.account_ref, collector, reason, 1);
      if (ofUse) return;
      known.noteFailure(reading);
      noteAttempt(known, reading, collector, reason);
    },
  };
}

/** A project that is polled, and when its endpoints were last read. */
interface PolledProject {
  readonly project_ref: number;
  readonly endpoints_served_at: number | null;
}

/** The results of one poll of a project; an absent one leaves what is written. */
interface Poll {
  readonly endpointsServedAt?: number | undefined;
  readonly operations?: OperationProgress | undefined;
  /** When it was read, by this host's clock, if it was read whole. */
  readonly refreshedAt?: number | undefined;
}

/** How far projects were polled. All calls happen inside the transaction of one reading. */
export function polledProjects(database: Database) {
  const sql = statementsOf(database);
  const write = sql.run<[Readonly<Record<string, string | number | null>>]>`
    UPDATE project SET last_refresh_at = coalesce(@refreshedAt, last_refresh_at),
      endpoints_served_at = coalesce(@endpointsServedAt, endpoints_served_at),
      operations_head_at = iif(@hasOperations, @headAt, operations_head_at),
      operations_tail_cursor = iif(@hasOperations, @tailCursor, operations_tail_cursor)
    WHERE project_ref = @project_ref`;
  return {
    /** Undefined when the project is unknown; one that is gone may be polled still. */
    find: sql.one<[account_ref: number, project_id: string], PolledProject>`
      SELECT project_ref, endpoints_served_at FROM project WHERE account_ref = ? AND project_id = ?`,
    /** Writes everything at once: a row has many columns, and each update writes all of them anew. */
    commit({ project_ref }: PolledProject, { endpointsServedAt, operations, refreshedAt }: Poll): void {
      write({
        project_ref,
        endpointsServedAt: endpointsServedAt ?? null,
        hasOperations: Number(operations !== undefined),
        headAt: operations?.headAt ?? null,
        tailCursor: operations?.tailCursor ?? null,
        refreshedAt: refreshedAt ?? null,
      });
    },
  };
}
