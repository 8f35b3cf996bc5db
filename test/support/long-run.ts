/** Whether there is time for many cases: `FUZZ=long`, as the tests of test/fuzz have it. */
export const isLong = process.env.FUZZ === 'long';

/** Cases of a test that takes seconds for each: the first alone, or all where there is time. */
export function casesOf<Case>(first: Case, ...others: readonly Case[]): readonly Case[] {
  return isLong ? [first, ...others] : [first];
}
