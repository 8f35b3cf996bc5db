import { expect, test } from 'vitest';
import { holdsSecret } from '../../src/daemon/serving.ts';
import { redactText } from '../../src/log/redaction.ts';

const key = 'key-7d1f0c55e2a94b83/+ä';
const redact = (text: string) => redactText(text, [key]);

test.each([
  ['/projects', '', false],
  ['/projects', '?q=shop', false],
  ['/%ff', '?%', false],
  [`/${key}`, '', true],
  ['/keys', `?account=${key}`, true],
  [`/${encodeURIComponent(key)}`, '', true],
  ['/keys', `?account=${new URLSearchParams({ key })}`, true],
  [
    '/keys',
    `?account=${[...Buffer.from(key)].map(byte => `%${byte.toString(16).padStart(2, '0')}`).join('')}`,
    true,
  ],
])('%s%s has a key in it: %s', (path, search, expected) => {
  expect(holdsSecret({ path, search }, redact)).toBe(expected);
});
