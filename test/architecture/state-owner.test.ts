import { expect, test } from 'vitest';
import { readSources } from './import-graph.ts';

const sources = readSources();

/** Paths of the files whose text has something that matches. */
function filesWith(pattern: RegExp, folder = ''): readonly string[] {
  return sources
    .filter(({ path, text }) => path.startsWith(folder) && pattern.test(text))
    .map(({ path }) => path);
}

test('only the queue writes where a project waits', () => {
  expect(filesWith(/\.(queue|before|after) = /, 'poll/scheduler/')).toEqual([
    'poll/scheduler/queue/queue.ts',
  ]);
});

test('what is known of a watched project is written by the classes of its groups alone', () => {
  const open = sources
    .filter(({ path }) => path.startsWith('poll/scheduler/project/'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/^ {2}(?!readonly |#|return )(\w+)\??(: .*;$| = )/gm)].map(
        ([, name]) => `${path}: ${name}`,
      ),
    );
  expect(open).toEqual([]);
});

test('the unknown has one spelling in the scheduler', () => {
  expect(filesWith(/\bNaN\b|_INFINITY|: number \| null/, 'poll/scheduler/')).toEqual([]);
});

test('the sign of the clock skew is decided in one file', () => {
  const difference = /(servedAt\)? - (\w+\.)?readAt|readAt\)? - (\w+\.)?servedAt|[-+] (this\.#)?skewMs)/;
  expect(filesWith(difference)).toEqual(['resources/clock-skew.ts']);
});
