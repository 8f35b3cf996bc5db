import type { Database } from 'better-sqlite3';

/** Counters that begin anew, as what they went on from is lost. */
export interface BegunAnew {
  readonly metrics: readonly string[];
  /**
   * What they are of: accounts, or projects with their account before them, `main/shy-block-12345`. Empty where all that
   * could name it is lost.
   */
  readonly of: readonly string[];
}

/** SQL that is true for what a reference stands for where rows of a table about it are lost. */
export function isLost(table: string, ref: string): string {
  return `EXISTS (SELECT 1 FROM lost WHERE tbl = '${table}'
    AND ${ref} >= coalesce(first_ref, ${ref}) AND ${ref} <= coalesce(last_ref, ${ref}))`;
}

/** SQL that is true where rows of a table are lost at all. */
export function isAnyLost(table: string): string {
  return `EXISTS (SELECT 1 FROM lost WHERE tbl = '${table}')`;
}

/** SQL that is true for what was made again from an index. */
export function isRebuilt(table: string, ref: string): string {
  return `EXISTS (SELECT 1 FROM rebuilt WHERE tbl = '${table}' AND ref = ${ref})`;
}

/** Lists the counters that begin anew; each project or account once for a metric. */
export class BegunAnewList {
  readonly #database: Database;
  readonly #of = new Map<string, Set<string>>();
  readonly #unknown = new Set<string>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** @param condition SQL on `account`. */
  addAccounts(metric: string, condition: string): void {
    this.add(metric, `SELECT account FROM account WHERE ${condition} ORDER BY account_ref`);
  }

  /** @param condition SQL on `project`. */
  addProjects(metric: string, condition: string): void {
    this.add(
      metric,
      `SELECT (SELECT account FROM account WHERE account.account_ref = project.account_ref) || '/' || project_id
       FROM project WHERE ${condition} ORDER BY project_ref`,
    );
  }

  /** @param query SQL that gives the names of what begins anew. */
  add(metric: string, query: string): void {
    const found = this.#database.prepare<[], string>(query).pluck().all();
    if (found.length === 0) return;
    const of = this.#of.get(metric) ?? new Set<string>();
    for (const name of found) of.add(name);
    this.#of.set(metric, of);
  }

  /** @param table one of which rows, and the index that names them, are lost. */
  addUnknown(metrics: readonly string[], table: string): void {
    const isUnknown = `${isAnyLost(table)} AND ${isAnyLost(`sqlite_autoindex_${table}_1`)}`;
    if (this.#database.prepare(`SELECT 1 WHERE ${isUnknown}`).get() === undefined) return;
    for (const metric of metrics) this.#unknown.add(metric);
  }

  /** Metrics that begin anew for the same ones are told together. */
  list(): readonly BegunAnew[] {
    const grouped = Map.groupBy(this.#of, ([, of]) => JSON.stringify([...of]));
    const known = [...grouped.values()].map(entries => ({
      metrics: entries.map(([metric]) => metric).sort(),
      of: [...(entries[0]?.[1] ?? [])],
    }));
    return this.#unknown.size === 0 ? known : [...known, { metrics: [...this.#unknown].sort(), of: [] }];
  }
}
