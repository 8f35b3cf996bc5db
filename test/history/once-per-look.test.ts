import { expect, test } from 'vitest';
import { oncePerLook } from '../../src/history/usage/once-per-look.ts';

test('a thing is made once for each key of a look', () => {
  const made: string[] = [];
  const once = oncePerLook<string, string>();
  const [look, other] = [{}, {}];
  const ask = (at: object, key: string) =>
    once(at, key, () => {
      made.push(key);
      return `${key} ${made.length}`;
    });
  expect([ask(look, 'a'), ask(look, 'a'), ask(look, 'b'), ask(other, 'a')]).toEqual([
    'a 1',
    'a 1',
    'b 2',
    'a 3',
  ]);
  expect(made).toEqual(['a', 'b', 'a']);
});
