/** A text that shows a secret, and whether it is redacted only where it stands as a value of its own. */
export interface SecretForm {
  readonly text: string;
  readonly wholeOnly: boolean;
}

/**
 * The spellings of a secret to look for, without regard to case: plain, backwards, percent-encoded, escaped for JSON, in
 * hexadecimal digits, and in base64, alone or together with other text. Empty for an empty secret.
 */
export function secretForms(secret: string): SecretForm[] {
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
