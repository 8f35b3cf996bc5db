/** The history file cannot be used, or a reading could not be written; the message says what to do. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError';
}
