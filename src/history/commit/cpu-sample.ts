import type { Database } from 'better-sqlite3';
import { maxOf } from '../../resources/min-max.ts';
import { statementsOf } from '../file/statement.ts';
import type { CountedValue, CpuCounter } from '../ledger/cpu-counter.ts';

/** Writes what `cpu_used_sec` was whenever it changed, with the stretch of time in which that was used. */
export class CpuSamples {
  readonly #statements;
  /** When each project was last read: a sample is written only where the value changed. */
  readonly #readAt = new InstantTable();
  /** When the last sample of each was written. */
  readonly #sampledAt = new InstantTable();

  constructor(database: Database) {
    const sql = statementsOf(database);
    this.#statements = {
      // Clocks of whole seconds: what is read twice within one is one sample.
      put: sql.run<[number, number, number, number | null, number]>`
        INSERT INTO cpu_sample (project_ref, at, cpu_used_sec, after_at, base_sec) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET cpu_used_sec = excluded.cpu_used_sec, base_sec = excluded.base_sec`,
      begin: sql.run<[number, number]>`
        INSERT OR IGNORE INTO cpu_count_start (project_ref, at) VALUES (?, ?)`,
      lastAt: sql.value<[number], number>`SELECT max(at) FROM cpu_sample WHERE project_ref = ?`,
      listedAt: sql.value<[number], number>`
        SELECT coalesce(usage_read_at, projects_listed_at) FROM account JOIN project USING (account_ref)
        WHERE project_ref = ? AND first_seen_at <= projects_listed_at AND gone_at IS NULL`,
    };
  }

  /** Notes that a project was read, and what it had used was as it was counted. */
  noteRead(project_ref: number, at: number): void {
    this.#readAt.set(project_ref, Math.max(at, this.#readAt.get(project_ref) ?? at));
  }

  /** Notes when a project that is still gone was last read: after a restart it would be the last list, which did not have it. */
  resume(project_ref: number): void {
    const readAt = this.lastReadAt(project_ref);
    if (readAt !== undefined) this.noteRead(project_ref, readAt);
  }

  /** Forgets when projects were read and samples written. */
  forgetReadings(): void {
    this.#readAt.clear();
    this.#sampledAt.clear();
  }

  /** @param isStart whether the count began anew with the value. */
  write(project_ref: number, value: CountedValue, isStart: boolean): void {
    const { sec, counter, believedAt } = value;
    // A clock that was set back must not put a later total before an earlier one.
    const at = Math.max(value.at, this.#readAt.get(project_ref) ?? value.at);
    const isUsual = believedAt === this.#sampledAt.get(project_ref);
    const base = counter.totalSec - sec;
    this.#statements.put(project_ref, at, sec, isUsual ? null : Math.min(believedAt, at), base);
    if (isStart) this.#statements.begin(project_ref, at);
    this.#sampledAt.set(project_ref, at);
  }

  /** Writes a last sample when a project is gone: the value as it was last counted, so that it is known until when that was. */
  close(project_ref: number, { totalSec, lastSec }: CpuCounter): void {
    const at = this.lastReadAt(project_ref);
    const lastAt = this.#statements.lastAt(project_ref);
    if (at === undefined || lastAt === undefined || at <= lastAt) return;
    const isUsual = lastAt === this.#sampledAt.get(project_ref);
    this.#statements.put(project_ref, at, lastSec, isUsual ? null : lastAt, totalSec - lastSec);
    this.#sampledAt.set(project_ref, at);
  }

  /** When a project was last read; after a restart that was at least when the last list came to its end, or when it was read for itself. */
  lastReadAt(project_ref: number): number | undefined {
    const known = this.#readAt.get(project_ref);
    if (known !== undefined) return known;
    const { lastAt, listedAt } = this.#statements;
    const times = [lastAt(project_ref), listedAt(project_ref)].filter(at => at !== undefined);
    return times.length === 0 ? undefined : maxOf(times);
  }
}

const blockLength = 1024;

/**
 * An instant for each of many projects, in blocks of plain numbers: a map of as many takes seven times the memory, as each
 * instant is an object of its own in it.
 */
export class InstantTable {
  readonly #blocks = new Map<number, Float64Array>();

  get(project_ref: number): number | undefined {
    const at = this.#blocks.get(Math.floor(project_ref / blockLength))?.[project_ref % blockLength];
    return at === undefined || Number.isNaN(at) ? undefined : at;
  }

  set(project_ref: number, at: number): void {
    const number = Math.floor(project_ref / blockLength);
    let block = this.#blocks.get(number);
    if (block === undefined) {
      block = new Float64Array(blockLength).fill(Number.NaN);
      this.#blocks.set(number, block);
    }
    block[project_ref % blockLength] = at;
  }

  clear(): void {
    this.#blocks.clear();
  }
}
