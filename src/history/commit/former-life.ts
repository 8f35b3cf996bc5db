import type { Database } from 'better-sqlite3';
import type { Project } from '../../resources/project.ts';
import { statementsOf } from '../file/statement.ts';
import { isLikely } from '../ledger/cpu-bound.ts';
import { asCounter, type CounterColumns } from '../ledger/cpu-counter.ts';
import type { CpuSamples } from './cpu-sample.ts';
import { isOtherLife, lifeChangesOf } from './life-change.ts';
import { largestKnownCu } from './project-size.ts';

/** A project as it is known, there or gone. */
export interface KnownLife extends CounterColumns {
  readonly project_ref: number;
  readonly created_at: number | null;
  readonly first_seen_at: number;
  readonly gone_at: number | null;
}

/**
 * Ends the lives of projects in whose place others were created with the same id, and begins those of projects that moved here
 * from another account. All calls happen inside the transaction of one reading.
 */
export class FormerLives {
  readonly #samples: CpuSamples;
  readonly #changes;
  readonly #endEndpoints;

  constructor(database: Database, samples: CpuSamples) {
    this.#samples = samples;
    this.#changes = lifeChangesOf(database, 'project', 'project_name');
    this.#endEndpoints = statementsOf(database).run<[at: number, project_ref: number]>`
      UPDATE endpoint SET gone_at = ? WHERE project_ref = ? AND gone_at IS NULL`;
  }

  /**
   * Whether a listed project is another one than is known by its id: it was created after that was last read. One that was not gone,
   * and whose use goes on and is more than any project can have used since then, is the same: its creation is told otherwise.
   */
  isOver(
    known: Pick<KnownLife, 'project_ref' | 'created_at' | 'gone_at' | 'cpu_last_sec'>,
    { created_at, cpu_used_sec = 0 }: Project,
    servedAt: number,
  ): boolean {
    const { project_ref, created_at: before, gone_at, cpu_last_sec } = known;
    if (created_at === undefined || before === null) return false;
    const findReadAt = () => this.#samples.lastReadAt(project_ref) ?? before;
    if (!isOtherLife(created_at, before, findReadAt, servedAt)) return false;
    const goesOn = gone_at === null && cpu_last_sec !== null && cpu_used_sec >= cpu_last_sec;
    return !goesOn || isLikely(cpu_used_sec, servedAt - created_at, () => largestKnownCu);
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
    this.#changes.follow({ ...known, ref: project_ref, gone_at: goneAt }, listed.created_at, servedAt);
    this.#endEndpoints(goneAt, project_ref);
    return true;
  }

  /**
   * Begins the life of a project in an account that it moved to.
   *
   * @param known the project as the account had it before; absent where it had not.
   */
  arrive(project_ref: number, known: KnownLife | undefined, movedAt: number, servedAt: number): void {
    if (known === undefined) this.#changes.begin(project_ref, servedAt, movedAt);
    else this.#changes.follow({ ...known, ref: project_ref }, movedAt, servedAt);
  }
}
