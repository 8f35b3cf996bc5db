import { leaseMs } from './lease.ts';
import type { Loan, ShareNote } from './share-note.ts';

/** Clocks of two hosts run at speeds that differ by far less than this. */
const slack = 1.1;
/** No shard has this number. */
const unknownShard = -1;

interface Given {
  readonly to: number;
  readonly perMinute: number;
  /** From when on it is surely not used any more. */
  readonly untilAt: number;
}

interface Terms {
  /** Requests a minute that need not be kept. */
  readonly lendable: number;
  readonly now: number;
}

/** Loans of a shard, each for as long as it may be in use, however many came after it. */
export class GivenLoans {
  #given: readonly Given[];
  /** The last loan to each shard. */
  readonly #last = new Map<number, Loan>();

  /** @param earlier requests a minute that an earlier run may have lent. */
  constructor(earlier: number, now: number) {
    this.#given = [{ to: unknownShard, perMinute: earlier, untilAt: now + slack * leaseMs }];
  }

  /** Requests a minute that may be in use: of each shard its largest loan. */
  get lent(): number {
    return [...new Set(this.#given.map(({ to }) => to))].reduce((sum, to) => sum + this.#lentTo(to), 0);
  }

  /** The loans for those who lack something, each once for every turn in which it asked. */
  answer(notes: readonly ShareNote[], { lendable, now }: Terms): readonly Loan[] {
    this.#given = this.#given.filter(({ untilAt }) => now < untilAt);
    const asking = notes.filter(({ shard, turn }) => turn !== this.#last.get(shard)?.turn);
    const wanting = notes.filter(({ wanted }) => wanted > 0).length;
    for (const { shard: to, turn, wanted } of asking) {
      const before = this.#lentTo(to);
      const fair = Math.floor(Math.min(wanted, lendable / Math.max(1, wanting)));
      const perMinute = Math.min(fair, before + Math.max(0, Math.floor(lendable - this.lent)));
      this.#last.delete(to);
      if (perMinute === 0) continue;
      this.#last.set(to, { to, turn, perMinute });
      this.#given = [...this.#given, { to, perMinute, untilAt: now + slack * leaseMs }];
    }
    return [...this.#last.values()].filter(({ to }) => this.#lentTo(to) > 0);
  }

  #lentTo(shard: number): number {
    return this.#given.reduce(
      (most, { to, perMinute }) => (to === shard ? Math.max(most, perMinute) : most),
      0,
    );
  }
}
