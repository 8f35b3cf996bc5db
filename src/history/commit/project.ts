import type { Database } from 'better-sqlite3';
import type { StoredValue } from '../../resources/declared-field.ts';
import { type Project, projectItem } from '../../resources/project.ts';
import type { NamedProject } from '../../resources/project-filter.ts';
import type { ProjectsReading } from '../../resources/reading.ts';
import { asStored, projectColumns } from '../column.ts';
import { statementsOf } from '../file/statement.ts';
import { asCounter } from '../ledger/cpu-counter.ts';
import { isToCome } from '../ledger/plausible-instant.ts';
import type { StoredProject } from '../snapshot/stored-project.ts';
import { activeTimesOf } from './active-time.ts';
import type { CpuSamples } from './cpu-sample.ts';
import { type CpuSources, endPeriod, type Listed } from './cpu-source.ts';
import type { CpuUse } from './cpu-use.ts';
import { FormerLives, type KnownLife } from './former-life.ts';
import { clockSlackMs } from './life-change.ts';
import { fieldChangesOf } from './listed-items.ts';
import type { ImplausibleValues } from './lost-value.ts';
import { diff, isToCount, laterLively, withLively } from './project-diff.ts';
import { ProjectMoves } from './project-move.ts';

type FoundRow = KnownLife & { readonly usage_read_at: number | null };

/** Projects that a list or a page of one changed. */
interface ListedChanges {
  /** Projects known before, as they are now. */
  readonly stored: readonly StoredProject[];
  /** Ids of projects that were not known, or gone. */
  readonly project_ids: readonly string[];
}

/** The projects of accounts, as lists have them. All calls happen inside the transaction of one reading. */
export class Projects {
  readonly #samples: CpuSamples;
  readonly #use: CpuUse;
  readonly #sources: CpuSources;
  readonly #implausible: ImplausibleValues;
  readonly #activeTimes;
  readonly #lives: FormerLives;
  readonly #moves: ProjectMoves;
  readonly #commitChanges;
  readonly #statements;

  constructor(
    database: Database,
    implausible: ImplausibleValues,
    { samples, use, sources }: Readonly<{ samples: CpuSamples; use: CpuUse; sources: CpuSources }>,
  ) {
    const sql = statementsOf(database);
    this.#implausible = implausible;
    this.#samples = samples;
    this.#use = use;
    this.#sources = sources;
    this.#activeTimes = activeTimesOf(database);
    this.#lives = new FormerLives(database, samples);
    this.#moves = new ProjectMoves(database, samples, use, this.#lives);
    this.#commitChanges = fieldChangesOf(database, 'project', projectItem.fields);
    const { columns } = projectColumns;
    const assignments = columns.map(column => `${column} = @${column}`).join(', ');
    this.#statements = {
      find: sql.one<[number, string], FoundRow>`
        SELECT project_ref, created_at, first_seen_at, gone_at, usage_read_at, cpu_last_sec, cpu_last_at, cpu_used_total_sec, cpu_used_resets, cpu_doubt
        FROM project WHERE account_ref = ? AND project_id = ?`,
      insert: sql.run`
        INSERT INTO project (account_ref, project_id, first_seen_at, born_watched, ${columns.join(', ')})
        VALUES (@account_ref, @project_id, @first_seen_at, @born_watched, ${columns.map(c => `@${c}`).join(', ')})`,
      update: sql.run`UPDATE project SET gone_at = NULL, ${assignments} WHERE project_ref = @project_ref`,
      live: sql.run<StoredValue[]>`
        UPDATE project SET ${laterLively.map(column => `${column} = ?`).join(', ')} WHERE project_ref = ?`,
      rename: sql.run<[string | null, number, string]>`
        UPDATE project SET project_name = ? WHERE account_ref = ? AND project_id = ?`,
      return: sql.run<[Readonly<Record<'project_ref' | 'until_at', number>>]>`
        INSERT OR REPLACE INTO project_absence (project_ref, from_at, until_at, states_until_at)
        SELECT project_ref, gone_at, @until_at,
          (SELECT max(ledger_until_at) FROM endpoint WHERE endpoint.project_ref = project.project_ref)
        FROM project WHERE project_ref = @project_ref AND gone_at < @until_at`,
      leave: sql.run<[number, number, string]>`
        UPDATE project SET gone_at = ? WHERE account_ref = ? AND project_id = ? AND gone_at IS NULL`,
      listedAt: sql.value<[number], number>`SELECT projects_listed_at FROM account WHERE account_ref = ?`,
      listed: sql.run<[number, number]>`UPDATE account SET projects_listed_at = ? WHERE account_ref = ?`,
    };
  }

  /**
   * Commits a list or a page of it. Nothing is written of a project that is known exactly so already.
   *
   * @param known the project as it was last; undefined when it is unknown or gone.
   */
  commit(
    account_ref: number,
    { items, servedAt, cpuSource = 'list' }: Pick<ProjectsReading, 'items' | 'servedAt' | 'cpuSource'>,
    known: (project_id: string) => StoredProject | undefined,
  ): ListedChanges {
    const stored = new Map<number, StoredProject>();
    const enrolled = new Set<string>();
    const listedBeforeAt = this.#statements.listedAt(account_ref);
    this.#use.begin();
    for (const listed of items) {
      const { project_id } = listed;
      const found = known(project_id);
      const last = found && (stored.get(found.project_ref) ?? found);
      const project = withCreation(listed, last?.project.created_at);
      const isOver = last !== undefined && this.#lives.isOver(lifeOf(last), project, servedAt);
      const before = last === undefined || isOver ? undefined : endPeriod(last, servedAt);
      if (before !== undefined && project.active_time !== undefined) {
        const active = { at: servedAt, sec: project.active_time };
        const listed = { sec: before.project.active_time, listedAt: listedBeforeAt };
        this.#activeTimes.note(before.project_ref, active, listed);
      }
      if (before === undefined) {
        this.#enrol(account_ref, project, { servedAt, cpuSource }, listedBeforeAt);
        enrolled.add(project_id);
        continue;
      }
      const difference = diff(project, before.project);
      if (difference === 'none' && !isToCount(project, before, cpuSource)) {
        if (before.usageReadAt === undefined) this.#samples.noteRead(before.project_ref, servedAt);
        if (before !== last) stored.set(before.project_ref, before);
      } else {
        const written =
          difference === 'any' ? this.#rewrite(before, project, servedAt) : this.#revive(before, project);
        stored.set(
          before.project_ref,
          this.#countUse(account_ref, { ...before, project: written }, { servedAt, cpuSource }),
        );
      }
    }
    this.#use.addUp(account_ref);
    return { stored: [...stored.values()], project_ids: [...enrolled] };
  }

  /** Writes by which name projects are left out from now on: after a restart that is all there is to go by. */
  rename(account_ref: number, projects: readonly NamedProject[]): void {
    for (const { project_id, project_name = null } of projects) {
      this.#statements.rename(project_name, account_ref, project_id);
    }
  }

  /** Forgets when projects were read: the clock those instants are of was wrong. */
  forgetReadings(): void {
    this.#samples.forgetReadings();
    this.#activeTimes.forgetReadings();
  }

  /** Writes that a complete list came to its end. */
  endList(account_ref: number, servedAt: number): void {
    this.#statements.listed(servedAt, account_ref);
  }

  commitGone(account_ref: number, project_id: string, at: number): void {
    const row = this.#statements.find(account_ref, project_id);
    const cpu = row && asCounter(row);
    if (row !== undefined && cpu !== undefined) this.#samples.close(row.project_ref, cpu);
    this.#statements.leave(at, account_ref, project_id);
  }

  /** Writes all fields of a project. */
  #rewrite({ project_ref }: StoredProject, listed: Project, servedAt: number): StoredProject['project'] {
    this.#statements.update({ ...projectColumns.write(listed), project_ref });
    this.#commitChanges(project_ref, listed, servedAt);
    // The names of lost fields were counted, and are nothing that is known of the project.
    const { lostFields, ...project } = listed;
    return project;
  }

  /** Writes the fields that change all the time, of a project whose others are as they were and stay what they are. */
  #revive({ project_ref, project }: StoredProject, listed: Project): StoredProject['project'] {
    if (laterLively.some(column => listed[column] !== project[column])) {
      this.#statements.live(...laterLively.map(column => asStored(listed[column])), project_ref);
    }
    return withLively(project, listed);
  }

  /** Counts the use of a project as a list shows it. */
  #countUse(account_ref: number, known: StoredProject, listed: Listed): StoredProject {
    const { project_ref, project, cpu: before, usageReadAt: readAt } = known;
    const counting = { account_ref, project_ref, cpu: before, usageReadAt: readAt };
    const { cpu, usageReadAt } = this.#sources.countListed(counting, project, listed);
    const counted = cpu === undefined ? known : { ...known, cpu };
    if (usageReadAt === readAt) return counted;
    const { usageReadAt: ownReadAt, periodUse, ...rest } = counted;
    return rest;
  }

  /** A project that was gone, or another one with the id of one that was known. */
  #enrolAgain(account_ref: number, found: FoundRow, shown: Project, listed: Listed): void {
    const { servedAt } = listed;
    const { project_ref } = found;
    const project = withCreation(shown, found.created_at ?? undefined);
    const cpu = asCounter(found);
    this.#samples.resume(project_ref);
    const isOver = this.#lives.end(found, project, servedAt);
    this.#statements.return({ project_ref, until_at: servedAt });
    this.#statements.update({ ...projectColumns.write(project), project_ref });
    this.#commitChanges(project_ref, project, servedAt);
    const usageReadAt = found.usage_read_at ?? undefined;
    const before = { account_ref, project_ref, cpu, usageReadAt, isOver };
    const moved = isOver ? undefined : this.#moves.findBack(account_ref, found, project);
    const arrived = moved ? this.#moves.arrive(before, moved, servedAt, found) : before;
    this.#sources.countListed(arrived, project, listed);
  }

  /** A project that was not known, gone, or in the place of a deleted one. */
  #enrol(account_ref: number, project: Project, listed: Listed, listedBeforeAt: number | undefined): void {
    const { servedAt } = listed;
    const fields = projectColumns.write(project);
    const found = this.#statements.find(account_ref, project.project_id);
    if (found !== undefined) {
      this.#enrolAgain(account_ref, found, project, listed);
      return;
    }
    const { project_id: id, created_at } = project;
    const isOdd = isToCome(created_at, servedAt);
    if (isOdd) this.#implausible.note(account_ref, { field: 'created_at', id, value: created_at });
    const bornWatched =
      listedBeforeAt !== undefined &&
      project.created_at !== undefined &&
      !isOdd &&
      project.created_at >= listedBeforeAt - clockSlackMs;
    const { lastInsertRowid } = this.#statements.insert({
      ...fields,
      account_ref,
      project_id: project.project_id,
      first_seen_at: servedAt,
      born_watched: Number(bornWatched),
    });
    const project_ref = Number(lastInsertRowid);
    this.#commitChanges(project_ref, project, servedAt);
    const moved = this.#moves.find(account_ref, project, listedBeforeAt);
    const before = { account_ref, project_ref };
    const arrived = moved ? this.#moves.arrive(before, moved, servedAt) : before;
    this.#sources.countListed(arrived, project, listed);
  }
}

/** The life of a project that is there, by which a listed one is told from another with its id. */
function lifeOf({ project_ref, project, cpu }: StoredProject) {
  const created_at = project.created_at ?? null;
  return { project_ref, created_at, gone_at: null, cpu_last_sec: cpu?.lastSec ?? null };
}

/** A project does not lose its creation where a list leaves that out: by it, it is told from one that is created in its place. */
function withCreation(project: Project, created_at: number | undefined): Project {
  return project.created_at === undefined && created_at !== undefined ? { ...project, created_at } : project;
}
