/** The history cannot be used, or something could not be written to it; the message says what to do. */
export class HistoryError extends Error {
  override readonly name: string = 'HistoryError';

  /** Code of the cause as SQLite or the system has it, such as `SQLITE_FULL` or `EACCES`. */
  get code(): string | undefined {
    const { cause } = this;
    return cause instanceof Error && 'code' in cause && typeof cause.code === 'string'
      ? cause.code
      : undefined;
  }
}

/** Another daemon writes the history now: nothing can be recorded any more. */
export class HistoryTakenOver extends HistoryError {
  override readonly name = 'HistoryTakenOver';
}

/** The message of a cause, for that of a HistoryError. */
export function describeCause(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
