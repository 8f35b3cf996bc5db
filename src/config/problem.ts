import { escapeCharacter } from '../resources/escaped-character.ts';

/** One thing wrong with the configuration, with all a person needs to put it right. Never holds a key. */
export interface Problem {
  /** `dbpm.yaml:7`, `environment` or `flag`. */
  readonly where: string;
  /** The setting as that place spells it: `collect.idle_refresh`, `DBPM_LOG_LEVEL`, `--log.level`. */
  readonly key: string;
  /** The text that stands there, ready to print: `"15 minutes"`, `nothing`, `a list`. */
  readonly found: string;
  /** How far into the file, in characters, for the order of problems in a line; last if it is not known. */
  readonly at?: number | undefined;
  /** The advice, as an order: `write a duration such as 30s, 15m or 45d`. */
  readonly expected: string;
}

/** One line for people, without a line break: `dbpm.yaml:7: log.level: found "loud", write debug, info, …`. */
export function renderProblem({ where, key, found, expected }: Problem): string {
  // Names that the configuration itself gives may be of any characters.
  return `${where}: ${key}: found ${found}, ${expected}`.replace(/\p{Cc}/gu, escapeCharacter);
}

const line = /^(?<file>.*):(?<number>\d+)$/;
const places = ['flag', 'environment', 'file', 'configuration'];

/** In the order a person mends them: flags, environment, the file from its beginning to its end, what lacks. */
export function sortProblems(problems: readonly Problem[]): Problem[] {
  const lineOf = ({ where }: Problem) => Number(line.exec(where)?.groups?.number ?? 0);
  const placeOf = ({ where }: Problem) => places.indexOf(line.test(where) ? 'file' : where);
  const atOf = ({ at = Number.MAX_SAFE_INTEGER }: Problem) => at;
  return problems.toSorted(
    (one, other) => placeOf(one) - placeOf(other) || lineOf(one) - lineOf(other) || atOf(one) - atOf(other),
  );
}

const longestQuote = 60;

/** A value as a problem quotes it: escaped onto one line and cut when long. */
export function quoteValue(text: string): string {
  const characters = [...text];
  return characters.length > longestQuote
    ? `${JSON.stringify(characters.slice(0, longestQuote).join(''))}…`
    : JSON.stringify(text);
}

/** How many characters must be added, removed, replaced or swapped with a neighbour to turn one word into the other. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (swapped) cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}

/** The candidate a person most likely meant by `word`; undefined when none is near. */
export function findNearestWord(word: string, candidates: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  let nearestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < nearestDistance && distance <= Math.max(1, candidate.length * 0.4)) {
      nearest = candidate;
      nearestDistance = distance;
    }
  }
  return nearest;
}

/** A configuration that cannot be used, with every problem that was found in it. */
export class ConfigFailure extends Error {
  override readonly name = 'ConfigFailure';
  readonly problems: readonly Problem[];

  /** @param problems in the order a person mends them, at least one. */
  constructor(problems: readonly Problem[]) {
    super('the configuration has problems');
    this.problems = problems;
  }
}
