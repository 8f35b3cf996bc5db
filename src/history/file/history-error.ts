/** The history cannot be used, or something could not be written to it; the message says what to do. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError';

  /** What SQLite or the system calls the cause, such as `SQLITE_FULL` or `EACCES`. */
  get code(): string | undefined {
    const { cause } = this;
    return cause instanceof Error && 'code' in cause && typeof cause.code === 'string'
      ? cause.code
      : undefined;
  }
}

/** What went wrong underneath, for the message of a HistoryError. */
export function describeCause(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
