import type { AlertDefaults } from './alert-setting.ts';
import { parseDuration } from './duration.ts';
import { type ListenAddress, parseListenAddress } from './listen-address.ts';
import { quoteValue } from './problem.ts';

/** Checks that belong to other parts of the program: undefined when the text is fine, else what to write instead or what is wrong (`which must …`). */
export interface ConfigChecks {
  readonly schedule: (text: string) => string | undefined;
  readonly baseUrl: (text: string) => string | undefined;
  readonly historyFile: (text: string) => string | undefined;
  /** The metrics that can be left out. */
  readonly familyNames: readonly string[];
  /** The alerts a user may tune, as the rule file declares them. */
  readonly alerts: readonly AlertDefaults[];
}

/** The value, or what to write instead (`write a duration such as …`). */
export type Parsed<Value> = { readonly value: Value } | { readonly expected: string };

/** How the text of a setting becomes a value, the same from a flag, the environment and a file. */
export interface ValueKind<Value> {
  /** Stands for the value in `--help`: `--history.file <path>`. */
  readonly placeholder: string;
  /** What it must be in YAML, where `300` and `"300"` differ. */
  readonly yamlType: 'string' | 'number' | 'boolean';
  /** What to write, as an order. */
  readonly expected: string;
  readonly parse: (text: string, checks: ConfigChecks) => Parsed<Value>;
  /** Reads a list of YAML; absent where there must be a single value. */
  readonly parseItems?: (items: readonly string[], checks: ConfigChecks) => Parsed<Value>;
  /** The text as a problem may show it. */
  readonly show: (text: string) => string;
}

function simpleKind<Value>(
  placeholder: string,
  expected: string,
  read: (text: string) => Value | undefined,
): Omit<ValueKind<Value>, 'parseItems'> {
  return {
    placeholder,
    yamlType: 'string',
    expected,
    parse: text => {
      const value = read(text);
      return value === undefined ? { expected } : { value };
    },
    show: quoteValue,
  };
}

export const name = simpleKind(
  'name',
  'write a name on one line, in quotes if it looks like a number',
  text => (text.trim() !== '' && !/\p{Cc}/u.test(text) ? text : undefined),
);

export const path = simpleKind('path', 'write the path of a file', text =>
  text.trim() !== '' && !text.includes('\0') ? text : undefined,
);

const durationAdvice = 'write a duration such as 30s, 15m or 45d';

export const duration: ValueKind<number> = {
  ...simpleKind('duration', durationAdvice, parseDuration),
  parse: text => {
    const value = parseDuration(text);
    if (value === 0) return { expected: 'write a duration longer than zero, such as 30s, 15m or 45d' };
    return value === undefined ? { expected: durationAdvice } : { value };
  },
};

export const listenAddress: ValueKind<ListenAddress> = simpleKind(
  'address',
  'write :PORT, HOST:PORT or [::1]:PORT with a port from 0 to 65535',
  parseListenAddress,
);

/** `/` is the landing page, `/-/…` tells how the process is, `/api/…` belongs to the console. */
const takenPath = /^\/(?:-|api)(?:\/|$)/;

export const telemetryPath = simpleKind(
  'path',
  'write a path such as /metrics, other than /, /-/… and /api/…',
  text => (/^(?:\/[\w~-][\w.~-]*)+$/.test(text) && !takenPath.test(text) ? text : undefined),
);

/** One of a fixed set of words. */
export function oneOf<const Word extends string>(...words: readonly Word[]): ValueKind<Word> {
  const last = words.at(-1);
  const expected = `write ${words.slice(0, -1).join(', ')} or ${last}`;
  return simpleKind(words.join('|'), expected, text => words.find(word => word === text));
}

export const requestRate: ValueKind<number> = {
  ...simpleKind('number', 'write a whole number of at least 1, such as 300', text =>
    /^\d{1,9}$/.test(text) && Number(text) >= 1 ? Number(text) : undefined,
  ),
  yamlType: 'number',
};

export const seriesLimit: ValueKind<number> = {
  ...simpleKind('number', 'write a whole number such as 50000, or 0 for no limit', text =>
    /^\d{1,9}$/.test(text) ? Number(text) : undefined,
  ),
  yamlType: 'number',
};

/** A threshold such as a count or a share. */
export const quantity: ValueKind<number> = {
  ...simpleKind('number', 'write a number such as 3 or 0.5', text =>
    /^\d{1,9}(?:\.\d{1,6})?$/.test(text) ? Number(text) : undefined,
  ),
  yamlType: 'number',
};

export const truth: ValueKind<boolean> = {
  ...simpleKind('true|false', 'write true or false', text =>
    text === 'true' || text === 'false' ? text === 'true' : undefined,
  ),
  yamlType: 'boolean',
};

/** Prometheus takes `{{` in labels and annotations for the start of a template. */
const isPlain = (text: string): boolean => !text.includes('{{');

export const plainText = simpleKind(
  'text',
  'write a text on one line without {{, in quotes if it looks like a number',
  text => (text.trim() !== '' && !/\p{Cc}/u.test(text) && isPlain(text) ? text : undefined),
);

/** The start of links, without the last slash. */
export const link = simpleKind('link', 'write an address or a path without spaces and #', text =>
  /^[^\s#]+$/.test(text) && isPlain(text) ? text.replace(/\/+$/, '') : undefined,
);

const scheduleAdvice = 'write a cron expression of six fields, seconds first, such as "*/30 * * * * *"';

export const schedule: ValueKind<string> = {
  ...simpleKind('schedule', scheduleAdvice, text => text),
  parse: (text, checks) => {
    const expected = text.trim() === '' ? scheduleAdvice : checks.schedule(text);
    return expected === undefined ? { value: text } : { expected };
  },
};

export const historyFile: ValueKind<string> = {
  ...path,
  parse: (text, checks) => {
    const parsed = path.parse(text, checks);
    const expected = 'value' in parsed ? checks.historyFile(text) : undefined;
    return expected === undefined ? parsed : { expected };
  },
};

const addressAdvice = 'write the base address of the service, such as https://HOST/api/v2/';

export const baseUrl: ValueKind<URL> = {
  ...simpleKind('address', addressAdvice, text => text),
  parse: (text, checks) => {
    const expected = checks.baseUrl(text);
    if (expected !== undefined) return { expected };
    const value = URL.parse(text);
    return value === null ? { expected: addressAdvice } : { value };
  },
  // An address can carry a password or a key by mistake.
  show: text => quoteValue(text.replace(/\/\/.*@/s, '//…@').replace(/[?#].*$/s, '?…')),
};

/** True if the text may be the key itself, pasted where its file or variable should be named. */
function mayBeKey(text: string): boolean {
  if (text.length >= 16 && !/[./]/.test(text) && /\d/.test(text)) return true;
  return text
    .split(/[^A-Za-z0-9]/)
    .some(word => word.length >= 24 || (word.length >= 10 && /\d/.test(word) && /[A-Za-z]/.test(word)));
}

const notShown = 'something not shown here, as it may be the key itself';

export const keyFile: ValueKind<string> = {
  ...simpleKind('path', 'write the path of a readable file that holds the key and nothing else', text =>
    text.trim() !== '' && !/[\0\n]/.test(text) ? text : undefined,
  ),
  show: text => (mayBeKey(text) ? notShown : quoteValue(text)),
};

export const variableName: ValueKind<string> = {
  ...simpleKind('name', 'write the name of an environment variable that holds the key', text =>
    /^[A-Za-z_]\w*$/.test(text) ? text : undefined,
  ),
  show: text => (/^[A-Z][A-Z0-9_]*$/.test(text) && !mayBeKey(text) ? quoteValue(text) : notShown),
};

/** True if the text can be sent as a bearer token: a header takes visible ASCII only. */
export function isUsableKey(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/** The key of an account itself: never shown. */
export const apiKey: ValueKind<string> = {
  ...simpleKind('key', 'write the key alone: visible ASCII characters without spaces or line breaks', text =>
    isUsableKey(text) ? text : undefined,
  ),
  show: () => 'something that cannot be a key (not shown)',
};
