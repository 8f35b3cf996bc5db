import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchesGlob } from '../../src/resources/glob.ts';
import { countSteps } from '../support/step-count.ts';

test.each([
  ['shop', 'shop', true],
  ['shop', 'shops', false],
  ['shop-*', 'shop-', true],
  ['shop-*', 'my-shop-1', false],
  ['*-test', 'a-test-test', true],
  ['*a*b', 'xaabxb', true],
  ['*a*b', 'xaabxbc', false],
  ['?', 'é', true],
  ['?', '', false],
  ['', '', true],
  ['', 'a', false],
  ['a.c', 'abc', false],
  ['[ab]', 'a', false],
  ['[ab]*', '[ab]\n', true],
  ['**', '', true],
])('%j for %j: %j', (glob, text, matches) => expect(matchesGlob(glob, text)).toBe(matches));

test('it says what the same pattern says as a regular expression', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 8 });
  const glob = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '?'), maxLength: 8 });
  fc.assert(
    fc.property(glob, text, (pattern, value) => {
      const source = pattern.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll('?', '.');
      expect(matchesGlob(pattern, value)).toBe(new RegExp(`^${source}$`).test(value));
    }),
    { numRuns: 2000 },
  );
});

test('a hostile glob takes no more steps than it and the text have characters, multiplied', async () => {
  // There are 593,775 ways to give 30 letters to 6 of them.
  const glob = '*a'.repeat(6);
  const text = `${'a'.repeat(30)}b`;
  const steps = await countSteps(
    () => import('../../src/resources/glob.ts'),
    fresh => expect(fresh.matchesGlob(glob, text)).toBe(false),
  );
  expect(steps).toBeGreaterThanOrEqual(text.length);
  expect(steps).toBeLessThanOrEqual(glob.length * text.length);
});
