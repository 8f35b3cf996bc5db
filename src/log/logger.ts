import { styleText } from 'node:util';
import { type Logger as PinoLogger, pino } from 'pino';
import { escapeCharacter } from '../resources/escaped-character.ts';
import { recordError } from './error-record.ts';
import { redactText, redactValue } from './redaction.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type LogFormat = 'logfmt' | 'json';

/** Fields of a log line; an error in one is logged as its message, reason and causes. */
export type LogFields = Readonly<Record<string, unknown>>;

type LogMethod = (...line: [message: string] | [fields: LogFields, message: string]) => void;

/** Writes log lines in the way of pino: `log.info({ account }, 'message')` or `log.info('message')`. */
export interface Logger {
  readonly debug: LogMethod;
  readonly info: LogMethod;
  readonly warn: LogMethod;
  readonly error: LogMethod;
  /** A text as a line would have it, without secrets. */
  readonly redact: (text: string) => string;
  /** A logger that adds these fields to every line. */
  readonly child: (fields: LogFields) => Logger;
}

export interface LoggerOptions {
  readonly level: LogLevel;
  readonly format: LogFormat;
  /** Whether lines of logfmt that need attention are painted, for a terminal. */
  readonly hasColors?: boolean;
  /** Takes one whole line at a time, line break included. */
  readonly write: (line: string) => void;
  /** Texts that must never be written; asked for every line, so that a key that changes is covered. */
  readonly secrets?: () => readonly string[];
  /** Epoch milliseconds of a line. */
  readonly now?: () => number;
}

/** A logger that writes whole lines of logfmt or JSON, with `[redacted]` wherever a secret would stand. */
export function createLogger({
  level,
  format,
  hasColors = false,
  write,
  secrets = () => [],
  now = Date.now,
}: LoggerOptions): Logger {
  const destination = {
    write: (json: string) => {
      // Parsing what pino wrote makes one field of a repeated one and shows every string unescaped.
      const { time, level: lineLevel, msg, ...fields }: Record<string, unknown> = JSON.parse(json);
      const safe = redactValue({ msg, ...fields }, secrets());
      const record = { time, level: lineLevel, ...(typeof safe === 'object' ? safe : {}) };
      const line = format === 'json' ? JSON.stringify(record) : renderLogfmt(record);
      write(`${hasColors && format === 'logfmt' ? paintLevel(line, lineLevel) : line}\n`);
    },
  };
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date(now()).toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    // Errors are recorded before they get here; pino's own serializer would add type and stack.
    serializers: { err: (record: unknown) => record },
  };
  const redact = (text: string) => redactText(text, secrets());
  return wrapPino(pino(options, destination), { redact, withStack: level === 'debug' });
}

/** A line with its level in a colour where it is urgent. */
function paintLevel(line: string, level: unknown): string {
  const color = level === 'error' ? 'red' : level === 'warn' ? 'yellow' : undefined;
  const word = `level=${level}`;
  return color === undefined ? line : line.replace(word, styleText(color, word, { validateStream: false }));
}

function wrapPino(
  logger: PinoLogger,
  { redact, withStack }: Pick<Logger, 'redact'> & { readonly withStack: boolean },
): Logger {
  const prepare = (fields: LogFields) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [
        reservedNames.has(name) ? `${name}_` : name,
        value instanceof Error ? recordError(value, { withStack }) : value,
      ]),
    );
  const method =
    (level: LogLevel): LogMethod =>
    (...line) => {
      if (!logger.isLevelEnabled(level)) return;
      if (line.length === 1) logger[level](line[0]);
      else logger[level](prepare(line[0]), line[1]);
    };
  return {
    debug: method('debug'),
    info: method('info'),
    warn: method('warn'),
    error: method('error'),
    redact,
    child: fields => wrapPino(logger.child(prepare(fields)), { redact, withStack }),
  };
}

/** A field with one of these names would take the place of the line's own. */
const reservedNames: ReadonlySet<string> = new Set(['time', 'level', 'msg']);

/** Control characters and the line breaks JSON leaves alone: a log line stays one line on every terminal. */
const unsafe = /[\u007f-\u009f\u2028\u2029\ufeff]/g;

const plain = /^[^\s"=\\\p{C}]+$/u;

function renderText(text: string): string {
  if (plain.test(text)) return text;
  const escaped = JSON.stringify(text);
  return escaped.replace(unsafe, escapeCharacter);
}

function renderKey(key: string): string {
  return key.replace(/[\s"=\\\p{C}]/gu, '_') || '_';
}

function renderPair(key: string, value: unknown): string[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) {
    const items = value.map(item => (typeof item === 'string' ? item : JSON.stringify(item)));
    return [`${renderKey(key)}=${renderText(items.join('; '))}`];
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, item]) => renderPair(`${key}.${name}`, item));
  }
  return [`${renderKey(key)}=${renderText(String(value))}`];
}

/** One line of logfmt without its line break: the record's fields in their order, nested ones as `a.b=`. */
export function renderLogfmt(record: Readonly<Record<string, unknown>>): string {
  return Object.entries(record)
    .flatMap(([key, value]) => renderPair(key, value))
    .join(' ');
}
