import { InvalidArgumentError, Option } from 'commander';
import { type TextParser, wholeNumber } from '../resources/text-parser.ts';

/** A flag whose value is read by a parser, with its default if it has one. */
export function parsedOption<Value>(
  flags: string,
  about: string,
  { expects, parse }: TextParser<Value>,
  byDefault?: Value,
): Option {
  return new Option(flags, about).default(byDefault).argParser(text => {
    const value = parse(text);
    if (value !== undefined) return value;
    throw new InvalidArgumentError(`write ${expects}`);
  });
}

/** A flag for a whole number within limits. */
export function numberOption(
  flags: string,
  about: string,
  { least, most, byDefault }: { readonly least: number; readonly most: number; readonly byDefault?: number },
): Option {
  return parsedOption(flags, about, wholeNumber(least, most), byDefault);
}

/** A flag for one of some words. */
export function wordOption(
  flags: string,
  about: string,
  words: readonly string[],
  byDefault?: string,
): Option {
  return new Option(flags, about).choices(words).default(byDefault);
}
