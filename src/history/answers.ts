/** The answers of a query, from one file or from several. */
export type Answers<Query, Names extends keyof Query = keyof Query> = Pick<Query, Names>;
