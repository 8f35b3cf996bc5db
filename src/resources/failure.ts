/**
 * Why a use case ended without all that was asked of it: it failed at run time, it was asked for what cannot be, or it
 * is done on partial data. The command line has an exit code for each.
 */
export type FailureKind = 'run' | 'usage' | 'partial';

/** An end that was foreseen: its message is one sentence for the user, with what to do about it. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly kind: FailureKind;

  /** @param message without a key and without a line break. */
  constructor(message: string, kind: FailureKind = 'run') {
    super(message);
    this.kind = kind;
  }
}
