import { type ErrorCode, LineCounter, parseDocument, type YAMLError } from 'yaml';
import type { Problem } from './problem.ts';
import { type WrittenNode, writeNode } from './written-node.ts';

/** A file of YAML as it is written; it can have problems and still say something. */
interface YamlFile {
  /** Nothing where the text is not YAML. */
  readonly root: WrittenNode;
  readonly problems: readonly Problem[];
  readonly isYaml: boolean;
}

/** Reads the text of a configuration file; `file` is how problems name it. Never throws. */
export function readYamlFile(text: string, file: string): YamlFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lastLine = lines.linePos(text.trimEnd().length).line;
  const locate = (offset: number): string =>
    `${file}:${Math.max(1, Math.min(lines.linePos(offset).line, lastLine))}`;
  const failures = [...document.errors, ...document.warnings];
  const described = failures.map(failure => describeFailure(failure, text, locate(failure.pos[0])));
  // A byte that is no UTF-8 was read as this character.
  const foreign = [...text.matchAll(/\uFFFD/g)].map(({ index }) => describeForeignByte(locate(index)));
  const isYaml = foreign.length === 0 && failures.every(failure => failure.code === 'DUPLICATE_KEY');
  const contents = isYaml ? document.contents : null;
  return {
    root: writeNode(contents, '', contents, locate),
    // The parser stumbles over one mistake several times.
    problems: distinct(foreign.length > 0 ? foreign : described),
    isYaml,
  };
}

function distinct(problems: readonly Problem[]): readonly Problem[] {
  return [...new Map(problems.map(problem => [JSON.stringify(problem), problem])).values()];
}

function describeForeignByte(where: string): Problem {
  return {
    where,
    key: 'the file',
    found: 'a character that is not UTF-8',
    expected: 'save the file as UTF-8',
  };
}

const indentAdvice = 'indent the settings of one section alike, with spaces, and close each bracket';
const findings: Partial<Readonly<Record<ErrorCode, readonly [found: string, expected: string]>>> = {
  TAB_AS_INDENT: ['a tab', 'indent with spaces'],
  BAD_INDENT: ['wrong indentation or a missing bracket', indentAdvice],
  MULTIPLE_DOCS: ['a second document', 'write everything in one, without a further "---"'],
  BAD_ALIAS: ['an alias', 'write the value itself'],
  DUPLICATE_KEY: ['it a second time', 'write each key once'],
  MISSING_CHAR: ['something unfinished', `close the quote; where none is open, ${indentAdvice}`],
  TAG_RESOLVE_FAILED: ['a tag', 'write plain text or a number without "!"'],
  MULTILINE_IMPLICIT_KEY: [
    'a key without a value',
    'write "key: value" on one line, with a space after the colon',
  ],
  NON_STRING_KEY: ['a key that is not text', 'write the name of a setting'],
};

const otherwise = ['text that is not YAML', 'write "key: value" lines, indented with spaces'] as const;

/** The objection of the parser in words of ours: its own quote the file, and a line of it may hold a key. */
function describeFailure(error: YAMLError, text: string, where: string): Problem {
  const [found, expected] = findings[error.code] ?? otherwise;
  const word = /^["']?(?<key>[a-z_]{1,40})["']?\s*:/.exec(text.slice(error.pos[0], error.pos[0] + 60));
  const key = error.code === 'DUPLICATE_KEY' ? (word?.groups?.key ?? 'a key') : 'YAML';
  return { where, key, found, expected };
}
