import { expect, test } from 'vitest';
import { wordSections } from '../../../src/console/part/word/word-list.ts';
import { pages } from '../../../src/console/site.ts';

const words = wordSections.flatMap(section => section.words);

test('no two words have one name', () => {
  const ids = words.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThan(30);
});

test.each(words)('$word is explained in one or two sentences, or three, with an example in numbers', each => {
  expect(each.meaning).toMatch(/^[^a-z].*\.$/);
  // Full stops inside sentences are of numbers and settings.
  expect(each.meaning.split(/[.:] (?=[A-Z“])/).length).toBeLessThanOrEqual(3);
  expect(each.example).toMatch(/\d/);
  expect(each.example).toMatch(/\.$/);
});

test('every page that is listed but the first has words of its own', () => {
  const listed = pages.filter(({ isListed, path }) => isListed && path !== '/');
  for (const { path, words: own = [] } of listed) expect(own, path).not.toEqual([]);
});
