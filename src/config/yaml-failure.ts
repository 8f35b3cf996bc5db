import type { ErrorCode, YAMLError } from 'yaml';
import type { Problem } from './problem.ts';

const findings: Partial<Readonly<Record<ErrorCode, readonly [found: string, expected: string]>>> = {
  TAB_AS_INDENT: ['a tab', 'indent with spaces'],
  BAD_INDENT: ['wrong indentation', 'indent the settings of one section alike, with spaces'],
  MULTIPLE_DOCS: ['a second document', 'write everything in one, without a further "---"'],
  BAD_ALIAS: ['an alias', 'write the value itself'],
  DUPLICATE_KEY: ['it a second time', 'write each key once'],
  MISSING_CHAR: ['something unfinished', 'close the quote or bracket, or write the missing colon or space'],
  TAG_RESOLVE_FAILED: ['a tag', 'write plain text or a number without "!"'],
  MULTILINE_IMPLICIT_KEY: [
    'a key without a value',
    'write "key: value" on one line, with a space after the colon',
  ],
  NON_STRING_KEY: ['a key that is not text', 'write the name of a setting'],
};

const otherwise = ['text that is not YAML', 'write "key: value" lines, indented with spaces'] as const;

/** What the parser objects to, in our words: its own quote the file, and a line of it may hold a key. */
export function describeYamlFailure(error: YAMLError, text: string, where: string): Problem {
  const [found, expected] = findings[error.code] ?? otherwise;
  const word = /^["']?(?<key>[a-z_]{1,40})["']?\s*:/.exec(text.slice(error.pos[0], error.pos[0] + 60));
  const key = error.code === 'DUPLICATE_KEY' ? (word?.groups?.key ?? 'a key') : 'YAML';
  return { where, key, found, expected };
}
