import type { Database } from 'better-sqlite3';
import type { InstantRow } from '../../resources/backfill.ts';
import type { Shard } from '../../resources/shard.ts';
import type { MeteredLedger, UseBounds } from '../../resources/usage/ledger.ts';
import { isFirstImport, longestImportMs } from '../first-import.ts';
import { EndpointActivityQuery } from './endpoint-activity-query.ts';
import { openMeteredUsage } from './metered-usage-query.ts';
import { type UnplacedUse, UnplacedUseQuery } from './unplaced-use.ts';
import { UsageQuery } from './usage-query.ts';

/** Reads what projects used as far as it is known when: figures by time leave the use out that is not placed yet. */
export class PlacedUsageQuery extends UsageQuery {
  readonly #query: UnplacedUseQuery;
  #found: ReadonlyMap<number, UnplacedUse> | undefined;
  readonly #importsLeft;
  readonly #firstImport;
  readonly #activity: EndpointActivityQuery;
  /** Absent where the service metered nothing. */
  readonly metered: MeteredLedger | undefined;

  /**
   * @param accounts whose projects there are.
   * @param shard of them only those of a shard.
   */
  constructor(database: Database, accounts: readonly string[], shard?: Shard) {
    super(database, accounts, shard);
    this.#query = new UnplacedUseQuery(database);
    this.#activity = new EndpointActivityQuery(database);
    this.metered = openMeteredUsage(database, accounts);
    this.#importsLeft = database.prepare<[string], number>(importsLeft).pluck();
    this.#firstImport = database.prepare<[string], number>(firstImport).pluck();
  }

  override usedUntil(project_ref: number, at: number): number {
    return this.placed(project_ref, super.usedUntil(project_ref, at));
  }

  override boundsAt(project_ref: number, at: number): UseBounds {
    const { least, most } = super.boundsAt(project_ref, at);
    return { least: this.placed(project_ref, least), most: this.placed(project_ref, most) };
  }

  override *usedAtSteps(project_ref: number, instants: InstantRow): Generator<number> {
    for (const total of super.usedAtSteps(project_ref, instants)) yield this.placed(project_ref, total);
  }

  /** The mean of the bounds of its endpoints, in whole CU-milliseconds. */
  reconstructedUntil(project_ref: number, at: number): number {
    return this.#activity.endpoints(project_ref).reduce((sum, { endpoint_ref }) => {
      const { lower, upper } = this.#activity.computeUntil(endpoint_ref, at);
      return sum + Math.floor((lower + upper) / 2);
    }, 0);
  }

  /** The part of a project's total that is placed, both in CU-milliseconds. */
  placed(project_ref: number, total: number): number {
    return Math.max(0, total - (this.#unplaced.get(project_ref)?.cuMs ?? 0));
  }

  /** The use of a project that is left out; undefined where nothing is. */
  unplacedOf(project_ref: number): UnplacedUse | undefined {
    return this.#unplaced.get(project_ref);
  }

  /** The use of an account's projects that is left out. */
  unplaced(account: string): readonly UnplacedUse[] {
    return [...this.#unplaced.values()].filter(use => use.account === account);
  }

  /** Read when it is first asked for: it takes a look at every project. */
  get #unplaced(): ReadonlyMap<number, UnplacedUse> {
    this.#found ??= new Map(this.#query.all().map(use => [use.project_ref, use]));
    return this.#found;
  }

  /** Number of an account's projects whose operations are not read to their beginning. */
  importsLeft(account: string): number {
    return this.#importsLeft.get(account) ?? 0;
  }

  /**
   * Whether the operations of the projects an account had at first are still being imported, or what the service metered in the
   * past is still being read; each holds up figures for a day at most.
   */
  isImporting(account: string): boolean {
    return this.#firstImport.get(account) !== undefined;
  }
}

// Where figures were shown before there was a meter, they are shown on.
const firstImport = `
  SELECT 1 FROM account LEFT JOIN metered_account USING (account_ref)
  WHERE account = ? AND ((${isFirstImport})
    OR (refused_at IS NULL AND importing_since > projects_listed_at - ${longestImportMs}
      AND coalesce(imported_at, importing_since) >= importing_since))`;

const importsLeft = `
  SELECT count(*) FROM project JOIN account USING (account_ref)
  WHERE account = ? AND gone_at IS NULL AND born_watched = 0
    AND (operations_head_at IS NULL OR operations_tail_cursor IS NOT NULL)`;
