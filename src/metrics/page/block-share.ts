import { allotSeries } from './series-cap.ts';

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
    return this.#wanted.reduce((sum, count) => sum + count, 0);
  }

  /** How many samples of a block may be shown; infinite when all of them may. */
  of(block: number): number {
    return this.#shares[block] ?? Number.POSITIVE_INFINITY;
  }

  /**
   * @param blocks how many there are now.
   * @param changed those with other samples than before.
   * @param count how many samples a block has.
   * @returns those of which other samples are shown now.
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
