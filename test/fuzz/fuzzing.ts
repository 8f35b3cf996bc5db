import { test } from 'vitest';
import { isLong, testSeed } from '../support/seed.ts';
import { Random } from './random.ts';

interface FuzzCounts {
  /** Cases beside all other tests. */
  readonly quick: number;
  /** Cases of the long suite. */
  readonly long: number;
}

const seed = testSeed();
/** No input may take more of the processor; measured where nothing hangs on one moment of the machine. */
const longestCaseMs = 2000;

/**
 * Tests that something holds for so many random cases; its name says how many and how to have them again.
 *
 * @param check throws where it does not hold; gets the random numbers of its case alone.
 */
export function fuzz(
  claim: string,
  { quick, long }: FuzzCounts,
  check: (random: Random) => void | Promise<void>,
): void {
  const cases = isLong ? long : quick;
  test(`${claim} (${cases.toLocaleString('en')} cases, TEST_SEED=${seed})`, async () => {
    for (let index = 0; index < cases; index += 1) {
      const before = process.cpuUsage();
      try {
        const checked = check(new Random(seed + index));
        if (checked !== undefined) await checked;
      } catch (cause) {
        throw new Error(`case ${index}, which TEST_SEED=${seed + index} begins with`, { cause });
      }
      const { user, system } = process.cpuUsage(before);
      const tookMs = (user + system) / 1000;
      if (isLong && tookMs > longestCaseMs)
        throw new Error(`case ${index} of TEST_SEED=${seed} took ${tookMs} ms`);
    }
  }, 600_000);
}
