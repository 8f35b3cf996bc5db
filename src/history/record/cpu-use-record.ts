import type { Database } from 'better-sqlite3';
import { hourMs } from '../../resources/duration.ts';
import type { Project } from '../../resources/project.ts';
import { type CpuCount, type CpuCounter, countCpu } from '../ledger/cpu-counter.ts';
import { CpuSampleRecord } from './cpu-sample-record.ts';
import type { ImplausibleRecord } from './implausible-record.ts';
import { ProjectSize } from './project-size.ts';

/** A project whose use of compute is counted. */
export interface CountedProject {
  readonly account_ref: number;
  readonly project_ref: number;
  readonly cpu?: CpuCounter | undefined;
}

/** The service sets the counter back each billing period, so what it shows at first is not older than this. */
const longestCountMs = 366 * 24 * hourMs;

/** Writes how much compute projects used, each and all of an account; all calls happen inside one transaction. */
export class CpuUseRecord {
  readonly #samples: CpuSampleRecord;
  readonly #sizes: ProjectSize;
  readonly #implausible: ImplausibleRecord;
  readonly #statements;
  /** Compute seconds counted since the beginning; undefined while no project was counted. */
  #grownSec: number | undefined;

  constructor(database: Database, implausible: ImplausibleRecord) {
    this.#samples = new CpuSampleRecord(database);
    this.#sizes = new ProjectSize(database);
    this.#implausible = implausible;
    this.#statements = {
      use: database.prepare<(number | string | null)[]>(
        `UPDATE project SET cpu_used_sec = ?, updated_at = ?,
           cpu_last_sec = ?, cpu_last_at = ?, cpu_used_total_sec = ?, cpu_used_resets = ?, cpu_doubt = ?
         WHERE project_ref = ?`,
      ),
      grow: database.prepare<[number, number]>(
        'UPDATE account SET cpu_used_total_sec = coalesce(cpu_used_total_sec, 0) + ? WHERE account_ref = ?',
      ),
    };
  }

  /** Notes that a project was read and had used nothing more. */
  noteRead(project_ref: number, at: number): void {
    this.#samples.noteRead(project_ref, at);
  }

  /**
   * Writes `cpu_used_sec` and `updated_at` as a list shows them, and the counter over the former.
   *
   * @param at when the list was served, by the service's clock.
   * @returns the counter with this reading; undefined while nothing was ever counted.
   */
  count(before: CountedProject, project: Project, at: number): CpuCounter | undefined {
    const { account_ref, project_ref, cpu } = before;
    const { project_id, cpu_used_sec, updated_at } = project;
    const { counter, counted, isImplausible } = this.#count(before, project, at);
    if (isImplausible && cpu_used_sec !== undefined) {
      this.#implausible.note(account_ref, { field: 'cpu_used_sec', id: project_id, value: cpu_used_sec });
    }
    const { lastSec = null, lastAt = null, totalSec = null, resets = 0, doubt } = counter ?? {};
    this.#statements.use.run(
      ...[cpu_used_sec ?? null, updated_at ?? null, lastSec, lastAt, totalSec, resets],
      doubt === undefined ? null : JSON.stringify(doubt),
      project_ref,
    );
    if (counter !== undefined && counter.totalSec !== cpu?.totalSec) {
      // The growth in brackets: fractions added to the sum first would round it below what it was.
      this.#grownSec = (this.#grownSec ?? 0) + (counter.totalSec - (cpu?.totalSec ?? 0));
    }
    let resetsBefore = cpu?.resets;
    for (const value of counted) {
      this.#samples.write({ project_ref, value, isStart: value.counter.resets !== resetsBefore });
      resetsBefore = value.counter.resets;
    }
    if (!isImplausible && doubt?.held === undefined) this.#samples.noteRead(project_ref, at);
    return counter;
  }

  #count(
    { project_ref, cpu }: CountedProject,
    { cpu_used_sec: sec, created_at }: Project,
    at: number,
  ): CpuCount {
    if (sec === undefined) return { counter: cpu, counted: [], isImplausible: false };
    if (!isCpuTime(sec)) return { counter: cpu, counted: [], isImplausible: true };
    const oldestAt = at - longestCountMs;
    const isBorn = created_at !== undefined && created_at <= at;
    const bornAt = isBorn ? Math.max(created_at, oldestAt) : oldestAt;
    const firstAt = isBorn ? bornAt : at;
    const believedAt = cpu === undefined ? firstAt : (this.#samples.lastReadAt(project_ref) ?? cpu.lastAt);
    const mostCu = () => this.#sizes.mostCu(project_ref);
    return countCpu(cpu, { sec, at, believedAt }, { bornAt, mostCu });
  }

  /** Notes that a project is gone: until when its last value stood is written. */
  close({ project_ref, cpu }: CountedProject): void {
    if (cpu !== undefined) this.#samples.close(project_ref, cpu);
  }

  forgetReadings(): void {
    this.#samples.forgetReadings();
  }

  /** Begins to add up: what was counted of a reading that was not written counts for nothing. */
  begin(): void {
    this.#grownSec = undefined;
  }

  /** Adds to the total of an account what was counted of its projects since the beginning. */
  addUp(account_ref: number): void {
    if (this.#grownSec !== undefined) this.#statements.grow.run(this.#grownSec, account_ref);
  }
}

/** Live services have shown a missing value; a negative or an astronomical one is no time used either. */
function isCpuTime(reportedSec: number | undefined): reportedSec is number {
  return reportedSec !== undefined && reportedSec >= 0 && reportedSec <= Number.MAX_SAFE_INTEGER;
}
