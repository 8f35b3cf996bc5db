import { escapeCharacter } from '../resources/escaped-character.ts';

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
