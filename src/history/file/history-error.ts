/** The history file cannot be used, or a reading could not be written; the message says what to do. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError';
}

/** What went wrong underneath, for the message of a HistoryError. */
export function describeCause(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
