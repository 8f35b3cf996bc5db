import { InvalidArgumentError, Option } from 'commander';
import type { TextParser } from '../resources/text-parser.ts';

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

/** A flag for one of some words. */
export function wordOption(
  flags: string,
  about: string,
  words: readonly string[],
  byDefault?: string,
): Option {
  return new Option(flags, about).choices(words).default(byDefault);
}
