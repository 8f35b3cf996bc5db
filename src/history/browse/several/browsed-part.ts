import type { Database } from 'better-sqlite3';
import { type ProjectLife, readProjectLives } from '../../merge/project-life.ts';
import { type BrowsedHistory, browse } from '../history-browser.ts';

/** A project of one of several histories. */
export interface PartProject {
  readonly project_ref: number;
  readonly account: string;
  readonly project_id: string;
}

/** An endpoint of one of several histories. */
export interface PartEndpoint {
  readonly endpoint_ref: number;
  readonly project_ref: number;
  readonly endpoint_id: string;
  /** Until when its states are known; absent while none was read. */
  readonly known_until: number | null;
}

/** One of several histories that are looked at as one. */
export interface BrowsedPart {
  readonly file: string;
  readonly history: BrowsedHistory;
  /** Tells whether there are other projects than before. */
  lastProject(): number;
  projects(): readonly PartProject[];
  lives(): ReadonlyMap<number, readonly ProjectLife[]>;
  /** An endpoint by its number; undefined where there is none. */
  endpoint(endpoint_ref: number): PartEndpoint | undefined;
  endpointOf(project_ref: number, endpoint_id: string): PartEndpoint | undefined;
  /** The first reading of a project of an account besides some; undefined where there is none. */
  beginOf(account: string, except: readonly number[]): number | undefined;
}

export function browsePart(file: string, database: Database): BrowsedPart {
  const last = database.prepare<[], number>('SELECT coalesce(max(project_ref), 0) FROM project').pluck();
  const projects = database.prepare<[], PartProject>(
    'SELECT project_ref, account, project_id FROM project JOIN account USING (account_ref)',
  );
  const begin = database
    .prepare<[string, string], number | null>(
      `SELECT min(first_seen_at) FROM project JOIN account USING (account_ref)
       WHERE account = ? AND project_ref NOT IN (SELECT value FROM json_each(?))`,
    )
    .pluck();
  const endpoint =
    'SELECT endpoint_ref, project_ref, endpoint_id, ledger_until_at AS known_until FROM endpoint';
  const byRef = database.prepare<[number], PartEndpoint>(`${endpoint} WHERE endpoint_ref = ?`);
  const byId = database.prepare<[number, string], PartEndpoint>(
    `${endpoint} WHERE project_ref = ? AND endpoint_id = ?`,
  );
  return {
    file,
    endpoint: ref => byRef.get(ref),
    endpointOf: (project_ref, endpoint_id) => byId.get(project_ref, endpoint_id),
    history: browse(database),
    lastProject: () => last.get() ?? 0,
    projects: () => projects.all(),
    lives: () => readProjectLives(database),
    beginOf: (account, except) => begin.get(account, JSON.stringify(except)) ?? undefined,
  };
}
