/** An error as it is logged: words, not objects, so that nothing a library hangs on its errors gets out. */
interface ErrorRecord {
  readonly message: string;
  /** Our closed set of reasons, or the code of the system (`ECONNREFUSED`). */
  readonly reason?: string;
  /** The messages of what caused it, nearest first. */
  readonly causes?: readonly string[];
  readonly stack?: string;
}

const mostCauses = 10;

/** Everything below an error, nearest first: its cause, the errors of an aggregate, and theirs. */
function listCauses(error: Error): unknown[] {
  const causes: unknown[] = [];
  const waiting: unknown[] = [error];
  const seen = new Set<unknown>(waiting);
  for (let next = waiting.shift(); next !== undefined && causes.length < mostCauses; next = waiting.shift()) {
    if (next !== error) causes.push(next);
    if (!(next instanceof Error)) continue;
    const below = [next.cause, ...(next instanceof AggregateError ? next.errors : [])];
    const unseen = below.filter(cause => cause !== undefined && cause !== null && !seen.has(cause));
    for (const cause of unseen) seen.add(cause);
    for (const cause of unseen) waiting.push(cause);
  }
  return causes;
}

function describe(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown;
  if (!(thrown instanceof Error)) return `something that is no error was thrown (${typeof thrown})`;
  return thrown.message || readReason(thrown) || thrown.name;
}

function readReason(error: Error): string | undefined {
  if ('reason' in error && typeof error.reason === 'string') return error.reason;
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Why something failed, in a word that is the same for all failures of its kind; undefined where there is none. */
export function nameReason(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  return readReason(thrown) ?? (thrown.name === 'Error' ? undefined : thrown.name);
}

/** Turns anything thrown into words for the log; the stack only when asked for. */
export function recordError(thrown: unknown, { withStack }: { readonly withStack: boolean }): ErrorRecord {
  if (!(thrown instanceof Error)) return { message: describe(thrown) };
  const reason = readReason(thrown);
  const causes = listCauses(thrown).map(describe);
  return {
    message: describe(thrown),
    ...(reason !== undefined && { reason }),
    ...(causes.length > 0 && { causes }),
    ...(withStack && thrown.stack !== undefined && { stack: thrown.stack }),
  };
}

/** An error and its causes on one line: `the history cannot be opened: disk I/O error`. */
export function describeError(thrown: unknown): string {
  const { message, causes = [] } = recordError(thrown, { withStack: false });
  const told: string[] = [];
  for (const part of [message, ...causes]) if (!told.some(text => text.includes(part))) told.push(part);
  return told.join(': ').replace(/\s+/g, ' ');
}
