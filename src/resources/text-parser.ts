/** How a value that people write is read, as a flag or in an address. */
export interface TextParser<Value> {
  /** What is to be written: `a whole number from 1 to 9`. */
  readonly expects: string;
  /** Undefined where the text is nothing of that. */
  readonly parse: (text: string) => Value | undefined;
}

/** A whole number within limits. */
export function wholeNumber(least: number, most: number): TextParser<number> {
  return numberOf(/^\d{1,15}$/, `a whole number from ${least} to ${most}`, value => {
    return value >= least && value <= most;
  });
}

/** A number of a form, in decimal digits. */
export function numberOf(
  form: RegExp,
  expects: string,
  isMeant: (value: number) => boolean = () => true,
): TextParser<number> {
  return { expects, parse: text => (form.test(text) && isMeant(Number(text)) ? Number(text) : undefined) };
}
