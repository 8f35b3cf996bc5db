import type { Database } from 'better-sqlite3';
import type { OperationProgress } from '../../resources/reading.ts';

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
export class PolledProjects {
  readonly #find;
  readonly #write;

  constructor(database: Database) {
    this.#find = database.prepare<[number, string], PolledProject>(
      'SELECT project_ref, endpoints_served_at FROM project WHERE account_ref = ? AND project_id = ?',
    );
    this.#write = database.prepare<[Readonly<Record<string, string | number | null>>]>(
      `UPDATE project SET last_refresh_at = coalesce(@refreshedAt, last_refresh_at),
         endpoints_served_at = coalesce(@endpointsServedAt, endpoints_served_at),
         operations_head_at = iif(@hasOperations, @headAt, operations_head_at),
         operations_tail_cursor = iif(@hasOperations, @tailCursor, operations_tail_cursor)
       WHERE project_ref = @project_ref`,
    );
  }

  /** @returns undefined when the project is unknown; one that is gone may be polled still. */
  find(account_ref: number, project_id: string): PolledProject | undefined {
    return this.#find.get(account_ref, project_id);
  }

  /** Writes everything at once: a row has many columns, and each update writes all of them anew. */
  commit(project_ref: number, { endpointsServedAt, operations, refreshedAt }: Poll): void {
    this.#write.run({
      project_ref,
      endpointsServedAt: endpointsServedAt ?? null,
      hasOperations: Number(operations !== undefined),
      headAt: operations?.headAt ?? null,
      tailCursor: operations?.tailCursor ?? null,
      refreshedAt: refreshedAt ?? null,
    });
  }
}
