import { dayMs } from '../resources/duration.ts';

/**
 * What cannot be read of the past does not hold up an account for longer: operations of projects, or what a service that
 * cannot tell months, days or hours has metered.
 */
export const longestImportMs = dayMs;

/**
 * SQL that is true for an account whose operations are still being imported for the first time. Before its first list is complete
 * it may have many more projects.
 */
export const isFirstImport = `imported_at IS NULL AND coalesce(projects_listed_at -
  (SELECT min(first_seen_at) FROM project WHERE project.account_ref = account.account_ref), 0) < ${longestImportMs}`;
