import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redactText, redactValue } from '../../src/log/redaction.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('a key that is a word', () => {
  test.each([
    ['DBPM_API_KEY_FILE cannot be read', 'KEY', 'DBPM_API_KEY_FILE cannot be read'],
    ['the keyring has no MONKEYS', 'KEY', 'the keyring has no MONKEYS'],
    ['dbpm-exporter serves dbpm_up', 'dbpm', 'dbpm-exporter serves dbpm_up'],
    ['read of project fresh-main-17', 'main', 'read of project fresh-main-17'],
    ['Schlüssel', 'ssel', 'Schlüssel'],
    ['HTTP 401 after 12401 ms', '401', 'HTTP [redacted] after 12401 ms'],
  ])('stays within other words: %s', (text, key, expected) => {
    expect(redactText(text, [key])).toBe(expected);
  });

  test.each([
    ['Bearer KEY', 'Bearer [redacted]'],
    ['authorization: KEY', 'authorization: [redacted]'],
    ['https://x/?k=KEY&n=1', 'https://x/?k=[redacted]&n=1'],
    ['https://x/KEY/', 'https://x/[redacted]/'],
    ['https://KEY@x', 'https://[redacted]@x'],
    ['{"code":"KEY"}', '{"code":"[redacted]"}'],
    [String.raw`"a\nKEY\tb"`, String.raw`"a\n[redacted]\tb"`],
    ['next=%2FKEY%2F', 'next=%2F[redacted]%2F'],
    ['x=KEY', 'x=[redacted]'],
    ['--key=KEY,KEY;KEY', '--key=[redacted],[redacted];[redacted]'],
    ['KEY', '[redacted]'],
    ['KEY.', '[redacted].'],
    ['(KEY)', '([redacted])'],
    ['KEY - no', '[redacted] - no'],
    [`Basic ${base64('KEY')}`, 'Basic [redacted]'],
  ])('is redacted as a value of its own: %s', (text, expected) => {
    expect(redactText(text, ['KEY'])).toBe(expected);
  });
});

describe('a key that no message has by chance', () => {
  const key = 'dbpm+2a/9Zq4==';

  test.each([
    [`x${key}y_${key}`, 'x[redacted]y_[redacted]'],
    [`k=${encodeURIComponent(key)}`, 'k=[redacted]'],
    [`k=${encodeURIComponent(key).replaceAll(/%../g, octet => octet.toLowerCase())}`, 'k=[redacted]'],
    [`"${'k"ey\\2026'}" and ${JSON.stringify('k"ey\\2026')}`, '"[redacted]" and "[redacted]"'],
  ])('is redacted wherever it stands: %s', (text, expected) => {
    expect(redactText(text, [key, 'k"ey\\2026'])).toBe(expected);
  });

  test('is redacted in base64, with whatever it was encoded together', () => {
    for (const before of ['', 'u:', 'user:', 'anybody:']) {
      for (const after of ['', '@x', '; and more']) {
        const text = `Basic ${base64(`${before}${key}${after}`)}`;
        const safe = redactText(text, [key]);
        expect(safe).toContain('[redacted]');
        expect(Buffer.from(safe.replace('Basic ', ''), 'base64').toString()).not.toContain(key.slice(2, -2));
        const urlText = text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
        expect(redactText(urlText, [key])).toContain('[redacted]');
      }
    }
  });

  test('leaves nothing of a longer one that begins with it', () => {
    expect(redactText('abcdefgh1234 abcdefgh1', ['abcdefgh1', 'abcdefgh1234'])).toBe('[redacted] [redacted]');
  });
});

test('no key of eight characters or more with a digit is left in any text', () => {
  const key = fc
    .stringMatching(/^[!-~]{8,24}$/)
    .filter(text => /\d/.test(text) && !'[redacted]'.includes(text));
  fc.assert(
    fc.property(key, fc.string(), fc.string(), (secret, before, after) => {
      expect(redactText(`${before}${secret}${after}`, [secret])).not.toContain(secret);
      const safe = JSON.stringify(redactValue({ [before]: [secret], text: secret + after }, [secret]));
      expect(safe).not.toContain(JSON.stringify(secret).slice(1, -1));
    }),
  );
});

test('an empty key redacts nothing', () => {
  expect(redactText('as it was', [''])).toBe('as it was');
});

describe('a key that a service repeats in disguise', () => {
  const key = 'canary-7d1f0c55e2a94b83';
  const bytes = [...Buffer.from(key)].map(byte => byte.toString(16));
  const spellings = [
    ['capitals', key.toUpperCase()],
    ['capitals and small letters', key.replace('canary', 'CaNaRy')],
    ['backwards', [...key].reverse().join('')],
    ['hexadecimal digits', bytes.join('')],
    ['hexadecimal capitals', bytes.join('').toUpperCase()],
    ['percent signs', bytes.map(byte => `%${byte}`).join('')],
    ['escapes of JSON', bytes.map(byte => String.raw`\u00${byte}`).join('')],
    ['base64', base64(key)],
    ['base64 for addresses', Buffer.from(key).toString('base64url')],
    ['base64 of more', base64(`user:${key}@host`)],
  ] as const;

  test.each(spellings)('is redacted in %s', (_, spelling) => {
    const safe = redactText(`said: ${spelling}, no`, [key]);
    expect(safe).toContain('[redacted]');
    expect(safe.toLowerCase()).not.toContain(spelling.slice(6, 20).toLowerCase());
  });

  test.each([
    ['fields', { message: key.slice(0, 12), code: key.slice(12) }],
    ['words', { message: `${key.slice(0, 11)} ${key.slice(11)}` }],
    ['a text that was cut', { message: `${key.slice(0, 15)}…` }],
    ['halves in base64', { message: base64(key).slice(0, 16), code: base64(key).slice(16) }],
    ['halves backwards', { message: [...key].reverse().join('').slice(3, 14) }],
  ])('is redacted in pieces: %s', (_, fields) => {
    const safe = JSON.stringify(redactValue(fields, [key]));
    for (const value of Object.values(fields)) expect(safe).not.toContain(value.slice(-9));
    expect(safe).toContain('[redacted]');
  });

  test('is not seen in words, dates and numbers that it shares with other texts', () => {
    const text = 'canary 2026-11-22T08:05:19.191Z 1767225600500 proj-7d1f ep-0c55 canary-release';
    expect(redactText(text, [key])).toBe(text);
  });
});
