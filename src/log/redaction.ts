import { type SecretForm, secretForms } from './secret-form.ts';
import { replacePieces, secretPieces } from './secret-piece.ts';

const redacted = '[redacted]';

const wordCharacter = String.raw`[\p{L}\p{N}_]`;
/** Escapes whose last character could be taken for the beginning of a word. */
const escaped = String.raw`%[0-9A-Fa-f]{2}|\\[bfnrt]|\\u[0-9A-Fa-f]{4}`;
const noWordBefore = `(?:(?<=${escaped})|(?<!${wordCharacter}|${wordCharacter}-))`;
const noWordAfter = `(?!${wordCharacter}|-${wordCharacter})`;

/**
 * Replaces every occurrence of a secret by `[redacted]`, in whatever encoding `secretForms` knows, and parts of it too. A
 * secret that is like a word is replaced only where it stands as a value of its own: `Bearer KEY`, not `DBPM_API_KEY_FILE`.
 */
export function redactText(text: string, secrets: readonly string[]): string {
  return redactForms(text, describeSecrets(secrets));
}

/** A JSON value with `redactText` applied to every string and number in it, names of properties included. */
export function redactValue(value: unknown, secrets: readonly string[]): unknown {
  return redactEach(value, describeSecrets(secrets));
}

/** The forms to look for in a text. */
interface SecretLook {
  /** Longest first: a secret that begins another must not leave the other's rest behind. */
  readonly patterns: readonly RegExp[];
  readonly pieces: ReadonlySet<string>;
}

/** The forms of the secrets looked for last, which are the same line after line. */
let described: { readonly key: string; readonly look: SecretLook } | undefined;

function describeSecrets(secrets: readonly string[]): SecretLook {
  const key = JSON.stringify(secrets);
  if (described?.key !== key) described = { key, look: makeLook(secrets) };
  return described.look;
}

function makeLook(secrets: readonly string[]): SecretLook {
  const forms = secrets.flatMap(secretForms).sort((one, other) => other.text.length - one.text.length);
  const splittable = forms.filter(({ wholeOnly, text }) => !wholeOnly && !/^(?:%|\\u)/.test(text));
  return {
    patterns: forms.map(patternOf),
    pieces: secretPieces(splittable.map(({ text }) => text)),
  };
}

function patternOf({ text, wholeOnly }: SecretForm): RegExp {
  const escaped = RegExp.escape(text);
  return wholeOnly ? new RegExp(`${noWordBefore}${escaped}${noWordAfter}`, 'gu') : new RegExp(escaped, 'giu');
}

function redactEach(value: unknown, look: SecretLook): unknown {
  if (typeof value === 'string') return redactForms(value, look);
  if (typeof value === 'number') {
    const text = redactForms(String(value), look);
    return text === String(value) ? value : text;
  }
  if (Array.isArray(value)) return value.map(item => redactEach(item, look));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([name, item]) => [redactForms(name, look), redactEach(item, look)]));
}

function redactForms(text: string, { patterns, pieces }: SecretLook): string {
  const safe = patterns.reduce((known, pattern) => known.replaceAll(pattern, redacted), text);
  return replacePieces(safe, pieces, redacted);
}
