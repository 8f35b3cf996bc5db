import type { Database } from 'better-sqlite3';
import type { Project } from '../../resources/project.ts';
import { movedAt } from '../clause.ts';
import { statementsOf } from '../file/statement.ts';
import { asCounter } from '../ledger/cpu-counter.ts';
import type { CpuSamples } from './cpu-sample.ts';
import type { CountedProject, CpuUse } from './cpu-use.ts';
import type { FormerLives, KnownLife } from './former-life.ts';
import { clockSlackMs } from './life-change.ts';

/** A project as another account knows it. */
interface OtherProject extends KnownLife {
  readonly usage_read_at: number | null;
  readonly consumption_period_start: number | null;
  readonly operations_head_at: number | null;
  /** When it moved there; null where it did not. */
  readonly moved_at: number | null;
}

/** Projects that move from one account to another and keep their id. All calls happen inside the transaction of one reading. */
export class ProjectMoves {
  readonly #samples: CpuSamples;
  readonly #use: CpuUse;
  readonly #lives: FormerLives;
  readonly #statements;

  constructor(database: Database, samples: CpuSamples, use: CpuUse, lives: FormerLives) {
    const sql = statementsOf(database);
    this.#samples = samples;
    this.#use = use;
    this.#lives = lives;
    this.#statements = {
      find: sql.one<
        [Readonly<{ account_ref: number; project_id: string; created_at: number }>],
        OtherProject
      >`
        SELECT project_ref, created_at, first_seen_at, gone_at, usage_read_at, consumption_period_start, operations_head_at,
          cpu_last_sec, cpu_last_at, cpu_used_total_sec, cpu_used_resets, cpu_doubt, ${movedAt} AS moved_at
        FROM project WHERE account_ref IN (SELECT account_ref FROM account WHERE account_ref <> @account_ref)
          AND project_id = @project_id AND created_at = @created_at
        ORDER BY coalesce(moved_at, first_seen_at) DESC LIMIT 1`,
      movedAt: sql.value<[number], number>`SELECT ${movedAt} FROM project WHERE project_ref = ?`,
      goOn: sql.run<[Readonly<{ project_ref: number; headAt: number }>]>`
        UPDATE project SET operations_head_at = max(coalesce(operations_head_at, 0), @headAt), operations_tail_cursor = NULL
        WHERE project_ref = @project_ref`,
    };
  }

  /**
   * The project as an account knows it from which it moved: it is not there any more, or it is new in a list that did not have it
   * when it was known there already. Any other one is in both accounts, as where the keys of both see the same projects.
   *
   * @param listedBeforeAt when a list of the account last did not have it; undefined where there was none.
   */
  find(
    account_ref: number,
    { project_id, created_at }: Project,
    listedBeforeAt = Number.NEGATIVE_INFINITY,
  ): OtherProject | undefined {
    if (created_at === undefined) return undefined;
    const other = this.#statements.find({ account_ref, project_id, created_at });
    if (other === undefined) return undefined;
    const isNew = Math.max(other.first_seen_at, created_at) < listedBeforeAt - clockSlackMs;
    return isNew || other.gone_at !== null ? other : undefined;
  }

  /** As `find`, of a project that was gone from the account: it moved there and came back. */
  findBack(account_ref: number, known: KnownLife, project: Project): OtherProject | undefined {
    const other = this.find(account_ref, project, Number.POSITIVE_INFINITY);
    const begunAt = this.#statements.movedAt(known.project_ref) ?? known.first_seen_at;
    return other !== undefined && other.moved_at !== null && other.moved_at > begunAt ? other : undefined;
  }

  /**
   * Has a project go on from where the other account ended: with its count, and with operations that were not read there.
   *
   * @param known the project as the account had it before; absent where it had not.
   */
  arrive(before: CountedProject, other: OtherProject, servedAt: number, known?: KnownLife): CountedProject {
    const { project_ref } = before;
    const movedAt = Math.min(other.gone_at ?? servedAt, servedAt);
    this.#lives.arrive(project_ref, known, movedAt, servedAt);
    this.#statements.goOn({ project_ref, headAt: other.operations_head_at ?? movedAt });
    const cpu = asCounter(other);
    if (cpu === undefined) return before;
    const at = Math.min(this.#samples.lastReadAt(other.project_ref) ?? cpu.lastAt, servedAt);
    return this.#use.takeOver(
      before,
      { sec: cpu.lastSec, at, believedAt: at },
      {
        usageReadAt: other.usage_read_at ?? undefined,
        periodStartAt: other.consumption_period_start ?? undefined,
      },
    );
  }
}
