import type { Database } from 'better-sqlite3';
import { compact } from '../../resources/field.ts';
import type { MatchedProject } from '../../resources/project-match.ts';
import { lookUp } from '../file/reader.ts';
import { type RowOf, statementsOf } from '../file/statement.ts';

type Row = RowOf<MatchedProject>;

const known = `SELECT account, project_id, project_name, region_id, platform_id, owner_id, org_id, org_name
  FROM project JOIN account USING (account_ref)`;

/**
 * All projects a history knows, gone ones too; none where there is no history yet.
 *
 * @throws HistoryError when the file cannot be read as a history.
 */
export function readKnownProjects(file: string): readonly MatchedProject[] {
  const rows = lookUp(file, database =>
    statementsOf(database).all<[], Row>`
    ${known} ORDER BY project_ref`(),
  );
  return (rows ?? []).map(compact);
}

/** Reads the properties of projects that groups look at. */
export function browsedMatches(database: Database) {
  const read = statementsOf(database).one<
    [string, string],
    Row
  >`${known} WHERE account = ? AND project_id = ?`;
  return {
    /** @returns no more than its account and id for a project that was never listed. */
    find(account: string, project_id: string): MatchedProject {
      const row = read(account, project_id);
      return { ...(row && compact(row)), account, project_id };
    },
  };
}
