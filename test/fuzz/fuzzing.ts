import { test } from 'vitest';
import { isLong, testSeed } from '../support/seed.ts';

interface FuzzCounts {
  /** Cases beside all other tests. */
  readonly quick: number;
  /** Cases of the long suite. */
  readonly long: number;
}

const seed = testSeed();
/** No input may take more of the processor; the endurance tier alone is the judge of that, as a machine may be busy. */
const longestCaseMs = 2000;

/**
 * Tests that something holds for random cases; its name says how many and how to have them again.
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

/** Numbers that look random, the same for the same seed (mulberry32): a case can be had again. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0, below `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  /** One of them; throws where there is none. */
  pick<Item>(items: readonly Item[]): Item {
    if (items.length === 0) throw new Error('nothing to pick from');
    return items[this.below(items.length)] as Item;
  }

  chance(share: number): boolean {
    return this.next() < share;
  }
}
