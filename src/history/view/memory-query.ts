import type { AccountQuery } from './account-query.ts';
import type { KeyQuery } from './key-query.ts';
import type { ProjectQuery } from './project-query.ts';

/** The queries that what is remembered of an account is read with. */
export interface MemoryQueries {
  readonly account: AccountQuery;
  readonly projects: ProjectQuery;
  readonly keys: KeyQuery;
}
