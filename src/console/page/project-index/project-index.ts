import type { BrowsedHistory, HistoryBrowser } from '../../../history/browse/history-browser.ts';
import { openScratch } from '../../../history/file/scratch.ts';
import type { AccountStanding } from '../../../report/standing.ts';
import type { Grouping } from '../../../resources/grouping.ts';
import type { ConsoleConfig } from '../../console-config.ts';
import { sortText } from '../../keyset.ts';
import { joinProjects } from './joined-project.ts';
import {
  describeFigures,
  type FigureLook,
  type FigureName,
  type FiguresSaid,
  figuresOf,
} from './project-figure.ts';
import { type ProjectAnswer, projectFields } from './projects-answer.ts';

/** Projects in a table of SQLite, to be read in another thread. */
export interface ProjectTable {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Each value once. */
  readonly accounts: readonly string[];
  readonly regions: readonly string[];
  readonly groups: readonly { readonly grouping: string; readonly name: string }[];
}

/** All projects that were ever listed, with what is said of their figures. */
export interface ProjectIndex {
  readonly table: ProjectTable;
  readonly said: FiguresSaid;
  /** The accounts that figures rest on. */
  readonly accounts: readonly AccountStanding[];
  /** Figures that are still being worked out. */
  readonly pending: readonly FigureName[];
  readonly failed: FigureLook['failed'];
}

/**
 * Writes all projects with their figures. A figure that is not ready is null.
 *
 * @param look undefined before the first.
 */
export function indexProjects(
  history: Pick<HistoryBrowser, 'look'>,
  config: Pick<ConsoleConfig, 'groupings' | 'pricing'>,
  look: FigureLook | undefined,
): ProjectIndex {
  const { groupings } = config;
  const write = (known?: BrowsedHistory) =>
    writeProjects(known ? joinProjects(known, look?.reports ?? {}, groupings) : [], groupings);
  return {
    table: history.look(write) ?? write(),
    said: describeFigures(look),
    accounts: look?.accounts ?? [],
    pending: look === undefined ? figuresOf(config) : [],
    failed: look?.failed ?? [],
  };
}

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

/** Writes projects one after the other, and keeps none of them but in the table. */
export function writeProjects(rows: Iterable<ProjectAnswer>, groupings: readonly Grouping[]): ProjectTable {
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
  { project_id, project_name, region_id, groups }: ProjectAnswer,
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
