import { dayMs } from '../resources/duration.ts';

/** Projects whose operations cannot be read do not hold up their account for longer. */
export const longestImportMs = dayMs;

/**
 * SQL that is true for an account whose operations are still being imported for the first time. Before its first list is complete
 * it may have many more projects.
 */
export const isFirstImport = `imported_at IS NULL AND coalesce(projects_listed_at -
  (SELECT min(first_seen_at) FROM project WHERE project.account_ref = account.account_ref), 0) < ${longestImportMs}`;
