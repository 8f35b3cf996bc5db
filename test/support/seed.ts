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
