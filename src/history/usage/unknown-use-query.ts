import type { Database } from 'better-sqlite3';
import { hourMs } from '../../resources/duration.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { SampleSpread } from './sample-spread.ts';

/** Use that nobody can know: it was before the first value of `cpu_used_sec`, or between two and before a reset. */
export interface UnknownUse {
  readonly project_ref: number;
  readonly fromAt: number;
  readonly untilAt: number;
}

/** The beginning of what is known of an account, and the gaps before it was watched; epoch milliseconds. */
export interface AccountBeginning {
  readonly fromAt: number;
  readonly gaps: readonly UnknownUse[];
}

/** A reset in a stretch shorter than this hides hardly anything. */
export const shortestGapMs = hourMs;

/** Reads from the history in which time the use of projects cannot be known. */
export class UnknownUseQuery {
  readonly #spread: SampleSpread;
  readonly #statements;

  constructor(database: Database, spread: SampleSpread) {
    this.#spread = spread;
    this.#statements = prepare(database);
  }

  /** Stretches between two instants in which the use of these projects cannot be known. */
  read(projects: readonly UsageProject[], fromAt: number, untilAt: number): readonly UnknownUse[] {
    return projects.flatMap(({ project_ref }) => this.#find(project_ref, fromAt, untilAt));
  }

  /** Undefined while an account has no projects. */
  beginning(account: string, own: readonly UsageProject[]): AccountBeginning | undefined {
    const first = this.#first(account, own);
    return first && { fromAt: first.fromAt, gaps: this.read(first.possible, 0, first.seenAt) };
  }

  /** The instant from which on the use of all projects of an account is known; undefined while there are none. */
  knownFrom(account: string, own: readonly UsageProject[]): number | undefined {
    const first = this.#first(account, own);
    return first?.possible.reduce((latest, { project_ref }) => {
      const later = this.#find(project_ref, 0, first.seenAt, latest);
      return later.reduce((last, { untilAt }) => Math.max(last, untilAt), latest);
    }, first.fromAt);
  }

  /** When projects of an account were first there and seen, and those with use that may have been before. */
  #first(account: string, own: readonly UsageProject[]) {
    const seenAt = this.#statements.firstSeenAt.get(account) ?? undefined;
    if (seenAt === undefined) return undefined;
    const fromAt = own.reduce((least, { created_at = seenAt }) => Math.min(least, created_at), seenAt);
    const counted = new Set(this.#statements.countedFrom.all(seenAt));
    return { seenAt, fromAt, possible: own.filter(({ project_ref }) => counted.has(project_ref)) };
  }

  /** @param afterAt those that end by then may be left out. */
  #find(project_ref: number, fromAt: number, untilAt: number, afterAt?: number): readonly UnknownUse[] {
    return this.#spread
      .resets(project_ref, fromAt, untilAt, afterAt)
      .filter(gap => gap.untilAt - gap.fromAt > shortestGapMs)
      .filter(gap => gap.fromAt < untilAt && gap.untilAt > fromAt)
      .map(gap => ({ project_ref, fromAt: gap.fromAt, untilAt: gap.untilAt }));
  }
}

function prepare(database: Database) {
  return {
    firstSeenAt: database
      .prepare<[string], number | null>(
        'SELECT min(first_seen_at) FROM project JOIN account USING (account_ref) WHERE account = ?',
      )
      .pluck(),
    // Most projects were first counted later.
    countedFrom: database
      .prepare<[number], number>(
        `SELECT DISTINCT project_ref FROM cpu_count_start JOIN cpu_sample USING (project_ref, at)
         WHERE coalesce(after_at, 0) < ?`,
      )
      .pluck(),
  };
}
