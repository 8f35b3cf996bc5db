/** Why a reading failed: the closed set that is also the `reason` label and, with `ok`, the `outcome` label. */
export const reasons = [
  'unauthorized',
  'forbidden',
  'not_found',
  'rate_limited',
  'locked',
  'unavailable',
  'timeout',
  'network',
  'malformed',
  'too_large',
] as const;

export type Reason = (typeof reasons)[number];
