import type { Database } from 'better-sqlite3';
import type { Project } from '../../resources/project.ts';
import { type CpuCounter, countCpu } from '../ledger/cpu-counter.ts';
import { CpuSampleRecord } from './cpu-sample-record.ts';

/** A project whose use of compute is counted. */
export interface CountedProject {
  readonly project_ref: number;
  readonly cpu?: CpuCounter | undefined;
  /** `cpu_used_sec` of the last list, which may lag behind the counter. */
  readonly reportedSec?: number | undefined;
}

/** Writes how much compute projects used, each and all of an account; all calls happen inside one transaction. */
export class CpuUseRecord {
  readonly #samples: CpuSampleRecord;
  readonly #statements;
  /** Compute seconds counted since the beginning; undefined while no project was counted. */
  #grownSec: number | undefined;

  constructor(database: Database) {
    this.#samples = new CpuSampleRecord(database);
    this.#statements = {
      use: database.prepare<(number | null)[]>(
        `UPDATE project SET cpu_used_sec = ?, updated_at = ?,
           cpu_last_sec = ?, cpu_last_at = ?, cpu_used_total_sec = ?, cpu_used_resets = ?
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
  count(
    before: CountedProject,
    { cpu_used_sec, updated_at, created_at }: Project,
    at: number,
  ): CpuCounter | undefined {
    const { project_ref, cpu, reportedSec } = before;
    const isCounted = isCpuTime(cpu_used_sec);
    const after = isCounted ? countCpu(cpu, cpu_used_sec, at) : cpu;
    const { lastSec = null, lastAt = null, totalSec = null, resets = 0 } = after ?? {};
    this.#statements.use.run(
      ...[cpu_used_sec ?? null, updated_at ?? null, lastSec, lastAt, totalSec, resets, project_ref],
    );
    if (after !== undefined && after !== cpu) {
      // The growth in brackets: fractions added to the sum first would round it below what it was.
      this.#grownSec = (this.#grownSec ?? 0) + (after.totalSec - (cpu?.totalSec ?? 0));
    }
    if (isCounted && after !== undefined && (cpu_used_sec !== reportedSec || after !== cpu)) {
      this.#samples.write({ project_ref, at, cpu_used_sec, before: cpu, after, createdAt: created_at });
    }
    this.#samples.noteRead(project_ref, at);
    return after;
  }

  /** Notes that a project is gone: until when its last value stood is written. */
  close({ project_ref, cpu, reportedSec }: CountedProject): void {
    if (cpu !== undefined) this.#samples.close(project_ref, cpu, reportedSec ?? cpu.lastSec);
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
