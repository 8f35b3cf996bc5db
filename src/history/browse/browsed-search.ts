import type { Database } from 'better-sqlite3';
import { type OwnerAxis, ownerAxes } from '../../resources/grouping.ts';
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

function wantedOf(text: string, most: number): Wanted {
  return { part: `%${text.replaceAll(/[!%_]/g, '!$&')}%`, lower: text.toLowerCase(), most };
}

/** Ids of operations are looked up in each project, so only what begins as one does. */
const operationStart = /^[\da-f]{8}(-|$)/i;

/** Whole matches come before beginnings, those before the rest, and what is gone after what is there. */
function findIn(columns: string, tables: string, id: string, name: string, gone: string): string {
  const has = (column: string) => `${column} LIKE @part ESCAPE '!'`;
  return `SELECT ${columns}, ${gone} IS NOT NULL AS is_gone FROM ${tables}
    WHERE ${has(id)} OR ${has(name)}
    ORDER BY ${gone} IS NOT NULL, CASE WHEN @lower IN (lower(${id}), lower(${name})) THEN 0
      WHEN instr(lower(${id}), @lower) = 1 OR instr(lower(${name}), @lower) = 1 THEN 1 ELSE 2 END,
      coalesce(${name}, ${id}), ${id} LIMIT @most`;
}

const inProject = 'account, project_id, project_name';

/** Branches as they were listed, and the ones that endpoints tell of, not more than are soon sorted: an account may list none. */
const branches = `(SELECT project_ref, branch_id, branch_name, NULL AS left_at FROM branch
  UNION ALL SELECT project_ref, branch_id, NULL, iif(count(*) = count(gone_at), max(gone_at), NULL)
    FROM (SELECT project_ref, branch_id, gone_at FROM endpoint WHERE branch_id LIKE @part ESCAPE '!' LIMIT 1000) AS endpoint
    WHERE NOT EXISTS (SELECT 1 FROM branch
      WHERE branch.project_ref = endpoint.project_ref AND branch.branch_id = endpoint.branch_id)
    GROUP BY project_ref, branch_id) AS known`;

/** Whose a project is, as groups by owner have it. */
const owners: Readonly<Record<OwnerAxis, string>> = {
  owner: 'coalesce(org_name, org_id, owner_id)',
  organisation: 'coalesce(org_name, org_id)',
};

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
    `${branches} ${ofProject}`,
    'branch_id',
    'branch_name',
    'coalesce(left_at, project.gone_at)',
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
  const ownersBy = Object.fromEntries(
    ownerAxes.map(axis => [
      axis,
      statementsOf(database).values<[Wanted], string>`SELECT DISTINCT ${owners[axis]} AS owner FROM project
        WHERE owner LIKE @part ESCAPE '!' ORDER BY lower(owner) <> @lower, owner LIMIT @most`,
    ]),
  );
  return {
    /** The names of the owners of projects that have a text in them, the whole one first. */
    owners: (by: OwnerAxis, text: string, most: number): readonly string[] =>
      ownersBy[by]?.(wantedOf(text, most)) ?? [],
    /**
     * @param most of each kind.
     * @returns what fits best first, kind by kind; no keys of a shard that does not read them.
     */
    find(text: string, most: number): readonly FoundThing[] {
      const wanted = wantedOf(text, most);
      return all.flatMap(([kind, search]) => {
        const isLeftOut =
          (kind === 'key' && !hasReadKeys(database)) || (kind === 'operation' && !operationStart.test(text));
        return isLeftOut ? [] : search(wanted);
      });
    },
  };
}
