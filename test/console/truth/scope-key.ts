/** Columns that tell the rows of a report of costs apart, by its axis. */
export const scopeKeys = {
  group: ['group'],
  project: ['account', 'project_id'],
  region: ['region_id'],
  account: ['account'],
  line: ['account', 'line', 'plan', 'price'],
} as const;
