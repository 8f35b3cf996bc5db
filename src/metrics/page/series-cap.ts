import { sumOf } from '../../resources/sum.ts';

/**
 * How many samples each block of a family may have, so that all of them together keep within the limit: the ones that
 * come first in full, one in part, the rest none. What a block may have depends on those before it alone.
 *
 * @param limit the most samples of the family; 0 for no limit.
 * @param wanted how many samples each block would have, in the order of the page.
 */
export function allotSeries(limit: number, wanted: readonly number[]): readonly number[] {
  if (limit === 0) return wanted.map(() => Number.POSITIVE_INFINITY);
  let left = limit;
  return wanted.map(count => {
    const allowed = left;
    left = count <= left ? left - count : 0;
    return allowed;
  });
}

/**
 * How many subjects of a block are shown, from its first one on: each whole or not at all, and none after one that
 * did not fit, so that no family shows half of a thing and the same subjects are always the ones to go.
 *
 * @param counts how many samples each subject would have.
 */
export function countWhole(allowed: number, counts: readonly number[]): number {
  let left = allowed;
  const end = counts.findIndex(count => {
    left -= count;
    return left < 0;
  });
  return end < 0 ? counts.length : end;
}

/** The number of samples of each block of a family that are shown, so that the family keeps within its limit. */
export class BlockShare {
  readonly #limit: number;
  /** The number of samples of each block without a limit. */
  readonly #wanted: number[] = [];
  #shares: readonly number[] = [];

  /** @param limit the most samples of the family; 0 for no limit. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** How many samples there would be without a limit; 0 where there is none, and nothing is counted. */
  get wanted(): number {
    return sumOf(this.#wanted);
  }

  /** How many samples of a block may be shown; infinite when all of them may. */
  of(block: number): number {
    return this.#shares[block] ?? Number.POSITIVE_INFINITY;
  }

  /**
   * @param blocks how many there are now.
   * @param changed those with other samples than before.
   * @param count how many samples a block has.
   * @returns the ones whose samples are others now.
   */
  renew(blocks: number, changed: readonly number[], count: (block: number) => number): readonly number[] {
    if (this.#limit === 0) return changed;
    while (this.#wanted.length < blocks) this.#wanted.push(0);
    this.#wanted.length = blocks;
    for (const block of changed) this.#wanted[block] = count(block);
    const before = this.#shares;
    this.#shares = allotSeries(this.#limit, this.#wanted).map((allowed, block) =>
      allowed < (this.#wanted[block] ?? 0) ? allowed : Number.POSITIVE_INFINITY,
    );
    const isChanged = new Set(changed);
    return [...this.#shares.keys()].filter(block => {
      const share = this.of(block);
      return share !== (before[block] ?? Number.POSITIVE_INFINITY) || (share > 0 && isChanged.has(block));
    });
  }
}
