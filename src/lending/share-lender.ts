import type { Shard } from '../resources/shard.ts';
import { GivenLoans } from './given-loan.ts';
import { leaseMs } from './lease.ts';
import type { ShareNote } from './share-note.ts';

export interface LenderOptions {
  readonly shard: Shard;
  /** Requests a minute of this shard. */
  readonly share: number;
  /** Requests a minute of all shards together. */
  readonly ceiling: number;
  /** A text that no shard ever had. */
  readonly makeTurn: () => string;
}

/** How a shard stands at an instant. */
export interface ShareState {
  /** Requests a minute that everything due at its own pace would take. */
  readonly needed: number;
  /** Requests a minute that were sent of late. */
  readonly sent: number;
  /** Requests a minute that it allows itself. */
  readonly allowed: number;
  /** The service said that requests were too many, and the share has not recovered. */
  readonly isSlowed: boolean;
  /** Whether another process speaks for this shard, too, and may lend the same. */
  readonly isDoubled: boolean;
}

export interface LenderStep {
  /** The note that others are to be told. */
  readonly note: ShareNote;
  /** Requests a minute, lent from now on. */
  readonly lent: number;
  /** Requests a minute, borrowed until then at the latest. */
  readonly borrowed: number;
  readonly borrowedUntil: number;
}

/** A shard that lends always keeps this part of its share. */
const keptShare = 0.2;
/** More than is needed just now is kept. */
const margin = 1.25;
/** A budget of which so much is used is too small, whatever is due: what is not yet due gets half of it at most. */
const usedUp = 0.9;

/**
 * Lends what a shard does not need of its share of an account's requests, and borrows of the others. Whoever lends gives
 * up first, and takes back when the lease is surely over: it counts from an instant after the turn that it answers, while
 * the borrower counts from before that turn. So no two clocks are compared, and nothing that is lost, late or read twice
 * lets two shards use the same part. Instants are milliseconds by a clock of this host that never steps.
 */
export class ShareLender {
  readonly #options: LenderOptions;
  readonly #given: GivenLoans;
  readonly #startedAt: number;
  /** The turns of this shard that loans may still answer, with their beginnings. */
  #turns: { readonly turn: string; readonly at: number }[] = [];

  /** @param lent what an earlier run lent at most; undefined where it is not known. */
  constructor(options: LenderOptions, lent: number | undefined, now: number) {
    this.#options = options;
    this.#given = new GivenLoans(Math.min(lent ?? this.mostLent, options.share), now);
    this.#startedAt = now;
  }

  /** The most that this shard ever lends, in requests a minute. */
  get mostLent(): number {
    return Math.floor(this.#options.share * (1 - keptShare));
  }

  /** Borrows nothing more of what was asked for until now: the clock may have stood still meanwhile. */
  forgetTurns(): void {
    this.#turns = [];
  }

  /** Reads what the others tell, and answers it. */
  step(notes: readonly ShareNote[], state: ShareState, now: number): LenderStep {
    const { shard, ceiling, makeTurn } = this.#options;
    const partners = notes.filter(
      note => note.shards === shard.count && note.ceiling === ceiling && note.shard !== shard.index,
    );
    this.#turns = this.#turns.filter(({ at }) => now < at + leaseMs);
    const { borrowed, borrowedUntil } = this.#borrow(partners, now);
    const wanted = this.#findWanted(state);
    const loans = this.#given.answer(partners, { lendable: this.#findLendable(state, now), now });
    const { lent } = this.#given;
    const turn = makeTurn();
    this.#turns.push({ turn, at: now });
    const note = { shard: shard.index, shards: shard.count, ceiling, turn, wanted, lent, loans };
    return { note, lent, borrowed, borrowedUntil };
  }

  /** All loans to this shard, until the first of them ends. */
  #borrow(partners: readonly ShareNote[], now: number): Pick<LenderStep, 'borrowed' | 'borrowedUntil'> {
    const { shard, share, ceiling } = this.#options;
    let borrowed = 0;
    let borrowedUntil = now + leaseMs;
    for (const { loans } of partners) {
      const loan = loans.find(({ to }) => to === shard.index);
      const asked = loan && this.#turns.find(({ turn }) => turn === loan.turn);
      if (loan === undefined || asked === undefined) continue;
      borrowed += loan.perMinute;
      borrowedUntil = Math.min(borrowedUntil, asked.at + leaseMs);
    }
    return { borrowed: Math.min(borrowed, ceiling - share), borrowedUntil };
  }

  #findWanted(state: ShareState): number {
    const { share } = this.#options;
    if (state.isSlowed || state.allowed === 0) return 0;
    return Math.max(0, Math.ceil(state.needed * margin - share), isUsedUp(state) ? share : 0);
  }

  #findLendable(state: ShareState, now: number): number {
    // Only once the list was read is it known what is due.
    if (now < this.#startedAt + leaseMs) return 0;
    if (state.isSlowed || state.isDoubled || isUsedUp(state)) return 0;
    return Math.max(0, Math.min(this.mostLent, this.#options.share - Math.ceil(state.needed * margin)));
  }
}

function isUsedUp({ sent, allowed }: ShareState): boolean {
  return sent >= usedUp * allowed;
}
