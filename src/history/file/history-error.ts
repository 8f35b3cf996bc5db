/** The history cannot be used, or something could not be written to it; the message says what to do. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError';

  /** Code of the cause as SQLite or the system has it, such as `SQLITE_FULL` or `EACCES`. */
  get code(): string | undefined {
    const { cause } = this;
    return cause instanceof Error && 'code' in cause && typeof cause.code === 'string'
      ? cause.code
      : undefined;
  }
}

/** The message of a cause, for that of a HistoryError. */
export function describeCause(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
