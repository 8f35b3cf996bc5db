import { openScratch } from '../../../history/file/scratch.ts';
import type { Grouping } from '../../../resources/grouping.ts';
import { sortText } from '../../keyset.ts';
import type { FleetRow } from './fleet-row.ts';

const fields: Readonly<Record<keyof FleetRow, 'TEXT' | 'INTEGER'>> = {
  account: 'TEXT',
  project_id: 'TEXT',
  project_name: 'TEXT',
  region_id: 'TEXT',
  groups: 'TEXT',
  state: 'TEXT',
  endpoints: 'INTEGER',
  endpoints_active: 'INTEGER',
  compute_hours: 'TEXT',
  cost: 'TEXT',
  cost_missing: 'TEXT',
  cost_forecast: 'TEXT',
  starts: 'INTEGER',
  failures: 'INTEGER',
  findings: 'INTEGER',
  findings_compute_hours_per_month: 'TEXT',
  findings_cost_per_month: 'TEXT',
  findings_most_compute_hours_per_month: 'TEXT',
  findings_most_cost_per_month: 'TEXT',
  lastActiveAt: 'INTEGER',
  createdAt: 'INTEGER',
  goneAt: 'INTEGER',
};
/** The columns of a row; its groups are JSON. */
export const rowColumns = Object.keys(fields);
/** The texts that projects are sorted and looked for by. */
const keys = [
  'by_id',
  'by_name',
  'by_region',
  'by_groups',
  'by_open_groups',
  'lower_id',
  'lower_name',
] as const;

/** Projects in a table of SQLite, to be read in another thread. */
export interface ProjectTable {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Each value once. */
  readonly accounts: readonly string[];
  readonly regions: readonly string[];
  readonly groups: readonly { readonly grouping: string; readonly name: string }[];
}

/** Writes projects one after the other, and keeps none of them but in the table. */
export function writeProjects(rows: Iterable<FleetRow>, groupings: readonly Grouping[]): ProjectTable {
  const database = openScratch();
  try {
    const typed = Object.entries(fields).map(([name, type]) => `${name} ${type}`);
    database.exec(`CREATE TABLE project (${[...typed, ...keys]})`);
    const values = [...rowColumns, ...keys].map(name => `@${name}`);
    const insert = database.prepare(`INSERT INTO project VALUES (${values})`);
    const open = groupings.filter(({ by }) => by !== 'owner').map(({ name }) => name);
    database.transaction(() => {
      for (const row of rows)
        insert.run({ ...row, groups: JSON.stringify(row.groups), ...keysOf(row, open) });
    })();
    const list = (sql: string) => database.prepare<[], string>(sql).pluck().all();
    return {
      bytes: new Uint8Array(database.serialize()),
      accounts: list('SELECT DISTINCT account FROM project'),
      regions: list("SELECT DISTINCT region_id FROM project WHERE region_id <> ''"),
      groups: database
        .prepare<[], { grouping: string; name: string }>(
          'SELECT DISTINCT key AS grouping, value AS name FROM project, json_each(groups)',
        )
        .all(),
    };
  } finally {
    database.close();
  }
}

function keysOf(
  { project_id, project_name, region_id, groups }: FleetRow,
  open: readonly string[],
): Readonly<Record<(typeof keys)[number], string | null>> {
  return {
    by_id: sortText(project_id),
    by_name: sortText(project_name || project_id),
    by_region: region_id === null ? null : sortText(region_id),
    by_groups: sortText(Object.values(groups).join(' ')),
    // For readers who may not see who people are.
    by_open_groups: sortText(open.map(name => groups[name]).join(' ')),
    lower_id: project_id.toLowerCase(),
    lower_name: (project_name ?? '').toLowerCase(),
  };
}
