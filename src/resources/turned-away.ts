/** Reasons why somebody was not served to the end: the closed set that is the `reason` label. */
export const turnedAwayReasons = [
  // An idle connection was closed, or a slow one, as there was no room for a new one.
  'connection_replaced',
  // A new connection was closed, as all others were being answered.
  'connection_refused',
  // 503: too many answers with the page were under way.
  'too_many_answers',
  // An answer was cut off that its reader took too long for.
  'too_slow',
] as const;

export type TurnedAwayReason = (typeof turnedAwayReasons)[number];
