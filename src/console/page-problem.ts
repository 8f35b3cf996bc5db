/** An address that can be asked for instead, and the words that lead there. */
export interface PossibleAddress {
  readonly address: string;
  readonly words: string;
}

/** Why a page cannot be made as it was asked for, said to the reader: not an error of the program. */
export class PageProblem extends Error {
  override name = 'PageProblem';
  readonly status: 400 | 404 | 503;
  /** A few words, such as `There is no such project`. */
  readonly title: string;
  /** Addresses or values that can be asked for instead. */
  readonly possible: readonly (string | PossibleAddress)[];

  /** @param detail a sentence that says what was found. */
  constructor(
    status: 400 | 404 | 503,
    title: string,
    detail: string,
    possible: readonly (string | PossibleAddress)[] = [],
  ) {
    super(detail);
    this.status = status;
    this.title = title;
    this.possible = possible;
  }
}

/** A period that cannot be shown: its page lets the reader pick another one. */
export class PeriodProblem extends PageProblem {}

/** A report that is not there in time. */
export function stillMade(): PageProblem {
  const detail = 'A report of a large fleet takes a while the first time. It goes on being made.';
  return new PageProblem(503, 'Still being worked out', detail, ['load this page again in some seconds']);
}
