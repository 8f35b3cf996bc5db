import type { Database } from 'better-sqlite3';
import { dayMs } from '../../resources/duration.ts';
import { compact } from '../../resources/field.ts';
import { createProjectFilter, type ProjectGlobs } from '../../resources/project-filter.ts';
import type { CpuSource } from '../../resources/project-usage.ts';
import { lookUp } from '../file/reader.ts';
import { type RowOf, statementsOf } from '../file/statement.ts';

/** How large the fleet of an account was when it was last read. */
export interface KnownFleet {
  readonly projects: number;
  readonly endpoints: number;
  /** Projects with an endpoint awake or an operation that has not ended. */
  readonly busyProjects: number;
  readonly apiKeys: number;
  /** Over the last week that operations are known of, or over the days that are known; 0 while none are. */
  readonly operationsPerDay: number;
  /** Where the compute of its projects is read; absent while that is their list. */
  readonly cpuSource?: CpuSource;
  /** Whether the service's own meter was read. */
  readonly isMetered?: boolean;
}

/** Ids of projects by account. */
export type CountedProjects = Map<string, Set<string>>;

/**
 * Sizes of the fleets a history knows, by account; also while a daemon writes it, which is not disturbed, and no file
 * is left behind.
 *
 * @param projects globs of the watched projects by account; the others do not count. All by default.
 * @param counted projects of other histories, which do not count again; the ones that count here are added.
 * @returns no account where there is no history yet; accounts whose list was never read are left out.
 * @throws HistoryError when the file cannot be read as a history.
 */
export function readKnownFleets(
  file: string,
  projects: ReadonlyMap<string, ProjectGlobs> = new Map(),
  counted: CountedProjects = new Map(),
): ReadonlyMap<string, KnownFleet> {
  const rows = lookUp(file, database => {
    defineCounting(database, projects, counted);
    const found = statementsOf(database).all<[], Row>`${fleetQuery}`();
    addCounted(database, counted);
    return found;
  });
  return new Map(
    rows?.map(({ account, isMetered, ...fleet }) => [
      account,
      { ...compact(fleet), ...(isMetered === 1 && { isMetered: true }) },
    ]),
  );
}

type Row = RowOf<Omit<KnownFleet, 'isMetered'>> & { readonly account: string; readonly isMetered: 0 | 1 };

/** Lets queries ask `counts(account, project_id, project_name)`. */
function defineCounting(
  database: Database,
  projects: ReadonlyMap<string, ProjectGlobs>,
  counted: CountedProjects,
): void {
  const filters = new Map([...projects].map(([account, globs]) => [account, createProjectFilter(globs)]));
  database.function('counts', (account: string, project_id: string, project_name: string | null) => {
    const isWatched = filters.get(account) ?? (() => true);
    const isNew = counted.get(account)?.has(project_id) !== true;
    return Number(isNew && isWatched(compact({ project_id, project_name })));
  });
}

/** A project that was moved, or a history beside its backup, is in several files. */
function addCounted(database: Database, counted: CountedProjects): void {
  const rows = statementsOf(database).tuples<[], readonly [account: string, project_id: string]>`
    SELECT account, project_id ${presentProjects}`();
  for (const [account, project_id] of rows) {
    const own = counted.get(account) ?? new Set();
    counted.set(account, own.add(project_id));
  }
}

const presentProjects = `FROM project JOIN account USING (account_ref)
    WHERE gone_at IS NULL AND counts(account, project_id, project_name)`;

const fleetQuery = `
  WITH present AS (
    SELECT account_ref, project_ref ${presentProjects}
  ), shown AS (
    SELECT account_ref, project_ref,
      pending_state IS NOT NULL OR coalesce(current_state, '') NOT IN ('idle', 'stopped') AS awake
    FROM present JOIN endpoint USING (project_ref)
    WHERE gone_at IS NULL AND first_seen_at IS NOT NULL
  ), busy AS (
    SELECT account_ref, project_ref FROM shown WHERE awake
    UNION
    SELECT account_ref, project_ref FROM present JOIN operation USING (project_ref) WHERE phase = 'open'
  ), span AS (
    SELECT account_ref,
      min((SELECT min(created_at) FROM operation WHERE project_ref = present.project_ref)) AS first_at,
      max((SELECT max(created_at) FROM operation WHERE project_ref = present.project_ref)) AS last_at
    FROM present
    GROUP BY account_ref
  )
  SELECT account, cpu_source AS cpuSource,
    EXISTS (SELECT 1 FROM meter_pass
      WHERE meter_pass.account_ref = account.account_ref AND read_at IS NOT NULL) AS isMetered,
    (SELECT count(*) FROM present WHERE account_ref = account.account_ref) AS projects,
    (SELECT count(*) FROM shown WHERE account_ref = account.account_ref) AS endpoints,
    (SELECT count(*) FROM busy WHERE account_ref = account.account_ref) AS busyProjects,
    (SELECT count(*) FROM api_key WHERE account_ref = account.account_ref AND gone_at IS NULL) AS apiKeys,
    coalesce((
      SELECT count(*) * ${dayMs}.0 / min(${7 * dayMs}, max(${dayMs}, last_at - first_at))
      FROM span JOIN present USING (account_ref) JOIN operation USING (project_ref)
      WHERE account_ref = account.account_ref AND created_at > last_at - ${7 * dayMs}
    ), 0) AS operationsPerDay
  FROM account
  WHERE projects_listed_at IS NOT NULL OR projects > 0
  ORDER BY account_ref`;
