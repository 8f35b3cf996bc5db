const redacted = '[redacted]';

/** The text with every occurrence of a secret, plain, percent-encoded or escaped for JSON, replaced by `[redacted]`. */
export function redactText(text: string, secrets: readonly string[]): string {
  // Longest first: a secret that begins another must not leave the other's rest behind.
  const forms = secrets
    .flatMap(secret => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
    .filter(form => form !== '');
  forms.sort((one, other) => other.length - one.length);
  return forms.reduce((safe, form) => safe.replaceAll(form, redacted), text);
}

/** A JSON value with `redactText` applied to every string in it, names of properties included. */
export function redactValue(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return redactText(value, secrets);
  if (typeof value === 'number') {
    const text = redactText(String(value), secrets);
    return text === String(value) ? value : text;
  }
  if (Array.isArray(value)) return value.map(item => redactValue(item, secrets));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([name, item]) => [redactText(name, secrets), redactValue(item, secrets)]),
  );
}
