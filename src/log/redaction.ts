const redacted = '[redacted]';

const wordCharacter = String.raw`[\p{L}\p{N}_]`;
/** Escapes whose last character could be taken for the beginning of a word. */
const escaped = String.raw`%[0-9A-Fa-f]{2}|\\[bfnrt]|\\u[0-9A-Fa-f]{4}`;
const noWordBefore = `(?:(?<=${escaped})|(?<!${wordCharacter}|${wordCharacter}-))`;
const noWordAfter = `(?!${wordCharacter}|-${wordCharacter})`;

/**
 * Replaces every occurrence of a secret by `[redacted]`, in each encoding that `secretForms` knows, and parts of it too. A
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

/** A text that shows a secret, and whether it is redacted only where it stands as a value of its own. */
interface SecretForm {
  readonly text: string;
  readonly wholeOnly: boolean;
}

/**
 * The spellings of a secret to look for, without regard to case: plain, backwards, percent-encoded, escaped for JSON, in
 * hexadecimal digits, and in base64, alone or together with other text. Empty for an empty secret.
 */
function secretForms(secret: string): SecretForm[] {
  if (secret === '') return [];
  const wholeOnly = isWordLike(secret);
  const encoded = encodeURIComponent(secret);
  const alone = [base64(secret), base64url(secret)];
  const texts = [
    secret,
    encoded,
    JSON.stringify(secret).slice(1, -1),
    ...alone,
    ...(wholeOnly ? [] : [...base64Cores(secret), ...disguises(secret)]),
  ];
  return [...new Set(texts)].map(text => ({ text, wholeOnly }));
}

/** Spellings that no service gives by mistake; each character by itself where that can be. */
function disguises(secret: string): string[] {
  const bytes = [...Buffer.from(secret)].map(byte => byte.toString(16).padStart(2, '0'));
  const units = Array.from({ length: secret.length }, (_, index) => secret.charCodeAt(index));
  return [
    [...secret].reverse().join(''),
    bytes.join(''),
    bytes.map(byte => `%${byte}`).join(''),
    units.map(unit => String.raw`\u${unit.toString(16).padStart(4, '0')}`).join(''),
  ];
}

/** A text that messages may contain by chance, as a word, a name or a small number. */
function isWordLike(secret: string): boolean {
  return secret.length < 8 || (secret.length < 16 && !/\d/.test(secret));
}

/** Three bytes are four characters of base64, so what precedes a secret has one of three effects on its characters. */
function base64Cores(secret: string): string[] {
  return [0, 1, 2].flatMap(offset => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
    // Characters at both ends carry bits of the neighbours too.
    const from = offset === 0 ? 0 : offset + 1;
    const until = Math.floor((bytes.length * 8) / 6);
    return [base64(bytes).slice(from, until), base64url(bytes).slice(from, until)];
  });
}

function base64(bytes: string | Buffer): string {
  return Buffer.from(bytes).toString('base64');
}

function base64url(bytes: string | Buffer): string {
  return Buffer.from(bytes).toString('base64url');
}

/** Shorter pieces of a key may stand in a text by chance, and tell little of it. */
const pieceLength = 8;

/**
 * The pieces of a secret by which a part of it is found, in small letters. Each has both a letter and a digit: others may
 * be words, dates or numbers.
 */
function secretPieces(spellings: readonly string[]): ReadonlySet<string> {
  const pieces = new Set<string>();
  for (const spelling of spellings) {
    const small = spelling.toLowerCase();
    for (let from = 0; from + pieceLength <= small.length; from += 1) {
      const piece = small.slice(from, from + pieceLength);
      if (/\d/.test(piece) && /\p{L}/u.test(piece)) pieces.add(piece);
    }
  }
  return pieces;
}

/** The text with every run of such pieces replaced. */
function replacePieces(text: string, pieces: ReadonlySet<string>, replacement: string): string {
  if (pieces.size === 0 || text.length < pieceLength) return text;
  const small = text.toLowerCase();
  // A few letters have small forms of another length: then positions would not agree.
  if (small.length !== text.length) return text;
  let safe = '';
  let written = 0;
  let runEnd = 0;
  for (let from = 0; from + pieceLength <= small.length; from += 1) {
    if (!pieces.has(small.slice(from, from + pieceLength))) continue;
    if (from >= runEnd) {
      safe += text.slice(written, from) + replacement;
    }
    runEnd = from + pieceLength;
    written = runEnd;
  }
  return safe + text.slice(written);
}
