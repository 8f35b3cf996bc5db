/** A list of an account beside what was known before. */
export interface ListComparison {
  /** Projects that were there until now. */
  readonly known: number;
  /** The number of them that the list does not hold. */
  readonly lost: number;
}

/** The verdict on a list; `first` when it is the first of its kind to be doubted. */
export type LossVerdict = 'believed' | 'first' | 'doubted';

/**
 * Doubts a list that lost most of its projects at once, for a while: people delete some, a gateway that went to the wrong
 * place loses all. Instants are epoch milliseconds.
 */
export class SuddenLoss {
  readonly #patienceMs: number;
  #sinceAt: number | undefined;

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  judge({ known, lost }: ListComparison, now: number): LossVerdict {
    if (lost * 2 <= known) {
      this.#sinceAt = undefined;
      return 'believed';
    }
    const isFirst = this.#sinceAt === undefined;
    this.#sinceAt ??= now;
    if (now - this.#sinceAt >= this.#patienceMs) return 'believed';
    return isFirst ? 'first' : 'doubted';
  }
}
