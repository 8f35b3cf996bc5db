import { type SecretForm, secretForms } from './secret-form.ts';

const redacted = '[redacted]';

/**
 * Replaces every occurrence of a secret by `[redacted]`, in whatever encoding `secretForms` knows. A secret that is
 * like a word is replaced only where it stands as a value of its own: `Bearer KEY`, not `DBPM_API_KEY_FILE`.
 */
export function redactText(text: string, secrets: readonly string[]): string {
  return redactForms(text, orderedForms(secrets));
}

/** A JSON value with `redactText` applied to every string and number in it, names of properties included. */
export function redactValue(value: unknown, secrets: readonly string[]): unknown {
  return redactEach(value, orderedForms(secrets));
}

/** Longest first: a secret that begins another must not leave the other's rest behind. */
function orderedForms(secrets: readonly string[]): SecretForm[] {
  return secrets.flatMap(secretForms).sort((one, other) => other.text.length - one.text.length);
}

function redactEach(value: unknown, forms: readonly SecretForm[]): unknown {
  if (typeof value === 'string') return redactForms(value, forms);
  if (typeof value === 'number') {
    const text = redactForms(String(value), forms);
    return text === String(value) ? value : text;
  }
  if (Array.isArray(value)) return value.map(item => redactEach(item, forms));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([name, item]) => [redactForms(name, forms), redactEach(item, forms)]),
  );
}

function redactForms(text: string, forms: readonly SecretForm[]): string {
  return forms.reduce((safe, form) => {
    if (!safe.includes(form.text)) return safe;
    return safe.replaceAll(form.wholeOnly ? wholePattern(form.text) : form.text, redacted);
  }, text);
}

const wordCharacter = String.raw`[\p{L}\p{N}_]`;
/** Escapes whose last character could be taken for the beginning of a word. */
const escaped = String.raw`%[0-9A-Fa-f]{2}|\\[bfnrt]|\\u[0-9A-Fa-f]{4}`;
const noWordBefore = `(?:(?<=${escaped})|(?<!${wordCharacter}|${wordCharacter}-))`;
const noWordAfter = `(?!${wordCharacter}|-${wordCharacter})`;

/** A text with neither a letter, digit or underscore beside it, nor one behind a hyphen. */
function wholePattern(text: string): RegExp {
  return new RegExp(`${noWordBefore}${RegExp.escape(text)}${noWordAfter}`, 'gu');
}
