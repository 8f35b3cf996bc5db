/**
 * Why a reading failed; `internal` is a fault of ours, whatever the service answered: the closed set that is also the `reason`
 * label and, with `ok`, the `outcome` label.
 */
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
  'bad_request',
  'internal',
] as const;

export type Reason = (typeof reasons)[number];
