import { expect, test } from 'vitest';
import { AnswerBound } from '../../src/http/answer-bound.ts';

/** Answers from pages of some bytes, one after the other; which of them were cut. */
function cutOf(pages: readonly number[], mostBytes: number): readonly number[] {
  const cut: number[] = [];
  const turnedAway: string[] = [];
  const bound = new AnswerBound(
    { mostAnswers: 40, mostBytes },
    reason => turnedAway.push(reason),
    () => 0,
  );
  for (const [index, byteLength] of pages.entries()) bound.begin(() => cut.push(index))?.hold({ byteLength });
  expect(turnedAway).toEqual(cut.map(() => 'too_slow'));
  return cut;
}

test('the oldest answers give way where all of them are sent from too much memory', () => {
  expect(cutOf([10, 10, 10, 10], 40)).toEqual([]);
  expect(cutOf([10, 10, 10, 10, 10, 10], 40)).toEqual([0, 1]);
});

test('readers of a page that is nearly as large as the bound are not cut by the next one', () => {
  expect(cutOf([30, 31], 40)).toEqual([]);
  expect(cutOf([50, 51, 52], 40)).toEqual([0]);
});
