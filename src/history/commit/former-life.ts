import type { Database } from 'better-sqlite3';
import { minuteMs } from '../../resources/duration.ts';
import type { Project } from '../../resources/project.ts';
import { statementsOf } from '../file/statement.ts';
import { asCounter, type CounterColumns } from '../ledger/cpu-counter.ts';
import { isToCome } from '../ledger/plausible-instant.ts';
import type { CpuSamples } from './cpu-sample.ts';

/** Clocks of the service that tell of one instant differ by less. */
export const clockSlackMs = minuteMs;

/** A project as it is known, there or gone. */
export interface KnownLife extends CounterColumns {
  readonly project_ref: number;
  readonly created_at: number | null;
  readonly first_seen_at: number;
  readonly gone_at: number | null;
}

/**
 * Ends the lives of projects in whose place others were created with the same id, and begins those of projects that moved here
 * from another account. When each began is a change of `created_at`, as is that it was gone. All calls happen inside the
 * transaction of one reading.
 */
export class FormerLives {
  readonly #samples: CpuSamples;
  readonly #statements;

  constructor(database: Database, samples: CpuSamples) {
    const sql = statementsOf(database);
    this.#samples = samples;
    this.#statements = {
      begin: sql.run<[project_ref: number, at: number, created_at: number | null]>`
        INSERT OR REPLACE INTO project_change (project_ref, field, from_at, value) VALUES (?, 'created_at', ?, ?)`,
      beginFirst: sql.run<[Pick<KnownLife, 'project_ref' | 'first_seen_at' | 'created_at'>]>`
        INSERT INTO project_change (project_ref, field, from_at, value)
        SELECT @project_ref, 'created_at', @first_seen_at, @created_at
        WHERE NOT EXISTS (SELECT 1 FROM project_change WHERE project_ref = @project_ref AND field = 'created_at')`,
      nameLast: sql.run<[project_ref: number]>`
        INSERT OR REPLACE INTO project_change (project_ref, field, from_at, value)
        SELECT project_ref, 'project_name', (SELECT max(from_at) FROM project_change AS life
          WHERE life.project_ref = project.project_ref AND field = 'created_at'), project_name
        FROM project WHERE project_ref = ? AND project_name IS NOT NULL`,
      endEndpoints: sql.run<[at: number, project_ref: number]>`
        UPDATE endpoint SET gone_at = ? WHERE project_ref = ? AND gone_at IS NULL`,
    };
  }

  /** Whether a listed project is another one than is known by its id: it was created after that was last read. */
  isOver(
    known: Pick<KnownLife, 'project_ref' | 'created_at'>,
    { created_at }: Project,
    servedAt: number,
  ): boolean {
    const before = known.created_at;
    if (created_at === undefined || before === null || created_at <= before + clockSlackMs) return false;
    const readAt = this.#samples.lastReadAt(known.project_ref) ?? before;
    return created_at > readAt - clockSlackMs && !isToCome(created_at, servedAt);
  }

  /**
   * Ends the life of a known project where a listed one is another.
   *
   * @returns whether it is.
   */
  end(known: KnownLife, listed: Project, servedAt: number): boolean {
    const { project_ref, gone_at } = known;
    if (listed.created_at === undefined || !this.isOver(known, listed, servedAt)) return false;
    const cpu = asCounter(known);
    if (gone_at === null && cpu !== undefined) this.#samples.close(project_ref, cpu);
    // Found to be gone by another clock, it may be so later than the other one was created.
    const goneAt = Math.min(gone_at ?? listed.created_at, listed.created_at);
    this.#begin({ ...known, gone_at: goneAt }, listed.created_at, servedAt);
    this.#statements.endEndpoints(goneAt, project_ref);
    return true;
  }

  /**
   * Begins the life of a project in an account that it moved to.
   *
   * @param known the project as the account had it before; absent where it had not.
   */
  arrive(project_ref: number, known: KnownLife | undefined, movedAt: number, servedAt: number): void {
    if (known === undefined) this.#statements.begin(project_ref, servedAt, movedAt);
    else this.#begin(known, movedAt, servedAt);
  }

  /** Begins a life after a former one, which keeps its name. */
  #begin(
    { project_ref, first_seen_at, created_at, gone_at }: KnownLife,
    beganAt: number,
    servedAt: number,
  ): void {
    this.#statements.beginFirst({ project_ref, first_seen_at, created_at });
    this.#statements.nameLast(project_ref);
    if (gone_at !== null && gone_at < beganAt) this.#statements.begin(project_ref, gone_at, null);
    this.#statements.begin(project_ref, servedAt, beganAt);
  }
}
