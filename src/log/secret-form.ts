/** A text that shows a secret, and whether it is redacted only where it stands as a value of its own. */
export interface SecretForm {
  readonly text: string;
  readonly wholeOnly: boolean;
}

/**
 * The spellings of a secret to look for: plain, percent-encoded, escaped for JSON, and in base64, alone or together
 * with other text. Empty for an empty secret.
 */
export function secretForms(secret: string): SecretForm[] {
  if (secret === '') return [];
  const wholeOnly = isWordLike(secret);
  const encoded = encodeURIComponent(secret);
  const lowerEncoded = encoded.replaceAll(/%../g, octet => octet.toLowerCase());
  const alone = [base64(secret), base64url(secret)];
  const texts = [
    secret,
    encoded,
    lowerEncoded,
    JSON.stringify(secret).slice(1, -1),
    ...alone,
    ...(wholeOnly ? [] : base64Cores(secret)),
  ];
  return [...new Set(texts)].map(text => ({ text, wholeOnly }));
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
