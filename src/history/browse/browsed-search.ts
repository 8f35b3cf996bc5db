import type { Database } from 'better-sqlite3';
import { ofProject } from '../clause.ts';
import { statementsOf } from '../file/statement.ts';
import { hasReadKeys } from '../history-source.ts';

/** Something whose name or id has the text that is looked for. */
export interface FoundThing {
  readonly kind: 'project' | 'endpoint' | 'branch' | 'key' | 'operation';
  readonly account: string;
  /** Null for a key. */
  readonly project_id: string | null;
  readonly project_name: string | null;
  readonly id: string;
  readonly name: string | null;
  /** More on it: a region, an action, a type. */
  readonly detail: string | null;
  /** 1 where the service does not list it any more. */
  readonly is_gone: number;
}

interface Wanted {
  readonly part: string;
  readonly lower: string;
  readonly most: number;
}

/** Ids of operations are looked up in each project, so only what begins as one does. */
const operationStart = /^[\da-f]{8}(-|$)/i;

/** Whole matches come before beginnings, those before the rest, and what is gone after what is there. */
function findIn(columns: string, tables: string, id: string, name = id, gone = 'NULL'): string {
  const has = (column: string) => `${column} LIKE @part ESCAPE '!'`;
  return `SELECT ${columns}, ${gone} IS NOT NULL AS is_gone FROM ${tables}
    WHERE ${has(id)} OR ${has(name)}
    ORDER BY ${gone} IS NOT NULL, CASE WHEN @lower IN (lower(${id}), lower(${name})) THEN 0
      WHEN instr(lower(${id}), @lower) = 1 OR instr(lower(${name}), @lower) = 1 THEN 1 ELSE 2 END,
      coalesce(${name}, ${id}), ${id} LIMIT @most`;
}

const inProject = 'account, project_id, project_name';

const searches: Readonly<Record<FoundThing['kind'], string>> = {
  project: findIn(
    `'project' AS kind, ${inProject}, project_id AS id, project_name AS name, region_id AS detail`,
    'project JOIN account USING (account_ref)',
    'project_id',
    'project_name',
    'gone_at',
  ),
  endpoint: findIn(
    `'endpoint' AS kind, ${inProject}, endpoint_id AS id, NULL AS name, current_state AS detail`,
    `endpoint ${ofProject}`,
    'endpoint_id',
    'endpoint.host',
    'coalesce(endpoint.gone_at, project.gone_at)',
  ),
  branch: findIn(
    `'branch' AS kind, ${inProject}, branch_id AS id, branch_name AS name, NULL AS detail`,
    `branch ${ofProject}`,
    'branch_id',
    'branch_name',
    'project.gone_at',
  ),
  key: findIn(
    `'key' AS kind, account, NULL AS project_id, NULL AS project_name, key_id AS id, key_name AS name, NULL AS detail`,
    'api_key JOIN account USING (account_ref)',
    'key_id',
    'key_name',
    'gone_at',
  ),
  // A seek in each project, as ids are told apart by it.
  operation: `SELECT 'operation' AS kind, ${inProject}, operation_id AS id, NULL AS name, action AS detail, 0 AS is_gone
    FROM project CROSS JOIN operation USING (project_ref) JOIN account USING (account_ref)
    WHERE operation_id >= @lower AND operation_id < @lower || char(1114111) LIMIT @most`,
};

/** Looks everything up by a part of its name or id. */
export function browsedSearch(database: Database) {
  const all = Object.entries(searches).map(
    ([kind, search]) => [kind, statementsOf(database).all<[Wanted], FoundThing>`${search}`] as const,
  );
  return {
    /**
     * @param most of each kind.
     * @returns what fits best first, kind by kind; no keys of a shard that does not read them.
     */
    find(text: string, most: number): readonly FoundThing[] {
      const part = `%${text.replaceAll(/[!%_]/g, '!$&')}%`;
      const wanted = { part, lower: text.toLowerCase(), most };
      return all.flatMap(([kind, search]) => {
        const isLeftOut =
          (kind === 'key' && !hasReadKeys(database)) || (kind === 'operation' && !operationStart.test(text));
        return isLeftOut ? [] : search(wanted);
      });
    },
  };
}
