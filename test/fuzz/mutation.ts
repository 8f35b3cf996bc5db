import type { Random } from './fuzzing.ts';

const hostileTexts = [
  ...[
    '',
    ' ',
    '\u0000',
    '\n',
    '\r\n',
    '\ud800',
    '\ufeff',
    '🐘',
    'ü',
    '"',
    "'",
    '\\',
    '{',
    '}',
    '[',
    ']',
    ',',
  ],
  ...[
    '-1',
    '0',
    '-0',
    '1e999',
    '1e-400',
    '9007199254740993',
    '99999999999999999999',
    '0x10',
    'NaN',
    'Infinity',
  ],
  ...[
    'null',
    'true',
    'no',
    '~',
    '__proto__',
    'constructor',
    'toString',
    '2026-02-30',
    '0001-01-01T00:00:00Z',
  ],
  ...['&a', '*a', '!!binary', '- ', ': ', '# ', '|', '>', '---', '\t', '%', '..', '/', '<<', '? '],
];

type Change = (text: string, random: Random, words: readonly string[]) => string;

/** A span of the text, short more often than long. */
function spanOf(text: string, random: Random): readonly [start: number, end: number] {
  const start = random.below(text.length + 1);
  return [start, Math.min(text.length, start + random.below(1 + 2 ** random.below(8)))];
}

function replaceSpan(text: string, [start, end]: readonly [number, number], by: string): string {
  return text.slice(0, start) + by + text.slice(end);
}

const changes: readonly Change[] = [
  (text, random) => replaceSpan(text, spanOf(text, random), ''),
  (text, random) => replaceSpan(text, spanOf(text, random), random.pick(hostileTexts)),
  (text, random, words) => replaceSpan(text, spanOf(text, random), random.pick(words)),
  (text, random) => {
    const span = spanOf(text, random);
    return replaceSpan(text, span, text.slice(...span).repeat(2 + random.below(3)));
  },
  (text, random) => {
    const at = random.below(text.length + 1);
    return replaceSpan(
      text,
      [at, at + 1],
      String.fromCharCode(random.below(random.chance(0.9) ? 128 : 65_536)),
    );
  },
  (text, random) => replaceSpan(text, spanOf(text, random), text.slice(...spanOf(text, random))),
  (text, random) => {
    const lines = text.split('\n');
    const [from, to] = [random.below(lines.length), random.below(lines.length)];
    const [line = ''] = lines.splice(from, 1);
    lines.splice(to, 0, random.chance(0.3) ? `  ${line}` : line);
    return lines.join('\n');
  },
  (text, random) => text.replace(/\d+/, () => String(random.pick([0, -1, 1e21, 2 ** 31, 2 ** 53, 0.1]))),
];

/**
 * The text with one to a few mistakes in it.
 *
 * @param words what else may stand in it: words of its own language.
 */
export function mutateText(text: string, random: Random, words: readonly string[]): string {
  let mutated = text;
  for (let left = 1 + random.below(random.pick([1, 2, 6])); left > 0; left -= 1) {
    mutated = random.pick(changes)(mutated, random, words);
  }
  return mutated;
}

/** Of JSON, in which a number can be infinite. */
const hostileValues: readonly unknown[] = [
  ...[null, true, false, 0, -0, -1, 0.1, 1e308, Number.POSITIVE_INFINITY, 2 ** 53, 2 ** 31],
  ...[
    '',
    'x',
    '\ud800',
    'x'.repeat(20_000),
    '2026-01-01T00:00:00Z',
    '0001-01-01T00:00:00Z',
    '2099-12-31T23:59:60Z',
  ],
  ...[[], {}, [[[]]], { toString: 1 }, { valueOf: null, length: -1 }, [null]],
];

/** The value with parts of it exchanged, left out, doubled, or under other names. */
export function mutateValue(value: unknown, random: Random): unknown {
  if (random.chance(0.1)) return random.pick(hostileValues);
  if (Array.isArray(value)) {
    const kept = value.filter(() => random.chance(0.95)).map(item => mutateSome(item, random));
    return random.chance(0.1) ? [...kept, ...kept, random.pick(hostileValues)] : kept;
  }
  if (typeof value !== 'object' || value === null) {
    return typeof value === 'string' && random.chance(0.3) ? mutateText(value, random, ['z']) : value;
  }
  const fields = Object.entries(value).filter(() => random.chance(0.95));
  const names = fields.map(([name]) => name);
  return Object.fromEntries(
    fields.map(([name, field]) => [
      random.chance(0.03) ? random.pick([...names, '__proto__', 'id']) : name,
      mutateSome(field, random),
    ]),
  );
}

function mutateSome(value: unknown, random: Random): unknown {
  return random.chance(0.3) ? mutateValue(value, random) : value;
}
