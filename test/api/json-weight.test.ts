import { expect, onTestFinished, test, vi } from 'vitest';
import { isWithinBounds, readAnswer } from '../../src/api/message/answer.ts';

const bounds = { values: 5, depth: 3 };

test.each([
  ['[]', true],
  ['[1,2,3,4,5]', true],
  ['[1,2,3,4,5,6]', false],
  ['[{},{},{}]', false],
  ['{"a":"[,,,,,,,]","b":1}', true],
  ['["\\\\",",,,,,\\",,,,,"]', true],
  ['[[[1]]]', true],
  ['[[[[1]]]]', false],
  ['["[[[["]', true],
  ['not JSON at all', true],
])('%s is within five values and three levels: %s', (text, isWithin) => {
  expect(isWithinBounds(text, bounds)).toBe(isWithin);
});

const read = (text: string) =>
  readAnswer(
    { status: 200, date: undefined, retryAfter: undefined, contentType: 'application/json', text },
    { route: '/projects', apiKey: 'key', now: 0, longestPauseMs: 0 },
  );

test('an answer of millions of empty items is refused before it is parsed', () => {
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  expect(read(`{"projects":[${'{},'.repeat(3_000_000)}{}]}`)).toMatchObject({ reason: 'too_large' });
  expect(parse).not.toHaveBeenCalled();
});

test('a list of a hundred thousand projects in one answer is read', () => {
  const project = { id: 'p-1', name: 'shop', region_id: 'eu', cpu_used_sec: 1, a: 1, b: 2, c: [1, 2] };
  const projects = Array(100_000).fill(JSON.stringify(project)).join();
  expect(read(`{"projects":[${projects}]}`)).not.toBeInstanceOf(Error);
});
