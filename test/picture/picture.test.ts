import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { catalog } from '../../src/resources/catalog.ts';

const picture = readFileSync(new URL('../../docs/picture.svg', import.meta.url), 'utf8');

test('every element of the picture is closed where it was opened', () => {
  const open: string[] = [];
  const wrong: string[] = [];
  for (const [, isEnd, name = '', isEmpty] of picture.matchAll(/<(\/?)(\w+)[^>]*?(\/?)>/g)) {
    if (isEnd && open.pop() !== name) wrong.push(name);
    if (!isEnd && !isEmpty) open.push(name);
  }
  expect({ open, wrong }).toEqual({ open: [], wrong: [] });
  expect(picture).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 \d+ \d+"/);
});

test('the picture shows metrics that are declared, and only numbers that are some', () => {
  const declared = catalog.flatMap(({ families }) => Object.values(families)).map(({ name }) => name);
  const shown = Array.from(picture.matchAll(/data-metric="([^"]*)"/g), ([, name = '']) => name);
  expect(new Set(shown).size).toBeGreaterThan(8);
  expect(shown.filter(name => !declared.includes(name))).toEqual([]);
  expect(picture).not.toMatch(/NaN|Infinity|undefined/);
});

test('the picture can be read in the light and in the dark, and loads quickly', () => {
  expect(picture).toContain('@media (prefers-color-scheme:dark)');
  expect(Buffer.byteLength(picture)).toBeLessThan(60_000);
});
