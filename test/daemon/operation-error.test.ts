import { expect, test } from 'vitest';
import { cleanError } from '../../src/daemon/account-watch.ts';
import { findSpellings } from '../support/canary.ts';

const key = 'canary-3fa81c60d75b29e4';
const operation = { operation_id: 'o', action: 'start_compute', status: 'failed' };
const clean = (error: string) => cleanError({ ...operation, error }, () => key).error;

test('an operation without an error stays as it is', () => {
  expect(cleanError(operation, () => key)).toBe(operation);
});

test('the words on an error stand on one line, with nothing invisible in them', () => {
  expect(clean(' no room\n\tfor \u202ecompute\u0000 ')).toBe('no room for compute');
  expect(clean('\n')).toBeUndefined();
});

test('the words are cut where they are longer than anybody reads', () => {
  expect(clean('🐘'.repeat(600))).toBe(`${'🐘'.repeat(499)}…`);
});

test('no spelling of the key is in the words, nor a part of it where they are cut', () => {
  for (const said of [key, encodeURIComponent(key), Buffer.from(key).toString('base64'), key.toUpperCase()]) {
    const shown = clean(`denied for ${said}`) ?? '';
    expect(shown).toContain('[redacted]');
    expect(findSpellings(key, shown)).toEqual([]);
  }
  expect(clean(`${'x '.repeat(245)}${key}`)).not.toContain('canary');
});

test('the words are dropped where the key cannot be read, as they may hold it', () => {
  const unreadable = () => {
    throw new Error('no such file');
  };
  expect(cleanError({ ...operation, error: `denied for ${key}` }, unreadable)).toStrictEqual(operation);
});
