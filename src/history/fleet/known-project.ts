import type { MatchedProject } from '../../resources/project-match.ts';
import { lookUp } from '../file/reader.ts';

/**
 * All projects a history knows, also those that are gone; none where there is no history yet.
 *
 * @throws HistoryError when the file cannot be read as a history.
 */
export function readKnownProjects(file: string): readonly MatchedProject[] {
  const rows = lookUp(file, database => database.prepare<[], Row>(knownQuery).all()) ?? [];
  return rows.map(({ account, project_id, ...row }) => {
    const texts = matchedColumns.map(column => [column, row[column] ?? undefined] as const);
    return { account, project_id, ...Object.fromEntries(texts) };
  });
}

const matchedColumns = [
  'project_name',
  'region_id',
  'platform_id',
  'owner_id',
  'org_id',
  'org_name',
] as const satisfies readonly (keyof MatchedProject)[];

/** One of an older history may lack columns. */
type Row = Readonly<Record<'account' | 'project_id', string>> &
  Readonly<Partial<Record<(typeof matchedColumns)[number], string | null>>>;

const knownQuery = `
  SELECT account, project.*
  FROM project JOIN account USING (account_ref)
  ORDER BY project_ref`;
