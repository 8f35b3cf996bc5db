/** An error as it goes from one thread to another: a copy made by the system would lose its class, code and cause. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  /** A code as SQLite or the system names the trouble (`SQLITE_FULL`, `ENOSPC`), a kind, a status, a port. */
  readonly details: Readonly<Record<string, string | number | boolean>>;
  readonly cause?: SentError;
}

/** Causes that are kept of an error: they may go round in a circle. */
const mostCauses = 10;

/** @param thrown anything; of what is no error its text is sent. */
export function packError(thrown: unknown, causes = mostCauses): SentError {
  if (!(thrown instanceof Error)) return { name: 'Error', message: String(thrown), details: {} };
  const { name, message, stack, cause } = thrown;
  // A class may find out its code when asked.
  const found = { ...thrown, ...('code' in thrown && { code: thrown.code }) };
  return {
    ...{ name, message, details: Object.fromEntries(Object.entries(found).filter(isPlain)) },
    ...(stack !== undefined && { stack }),
    ...(cause !== undefined && causes > 0 && { cause: packError(cause, causes - 1) }),
  };
}

function isPlain(entry: [string, unknown]): entry is [string, string | number | boolean] {
  return ['string', 'number', 'boolean'].includes(typeof entry[1]);
}

/** An error with all of that but the class: its name tells which it was. */
export function unpackError({ name, message, stack, details, cause }: SentError): Error {
  const error = new Error(message, cause === undefined ? {} : { cause: unpackError(cause) });
  return Object.assign(error, details, { name, stack: stack ?? '' });
}

/** Whether it is an error of that name, of this thread or of another. */
export function isNamed(error: unknown, name: string): error is Error {
  return error instanceof Error && error.name === name;
}
