/** The history cannot be used, or something could not be written to it; the message says what to do. */
export class HistoryError extends Error {
  override readonly name: string = 'HistoryError';
  /** The cause, and after semicolons what to do, where they are told apart. */
  readonly advice?: string;

  constructor(message: string, options: ErrorOptions & { readonly advice?: string } = {}) {
    super(message, options);
    if (options.advice !== undefined) this.advice = options.advice;
  }

  /** Code of the cause as SQLite or the system has it, such as `SQLITE_FULL` or `EACCES`. */
  get code(): string | undefined {
    const { cause } = this;
    return cause instanceof Error && 'code' in cause && typeof cause.code === 'string'
      ? cause.code
      : undefined;
  }
}

/** Another daemon writes the history now: nothing can be committed any more. */
export class HistoryTakenOver extends HistoryError {
  override readonly name = 'HistoryTakenOver';
}

/** Another daemon holds the history: it cannot be opened to be written. */
export class HistoryInUse extends HistoryError {
  override readonly name = 'HistoryInUse';
}

/** What is in the file is damaged, as its content shows. */
export class DamagedHistory extends HistoryError {
  override readonly name = 'DamagedHistory';

  override get code(): string {
    return 'SQLITE_CORRUPT';
  }
}

/** The message of a cause, for that of a HistoryError. */
export function describeCause(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** Whether it says that what is in the file is damaged, itself or by one of its causes. */
export function isDamage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isCode = 'code' in error && /^SQLITE_(CORRUPT|NOTADB)/.test(String(error.code));
  return isCode || isDamage(error.cause);
}

const adviceByCode: readonly (readonly [code: RegExp, advice: string])[] = [
  [/^(SQLITE_FULL|ENOSPC|EDQUOT)/, 'make room on its disk'],
  [
    /^(SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_PERM|EACCES|EROFS)/,
    'give this user the right to write it, and in its folder',
  ],
  [/^(SQLITE_BUSY|SQLITE_LOCKED)/, 'another program holds it: end that one'],
  [/^(SQLITE_IOERR|EIO)/, 'its disk fails: look at the log of the system'],
];

/** How the log says that a reading could not be written: the console knows such a problem by it. */
export const unwrittenReading = 'a reading could not be written to the history';

/** A reading that could not be written, with what to do about that cause. */
export function unwritten(account: string, file: string, cause: unknown): HistoryError {
  const told = describeCause(cause);
  const subject = `the reading of ${account} could not be written to ${file}`;
  // One of ours says itself what to do.
  if (cause instanceof HistoryError && !isDamage(cause))
    return new HistoryError(`${subject}: ${told}`, { cause, advice: told.replace(': ', '; ') });
  const remedy = isDamage(cause) ? damageAdvice : (adviceOn(cause) ?? "check the disk's space and rights");
  return new HistoryError(`${subject} (${told}): ${remedy}`, { cause, advice: `${told}; ${remedy}` });
}

/** For a daemon that runs. */
const damageAdvice =
  'start dbpm-exporter again, it then sets the damaged file aside and goes on from the newest backup';

function adviceOn(cause: unknown): string | undefined {
  const { code = '' } = new HistoryError('', { cause });
  return adviceByCode.find(([pattern]) => pattern.test(code))?.[1];
}

/** A history that cannot be opened or read, with what to do about that cause. */
export function unusable(file: string, cause: unknown): HistoryError {
  return new HistoryError(
    `${file} cannot be used as a history (${describeCause(cause)}): ${adviceOn(cause) ?? 'restore it from a backup or choose another file'}`,
    { cause },
  );
}
