import { openScratch } from '../../../history/file/scratch.ts';
import type { Grouping } from '../../../resources/grouping.ts';
import { sortText } from '../../keyset.ts';
import { type FleetRow, projectFields } from './fleet-answer.ts';

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
    const columns = [...projectFields, ...keys];
    database.exec(`CREATE TABLE project (${columns})`);
    const insert = database.prepare(`INSERT INTO project VALUES (${columns.map(name => `@${name}`)})`);
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
