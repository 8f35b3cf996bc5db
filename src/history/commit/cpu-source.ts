import type { Database } from 'better-sqlite3';
import type { Project } from '../../resources/project.ts';
import type { CpuSource } from '../../resources/project-usage.ts';
import type { ProjectsReading, ProjectUsageReading } from '../../resources/reading.ts';
import { periodColumns, type StoredRow } from '../column.ts';
import { statementsOf } from '../file/statement.ts';
import type { KnownAccount } from '../snapshot/known-account.ts';
import type { StoredProject } from '../snapshot/stored-project.ts';
import type { CountedProject, CpuUse } from './cpu-use.ts';
import type { LostFields } from './lost-value.ts';

/** When a list was served, and where use is read by then. */
export type Listed = Required<Pick<ProjectsReading, 'servedAt' | 'cpuSource'>>;

/** What was counted of a project, from the list or for itself. */
type Counted = Pick<CountedProject, 'cpu' | 'usageReadAt'>;

/** Has one counter go on where the use of projects is read elsewhere; all calls happen inside one transaction. */
export class CpuSources {
  readonly #use: CpuUse;
  readonly #lost: LostFields;
  readonly #statements;

  constructor(database: Database, use: CpuUse, lost: LostFields) {
    const sql = statementsOf(database);
    this.#use = use;
    this.#lost = lost;
    this.#statements = {
      source: sql.run<[{ readonly account_ref: number; readonly source: CpuSource | null }]>`
        UPDATE account SET cpu_source = @source WHERE account_ref = @account_ref AND cpu_source IS NOT @source`,
      use: sql.run<[StoredRow]>`
        UPDATE project SET period_use = @period_use WHERE project_ref = @project_ref`,
      period: sql.value<[number], number>`
        SELECT consumption_period_start FROM project WHERE project_ref = ?`,
    };
  }

  /** Commits where the use of an account's projects is read. */
  commitSource(account_ref: number, source: CpuSource): void {
    this.#statements.source({ account_ref, source: source === 'list' ? null : source });
  }

  /**
   * Commits the use of a project that was read for itself.
   *
   * @returns the project as it is now; none where it is not known any more.
   */
  commitUsage(known: KnownAccount, reading: ProjectUsageReading): readonly StoredProject[] {
    const { account_ref } = known;
    const { usage, servedAt } = reading;
    const before = known.get(reading.project_id);
    this.#lost.noteItems(account_ref, [usage]);
    if (before === undefined) return [];
    const { project_ref, project, cpu, usageReadAt } = before;
    const { project_id, created_at } = project;
    const periodStartAt = this.#statements.period(project_ref);
    const used = { account_ref, project_ref, project_id, created_at, cpu, usageReadAt, periodStartAt };
    this.#use.begin();
    const counted = this.#use.countUsage(used, usage, servedAt);
    this.#use.addUp(account_ref);
    const row = periodColumns.write(usage);
    this.#statements.use({ ...row, project_ref });
    const readAt = Math.max(servedAt, usageReadAt ?? servedAt);
    const periodUse = periodColumns.read(row);
    const after = { ...before, usageReadAt: readAt, periodUse, ...(counted && { cpu: counted }) };
    return [endPeriod(after, servedAt)];
  }

  /** Counts what the list says of the use of a project, unless that is read for itself. */
  countListed(before: CountedProject, project: Project, { servedAt, cpuSource }: Listed): Counted {
    const { project_ref, cpu, usageReadAt } = before;
    if (usageReadAt === undefined) return { cpu: this.#use.count(before, project, servedAt) };
    if (before.isOver) {
      this.#statements.use({ project_ref, period_use: null });
      return { cpu: this.#use.restart(before, project), usageReadAt };
    }
    if (cpuSource === 'project' || project.cpu_used_sec === undefined) {
      this.#use.report(project_ref, project);
      return { cpu, usageReadAt };
    }
    return { cpu: this.#use.returnToList(before, project, servedAt) };
  }
}

/** The project without its use of a period that is over, or whose end is not known. */
export function endPeriod(project: StoredProject, at: number): StoredProject {
  // Asked of everything that is listed: a copy of each project would cost more than all the rest of reading a list.
  if (project.periodUse === undefined || (project.periodUse.consumption_period_end ?? at) > at)
    return project;
  const { periodUse, ...rest } = project;
  return rest;
}
