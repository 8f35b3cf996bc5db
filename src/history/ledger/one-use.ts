/** Busy endpoints are read about once a minute: uses that lie closer together than this count as one. */
const longestPauseMs = 90_000;

/** Whether a use goes on, or the next one begins so soon that it counts as the same. */
export function isOneUse(usedUntilAt: number, usedFromAt: number): boolean {
  return usedFromAt - usedUntilAt <= longestPauseMs;
}
