import type { Database } from 'better-sqlite3';
import { hourMs } from '../../resources/duration.ts';
import type { Project } from '../../resources/project.ts';
import type { CpuSource, ProjectUsage } from '../../resources/project-usage.ts';
import { statementsOf } from '../file/statement.ts';
import {
  type CpuCount,
  type CpuCounter,
  type CpuLimits,
  type CpuValue,
  countCpu,
} from '../ledger/cpu-counter.ts';
import { isToCome } from '../ledger/plausible-instant.ts';
import { countUsage, isOfPeriodBefore, rebase, restart } from '../ledger/usage-counter.ts';
import type { CpuSamples } from './cpu-sample.ts';
import type { ImplausibleValues } from './lost-value.ts';
import { mostCuOf } from './project-size.ts';

/** A project as it was counted before. */
export interface CountedProject {
  readonly account_ref: number;
  readonly project_ref: number;
  readonly cpu?: CpuCounter | undefined;
  /** When its use was last read for itself; absent while its counter is one over the list. */
  readonly usageReadAt?: number | undefined;
  /** Whether what was counted is the use of a deleted project with the same id. */
  readonly isOver?: boolean;
}

/** A project whose use is read for itself. */
interface UsedProject extends CountedProject {
  readonly project_id: string;
  readonly created_at?: number | undefined;
  readonly periodStartAt?: number | undefined;
}

type CountedUsage = ProjectUsage & { readonly compute_time_seconds: number };

/** The service sets the counter back each billing period, so what it shows at first is not older than this. */
const longestCountMs = 366 * 24 * hourMs;

/** How much compute projects used, each and all of an account. All calls happen inside one transaction. */
export class CpuUse {
  readonly #samples: CpuSamples;
  readonly #mostCu;
  readonly #implausible: ImplausibleValues;
  readonly #statements;
  /** Compute seconds counted since the beginning; undefined while no project was counted. */
  #grownSec: number | undefined;

  constructor(database: Database, samples: CpuSamples, implausible: ImplausibleValues) {
    const sql = statementsOf(database);
    this.#samples = samples;
    this.#mostCu = mostCuOf(database);
    this.#implausible = implausible;
    this.#statements = {
      use: sql.run<(number | string | null)[]>`
        UPDATE project SET cpu_used_sec = ?, updated_at = ?,
          cpu_last_sec = ?, cpu_last_at = ?, cpu_used_total_sec = ?, cpu_used_resets = ?, cpu_doubt = ?
        WHERE project_ref = ?`,
      report: sql.run<(number | null)[]>`
        UPDATE project SET cpu_used_sec = ?, updated_at = ? WHERE project_ref = ?`,
      usage: sql.run<(number | string | null)[]>`
        UPDATE project SET cpu_last_sec = ?, cpu_last_at = ?, cpu_used_total_sec = ?, cpu_used_resets = ?, cpu_doubt = ?,
          usage_read_at = ?, consumption_period_start = ?
        WHERE project_ref = ?`,
      change: sql.run<[number, number, CpuSource]>`
        INSERT OR REPLACE INTO cpu_source_change (project_ref, at, source) VALUES (?, ?, ?)`,
      grow: sql.run<[number, number]>`
        UPDATE account SET cpu_used_total_sec = coalesce(cpu_used_total_sec, 0) + ? WHERE account_ref = ?`,
    };
  }

  /**
   * Writes `cpu_used_sec` and `updated_at` as a list shows them, and the counter over the former.
   *
   * @param at when the list was served, by the service's clock.
   * @returns the counter with this reading; undefined while nothing was ever counted.
   */
  count(before: CountedProject, project: Project, at: number): CpuCounter | undefined {
    const { project_ref } = before;
    const { project_id, cpu_used_sec, updated_at } = project;
    const count = this.#count(before, project, at);
    this.#statements.use(cpu_used_sec ?? null, updated_at ?? null, ...columnsOf(count), project_ref);
    return this.#enter(before, count, { id: project_id, sec: cpu_used_sec, at });
  }

  /** Writes `cpu_used_sec` and `updated_at` as a list shows them, of a project whose use is read for itself. */
  report(project_ref: number, { cpu_used_sec, updated_at }: Project): void {
    this.#statements.report(cpu_used_sec ?? null, updated_at ?? null, project_ref);
  }

  /** Begins to count the use of a project that is read for itself from its creation on, in place of that of a deleted one. */
  restart({ project_ref, cpu, usageReadAt }: CountedProject, project: Project): CpuCounter | undefined {
    const counter = cpu && restart(cpu, project.created_at);
    this.report(project_ref, project);
    const count = { counter, counted: [], isImplausible: false };
    this.#statements.usage(...columnsOf(count), usageReadAt ?? null, null, project_ref);
    return counter;
  }

  /**
   * Counts what the answer for a project itself says of its use; the first time it goes on from there, adding nothing.
   *
   * @param at when it was served, by the service's clock.
   * @returns the counter with this reading; undefined while nothing was ever counted.
   */
  countUsage(before: UsedProject, usage: CountedUsage, at: number): CpuCounter | undefined {
    const { project_ref, created_at, cpu, usageReadAt } = before;
    const { compute_time_seconds: sec, consumption_period_start } = usage;
    const isOwn = usageReadAt !== undefined;
    const periodStartAt = isToCome(consumption_period_start, at) ? undefined : consumption_period_start;
    const value = { sec, at, believedAt: this.#believedAt(before, created_at, at), periodStartAt };
    const counted = { counter: cpu, isOwn, periodStartAt: before.periodStartAt };
    const count = countUsage(counted, value, this.#limits(project_ref, created_at, at));
    const startAt =
      (isOfPeriodBefore(before, value) ? undefined : periodStartAt) ?? before.periodStartAt ?? null;
    this.#statements.usage(...columnsOf(count), Math.max(at, usageReadAt ?? at), startAt, project_ref);
    if (!isOwn) this.#statements.change(project_ref, at, 'project');
    return this.#enter(before, count, { id: before.project_id, sec, at });
  }

  /**
   * Goes on from what another account last read of a project that moved from there, which adds nothing.
   *
   * @param source where that was read, as a project has it.
   */
  takeOver(
    before: CountedProject,
    value: CpuValue,
    { usageReadAt, periodStartAt }: Pick<UsedProject, 'usageReadAt' | 'periodStartAt'>,
  ): CountedProject {
    const { project_ref, cpu } = before;
    const count = rebase(cpu ?? { totalSec: 0, resets: 0 }, value);
    this.#statements.usage(...columnsOf(count), usageReadAt ?? null, periodStartAt ?? null, project_ref);
    if (usageReadAt !== undefined) this.#statements.change(project_ref, value.at, 'project');
    this.#samples.noteRead(project_ref, value.at);
    for (const counted of count.counted) this.#samples.write(project_ref, counted, cpu === undefined);
    return { ...before, cpu: count.counter, usageReadAt };
  }

  /** Goes on from `cpu_used_sec` of the list, which adds nothing; once the list tells it again. */
  returnToList(before: CountedProject, project: Project, at: number): CpuCounter | undefined {
    const { project_ref, cpu } = before;
    const { project_id: id, cpu_used_sec: sec, created_at } = project;
    this.report(project_ref, project);
    const goesOn = cpu !== undefined && isCpuTime(sec);
    const count: CpuCount = goesOn
      ? rebase(cpu, { sec, at, believedAt: this.#believedAt(before, created_at, at) })
      : { counter: cpu, counted: [], isImplausible: false };
    this.#statements.usage(...columnsOf(count), null, null, project_ref);
    this.#statements.change(project_ref, at, 'list');
    return this.#enter(before, count, { id, sec, at });
  }

  /** Writes what a reading added: to the sum of the account, and as samples. */
  #enter(
    { account_ref, project_ref, cpu }: CountedProject,
    { counter, counted, isImplausible }: CpuCount,
    { id, sec, at }: { readonly id: string; readonly sec: number | undefined; readonly at: number },
  ): CpuCounter | undefined {
    if (isImplausible && sec !== undefined) {
      this.#implausible.note(account_ref, { field: 'cpu_used_sec', id, value: sec });
    }
    if (counter !== undefined && counter.totalSec !== cpu?.totalSec) {
      // The growth in brackets: fractions added to the sum first would round it below what it was.
      this.#grownSec = (this.#grownSec ?? 0) + (counter.totalSec - (cpu?.totalSec ?? 0));
    }
    let resetsBefore = cpu?.resets;
    for (const value of counted) {
      this.#samples.write(project_ref, value, value.counter.resets !== resetsBefore);
      resetsBefore = value.counter.resets;
    }
    if (!isImplausible && counter?.doubt?.held === undefined) this.#samples.noteRead(project_ref, at);
    return counter;
  }

  #count(before: CountedProject, { cpu_used_sec: sec, created_at }: Project, at: number): CpuCount {
    const { project_ref, isOver } = before;
    const cpu = before.cpu && isOver ? restart(before.cpu, created_at) : before.cpu;
    if (sec === undefined) return { counter: cpu, counted: [], isImplausible: false };
    if (!isCpuTime(sec)) return { counter: cpu, counted: [], isImplausible: true };
    const believedAt = this.#believedAt(before, created_at, at);
    return countCpu(cpu, { sec, at, believedAt }, this.#limits(project_ref, created_at, at));
  }

  /** When a value was last read that was believed; of the first one, since when it can have been used. */
  #believedAt({ project_ref, cpu }: CountedProject, created_at: number | undefined, at: number): number {
    const begunAt = bornAt(created_at, at);
    if (cpu === undefined) return begunAt ?? at;
    const readAt = this.#samples.lastReadAt(project_ref) ?? cpu.lastAt;
    return Math.max(readAt, begunAt ?? readAt);
  }

  #limits(project_ref: number, created_at: number | undefined, at: number): CpuLimits {
    return {
      bornAt: bornAt(created_at, at) ?? at - longestCountMs,
      mostCu: () => this.#mostCu(project_ref),
    };
  }

  /** Begins to add up: what was counted of a reading that was not written counts for nothing. */
  begin(): void {
    this.#grownSec = undefined;
  }

  /** Adds to the total of an account what was counted of its projects since the beginning. */
  addUp(account_ref: number): void {
    if (this.#grownSec !== undefined) this.#statements.grow(this.#grownSec, account_ref);
  }
}

/** Since when a project can have used what is read at an instant; undefined where its creation does not tell. */
function bornAt(created_at: number | undefined, at: number): number | undefined {
  if (created_at === undefined || created_at > at) return undefined;
  return Math.max(created_at, at - longestCountMs);
}

/** The columns of a counter, in the order of the statements above. */
function columnsOf({ counter }: CpuCount): (number | string | null)[] {
  const { lastSec = null, lastAt = null, totalSec = null, resets = 0, doubt } = counter ?? {};
  return [lastSec, lastAt, totalSec, resets, doubt === undefined ? null : JSON.stringify(doubt)];
}

/** Live services have shown a missing value; a negative or an astronomical one is no time used either. */
function isCpuTime(reportedSec: number | undefined): reportedSec is number {
  return reportedSec !== undefined && reportedSec >= 0 && reportedSec <= Number.MAX_SAFE_INTEGER;
}
