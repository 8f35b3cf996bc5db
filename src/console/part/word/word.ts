/** A word that pages use, explained for someone who meets it for the first time. */
export interface Word {
  readonly word: string;
  /** One or two sentences. */
  readonly meaning: string;
  /** The same in numbers. */
  readonly example: string;
}
