import type { MatchedProject } from '../../resources/project-match.ts';
import { lookUp } from '../file/look-up.ts';

/**
 * All projects a history knows, also those that are gone; none where there is no history yet.
 *
 * @throws HistoryError when the file cannot be read as a history.
 */
export function readKnownProjects(file: string): readonly MatchedProject[] {
  const rows = lookUp(file, database => database.prepare<[], Row>(knownQuery).all()) ?? [];
  return rows.map(({ project_name, region_id, platform_id, ...project }) => ({
    ...project,
    project_name: project_name ?? undefined,
    region_id: region_id ?? undefined,
    platform_id: platform_id ?? undefined,
  }));
}

interface Row {
  readonly account: string;
  readonly project_id: string;
  readonly project_name: string | null;
  readonly region_id: string | null;
  readonly platform_id: string | null;
}

const knownQuery = `
  SELECT account, project_id, project_name, region_id, platform_id
  FROM project JOIN account USING (account_ref)
  ORDER BY project_ref`;
