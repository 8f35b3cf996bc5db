/**
 * The seed of what a test draws at random. It is the same in every run, so that a run says the same again, unless
 * `TEST_SEED` gives another one, as `npm run endurance` does. Names of tests have it, as `TEST_SEED=…`.
 *
 * @param usual where none is given.
 */
export function testSeed(usual = 1): number {
  const seed = Number(process.env.TEST_SEED ?? usual);
  if (!Number.isSafeInteger(seed))
    throw new Error(`TEST_SEED is a whole number, not ${process.env.TEST_SEED}`);
  return seed;
}

/** Seeds of runs that follow each other, the first of which is that of the run. */
export function testSeeds(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => testSeed() + index);
}

/** Whether tests try as many cases as `npm run endurance` wants. */
export const isLong = process.env.FUZZ === 'long';

/** Cases of a test that takes seconds for each: the first alone, or all where there is time. */
export function casesOf<Case>(first: Case, ...others: readonly Case[]): readonly Case[] {
  return isLong ? [first, ...others] : [first];
}

/** Cases that a property is tried with; ten times as many where there is time. */
export function runs(count: number): number {
  return isLong ? 10 * count : count;
}
