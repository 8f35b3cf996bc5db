/** What became of a login: the closed set that is the `outcome` label. */
export const loginOutcomes = [
  'ok',
  // No such user, another password, or no login at all in the header.
  'wrong',
  // 429: it gave way to logins of others that waited to be checked.
  'too_many',
] as const;

export type LoginOutcome = (typeof loginOutcomes)[number];
