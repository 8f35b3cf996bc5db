/** The kinds of things read from the service; each succeeds or fails on its own. */
export const collectors = ['projects', 'endpoints', 'operations', 'api_keys'] as const;
export type Collector = (typeof collectors)[number];
