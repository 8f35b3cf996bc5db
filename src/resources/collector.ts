/** The kinds of things read from the service; each succeeds or fails on its own. */
export const collectors = ['projects', 'endpoints', 'operations', 'api_keys'] as const;
/** Collectors of resources that each project has a list of: see `ProjectPart`. */
export const partCollectors = ['branches'] as const;
/** Collectors that not every service offers: each has a setting of its own. */
export const optionalCollectors = ['consumption', ...partCollectors] as const;
export type PartCollector = (typeof partCollectors)[number];
export type Collector = (typeof collectors)[number] | (typeof optionalCollectors)[number];

/** The lists of a whole account: they alone say whether it is up, and whether its key is accepted. */
export const accountLists: readonly Collector[] = ['projects', 'api_keys'];
