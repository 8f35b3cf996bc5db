import type { Database } from 'better-sqlite3';
import type { MatchedProject } from '../../resources/project-match.ts';

type MatchRow = { readonly [Key in keyof MatchedProject]-?: MatchedProject[Key] | null };

/** Reads the properties of projects that groups look at. */
export class BrowsedMatches {
  readonly #project;

  constructor(database: Database) {
    this.#project = database.prepare<[string, string], MatchRow>(
      `SELECT account, project_id, project_name, region_id, platform_id, owner_id, org_id, org_name
       FROM project JOIN account USING (account_ref) WHERE account = ? AND project_id = ?`,
    );
  }

  /** @returns no more than its account and id for a project that was never listed. */
  find(account: string, project_id: string): MatchedProject {
    const row = this.#project.get(account, project_id);
    const known = Object.entries(row ?? {}).filter(([, value]) => value !== null);
    return { ...Object.fromEntries(known), account, project_id };
  }
}
