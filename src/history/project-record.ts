import type { Database } from 'better-sqlite3';
import type { Project } from '../resources/project.ts';
import type { ProjectsReading } from '../resources/reading.ts';
import { type CpuCounter, countCpu } from './cpu-counter.ts';

/** Columns that carry the fields of the list as they were reported. */
export const projectColumns = [
  'project_name',
  'platform_id',
  'region_id',
  'provisioner',
  'pg_version',
  'proxy_host',
  'locked',
  'cpu_used_sec',
  'branch_logical_size_limit',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof Project)[];

interface KnownProject {
  readonly project_ref: number;
  readonly gone_at: number | null;
  readonly cpu_last_sec: number | null;
  readonly cpu_last_at: number | null;
  readonly cpu_used_total_sec: number | null;
  readonly cpu_used_resets: number;
}

/** Projects this much older than the last complete list were there before, only unseen. */
const clockSlackMs = 60_000;

/** Writes lists of projects; all calls happen inside the transaction of one reading. */
export class ProjectRecord {
  readonly #statements;

  constructor(database: Database) {
    const assignments = projectColumns.map(column => `${column} = @${column}`).join(', ');
    this.#statements = {
      find: database.prepare<[number, string], KnownProject>(
        `SELECT project_ref, gone_at, cpu_last_sec, cpu_last_at, cpu_used_total_sec, cpu_used_resets
         FROM project WHERE account_ref = ? AND project_id = ?`,
      ),
      insert: database.prepare(
        `INSERT INTO project (account_ref, project_id, first_seen_at, born_watched, ${projectColumns.join(', ')})
         VALUES (@account_ref, @project_id, @first_seen_at, @born_watched, ${projectColumns.map(c => `@${c}`).join(', ')})`,
      ),
      update: database.prepare(
        `UPDATE project SET gone_at = NULL, ${assignments} WHERE project_ref = @project_ref`,
      ),
      count: database.prepare<[number, number, number, number, number]>(
        `UPDATE project SET cpu_last_sec = ?, cpu_last_at = ?, cpu_used_total_sec = ?, cpu_used_resets = ?
         WHERE project_ref = ?`,
      ),
      sample: database.prepare<[number, number, number]>(
        'INSERT OR REPLACE INTO cpu_sample (project_ref, at, cpu_used_sec) VALUES (?, ?, ?)',
      ),
      grow: database.prepare<[number, number]>(
        'UPDATE account SET cpu_used_total_sec = coalesce(cpu_used_total_sec, 0) + ? WHERE account_ref = ?',
      ),
      present: database
        .prepare<[number], string>('SELECT project_id FROM project WHERE account_ref = ? AND gone_at IS NULL')
        .pluck(),
      leave: database.prepare<[number, number, string]>(
        'UPDATE project SET gone_at = ? WHERE account_ref = ? AND project_id = ? AND gone_at IS NULL',
      ),
      listedAt: database
        .prepare<[number], number | null>('SELECT projects_listed_at FROM account WHERE account_ref = ?')
        .pluck(),
      listed: database.prepare<[number, number]>(
        'UPDATE account SET projects_listed_at = ? WHERE account_ref = ?',
      ),
    };
  }

  /**
   * Records what a list or a page of it shows.
   *
   * @param unchanged says that the project was already recorded exactly so; only then nothing is written.
   * @returns ids of the projects whose rows changed.
   */
  recordItems(
    account_ref: number,
    { items, servedAt }: Pick<ProjectsReading, 'items' | 'servedAt'>,
    unchanged: (project: Project) => boolean,
  ): Set<string> {
    const changed = new Set<string>();
    const listedBeforeAt = this.#statements.listedAt.get(account_ref) ?? undefined;
    for (const project of items) {
      if (unchanged(project)) continue;
      this.#recordProject(account_ref, project, servedAt, listedBeforeAt);
      changed.add(project.project_id);
    }
    return changed;
  }

  /**
   * Records that a complete list came to its end.
   *
   * @returns ids of the projects that are gone, as it does not hold them.
   */
  recordEnd(account_ref: number, listed: ReadonlySet<string>, servedAt: number): readonly string[] {
    const gone = this.#statements.present.all(account_ref).filter(project_id => !listed.has(project_id));
    for (const project_id of gone) this.recordGone(account_ref, project_id, servedAt);
    this.#statements.listed.run(servedAt, account_ref);
    return gone;
  }

  recordGone(account_ref: number, project_id: string, at: number): void {
    this.#statements.leave.run(at, account_ref, project_id);
  }

  #recordProject(
    account_ref: number,
    project: Project,
    servedAt: number,
    listedBeforeAt: number | undefined,
  ): void {
    const fields = Object.fromEntries(projectColumns.map(column => [column, bindable(project[column])]));
    const known = this.#statements.find.get(account_ref, project.project_id);
    if (known !== undefined) {
      this.#statements.update.run({ ...fields, project_ref: known.project_ref });
      this.#countCpu(account_ref, known.project_ref, known, project.cpu_used_sec, servedAt);
      return;
    }
    const bornWatched =
      listedBeforeAt !== undefined &&
      project.created_at !== undefined &&
      project.created_at >= listedBeforeAt - clockSlackMs;
    const { lastInsertRowid } = this.#statements.insert.run({
      ...fields,
      account_ref,
      project_id: project.project_id,
      first_seen_at: servedAt,
      born_watched: Number(bornWatched),
    });
    this.#countCpu(account_ref, Number(lastInsertRowid), undefined, project.cpu_used_sec, servedAt);
  }

  #countCpu(
    account_ref: number,
    project_ref: number,
    known: KnownProject | undefined,
    reportedSec: number | undefined,
    at: number,
  ): void {
    if (!isCpuTime(reportedSec)) return;
    const before = known && asCounter(known);
    const after = countCpu(before, reportedSec, at);
    this.#statements.count.run(after.lastSec, after.lastAt, after.totalSec, after.resets, project_ref);
    this.#statements.grow.run(after.totalSec - (before?.totalSec ?? 0), account_ref);
    if (reportedSec !== before?.lastSec) this.#statements.sample.run(project_ref, at, reportedSec);
  }
}

/** Live services have shown a missing value; a negative or an astronomical one is no time used either. */
function isCpuTime(reportedSec: number | undefined): reportedSec is number {
  return reportedSec !== undefined && reportedSec >= 0 && reportedSec <= Number.MAX_SAFE_INTEGER;
}

function asCounter(known: KnownProject): CpuCounter | undefined {
  const { cpu_last_sec, cpu_last_at, cpu_used_total_sec, cpu_used_resets } = known;
  if (cpu_last_sec === null || cpu_last_at === null || cpu_used_total_sec === null) return undefined;
  return {
    lastSec: cpu_last_sec,
    lastAt: cpu_last_at,
    totalSec: cpu_used_total_sec,
    resets: cpu_used_resets,
  };
}

/** A decoded value as SQLite takes it. */
export function bindable(value: string | number | boolean | undefined): string | number | null {
  if (typeof value === 'boolean') return Number(value);
  return value ?? null;
}
