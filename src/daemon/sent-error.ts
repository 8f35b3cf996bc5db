import { HistoryError } from '../history/file/history-error.ts';

/** An error as it goes from one thread to another, whose own copies have lost their class and their code. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  /** As SQLite or the system names the trouble: `SQLITE_FULL`, `ENOSPC`. */
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: SentError;
}

/** Errors that cause each other in a circle end after so many. */
const mostCauses = 10;

/** @param thrown anything; of what is no error its text is sent. */
export function packError(thrown: unknown, causes = mostCauses): SentError {
  if (!(thrown instanceof Error)) return { name: 'Error', message: String(thrown) };
  const { name, message, stack, cause } = thrown;
  return {
    name,
    message,
    ...('code' in thrown && typeof thrown.code === 'string' && { code: thrown.code }),
    ...(stack !== undefined && { stack }),
    ...(cause !== undefined && causes > 0 && { cause: packError(cause, causes - 1) }),
  };
}

/** The error that was packed, with its causes: a HistoryError again, any other as an Error of the same name. */
export function unpackError({ name, message, code, stack, cause }: SentError): Error {
  const options = cause === undefined ? {} : { cause: unpackError(cause) };
  const isHistoryError = name === 'HistoryError';
  const error = isHistoryError ? new HistoryError(message, options) : new Error(message, options);
  // A HistoryError has the code of its cause.
  return Object.assign(
    error,
    { name, stack: stack ?? '' },
    !isHistoryError && code !== undefined && { code },
  );
}
