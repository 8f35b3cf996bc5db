import { expect, test } from 'vitest';
import { renderDuration } from '../../src/resources/duration.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

test.each([
  [0, '0s'],
  [6.5 * second, '6.5s'],
  [59.9 * second, '59.9s'],
  [34 * minute + 10 * second, '34m10s'],
  [4 * hour + 45 * minute, '4h45m'],
  [45 * day, '45d'],
  [2 * day + 3 * hour, '2d3h'],
  [Number.POSITIVE_INFINITY, 'never'],
])('%d ms are %s: two units, the smaller one rounded', (durationMs, text) => {
  expect(renderDuration(durationMs)).toBe(text);
});

test.each([
  [59.96 * second, '1m'],
  [hour - 0.3 * second, '1h'],
  [day - 20 * second, '1d'],
  [2 * minute - 0.4 * second, '2m'],
  [3 * day - 20 * minute, '3d'],
])('%d ms, which round up to a whole larger unit, are %s', (durationMs, text) => {
  expect(renderDuration(durationMs)).toBe(text);
});

test('no duration up to a week has as many of a unit as make the next larger one', () => {
  const texts: string[] = [];
  for (let durationMs = 0; durationMs <= 7 * day; durationMs += 1 + durationMs / 5000) {
    texts.push(renderDuration(durationMs));
  }
  expect(texts.filter(text => /(?<!\d)(60s|60m|24h)/.test(text))).toEqual([]);
});
