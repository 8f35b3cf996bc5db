import {
  budgetState,
  openBudget,
  type RequestBudget,
  resumeBudget,
  settleBudget,
  shareBurst,
  takeToken,
  useLoans,
} from '../../src/api/pacing/request-budget.ts';
import { ShareLender } from '../../src/lending/share-lender.ts';
import { parseNote, renderNote, type ShareNote } from '../../src/lending/share-note.ts';

/** What may befall one of the shards for a while: `late` reads the notes as they were at its beginning. */
export interface Fault {
  readonly kind: 'kill' | 'stop' | 'outage' | 'late';
  readonly shard: number;
  readonly seconds: number;
}

export interface WorldOptions {
  readonly share: number;
  /** For each shard how far its clock is off, in milliseconds, and how much faster it runs. */
  readonly clocks: readonly { readonly offMs: number; readonly drift: number }[];
  /** Answers in [0, 1). */
  readonly random: () => number;
}

const tickMs = 250;

/**
 * A shard as the daemon runs it: reads, then lends and borrows, then writes; it may stand still in between. It sends all that it
 * may, whatever it says that it needs.
 */
class SimulatedShard {
  readonly #world: LendingWorld;
  readonly #index: number;
  #budget: RequestBudget;
  #lender: ShareLender | undefined;
  #notes: readonly ShareNote[] | undefined;
  #unwritten: ShareNote | undefined;
  #turns = 0;
  #nextTurnAt = 0;
  #run = 0;
  isBusy = false;
  stillUntil = 0;
  isDead = false;
  outageUntil = 0;
  lateUntil = 0;
  #lateNotes: ReadonlyMap<number, string> = new Map();
  sent = 0;

  constructor(world: LendingWorld, index: number) {
    this.#world = world;
    this.#index = index;
    this.#budget = this.#hold(this.#share(openBudget(world.options.share, this.#now())));
  }

  tick(): void {
    if (this.#world.now < this.stillUntil) return;
    if (this.isDead) this.#restart();
    if (this.#unwritten !== undefined) this.#write(this.#unwritten);
    else if (this.#notes !== undefined) this.#step(this.#notes);
    else if (this.#world.now >= this.#nextTurnAt) this.#read();
    this.#send();
  }

  /** Requests a minute that it leaves to others, less those that it has of others. */
  left(): number {
    const { loans, ceilingPerMinute } = this.#budget;
    if (this.isDead || loans === undefined) return ceilingPerMinute;
    const isBorrowing = this.#now() < loans.borrowedUntil;
    return loans.lentPerMinute - (isBorrowing ? loans.borrowedPerMinute : 0);
  }

  #now(): number {
    const { offMs, drift } = this.#world.options.clocks[this.#index] ?? { offMs: 0, drift: 0 };
    return Math.floor(offMs + this.#world.now * (1 + drift));
  }

  #share(budget: RequestBudget): RequestBudget {
    return shareBurst(budget, this.#world.options.clocks.length);
  }

  #makeLender(lent: number | undefined): ShareLender {
    const { share, clocks } = this.#world.options;
    this.#run += 1;
    const makeTurn = () => `${this.#index} ${this.#run} ${this.#turns++}`;
    const shard = { index: this.#index, count: clocks.length };
    return new ShareLender({ shard, share, ceiling: share * clocks.length, makeTurn }, lent, this.#now());
  }

  /** Until it is known what an earlier run lent, all of it may be. */
  #hold(budget: RequestBudget): RequestBudget {
    const lentPerMinute = this.#makeLender(undefined).mostLent;
    return useLoans(budget, { lentPerMinute, borrowedPerMinute: 0, borrowedUntil: 0 }, this.#now());
  }

  #restart(): void {
    this.isDead = false;
    this.#lender = undefined;
    this.#notes = undefined;
    this.#unwritten = undefined;
    const { share } = this.#world.options;
    const state = budgetState(this.#budget);
    this.#budget = this.#hold(this.#share(resumeBudget(share, state, this.#now())));
  }

  #read(): void {
    const { folder, now } = this.#world;
    const isBroken = now < this.outageUntil;
    if (this.#lender === undefined) {
      const own = isBroken ? undefined : folder.get(this.#index);
      this.#lender = this.#makeLender(own === undefined ? undefined : parseNote(own)?.lent);
    }
    if (now >= this.lateUntil) this.#lateNotes = new Map(folder);
    const others = isBroken ? [] : [...this.#lateNotes].filter(([shard]) => shard !== this.#index);
    this.#notes = others.flatMap(([, text]) => parseNote(text) ?? []);
  }

  #step(notes: readonly ShareNote[]): void {
    const { share } = this.#world.options;
    this.#notes = undefined;
    const load = this.isBusy ? 100 * share : share / 10;
    const state = {
      needed: load,
      sent: this.isBusy ? share : 0,
      allowed: share,
      isSlowed: false,
      isDoubled: false,
    };
    const step = this.#lender?.step(notes, state, this.#now());
    if (step === undefined) return;
    const loans = {
      lentPerMinute: step.lent,
      borrowedPerMinute: step.borrowed,
      borrowedUntil: step.borrowedUntil,
    };
    this.#budget = useLoans(this.#budget, loans, this.#now());
    this.#unwritten = step.note;
  }

  #write(note: ShareNote): void {
    const { folder, now } = this.#world;
    this.#unwritten = undefined;
    this.#nextTurnAt = now + 2000;
    if (now >= this.outageUntil) folder.set(this.#index, renderNote(note));
  }

  #send(): void {
    const now = this.#now();
    this.#budget = settleBudget(this.#budget, now);
    for (let next = takeToken(this.#budget, now); next !== undefined; next = takeToken(next, now)) {
      this.#budget = next;
      this.sent += 1;
      this.#world.arrivals.push(this.#world.now + this.#world.options.random() * 999);
    }
  }
}

/** Shards that lend to each other, on hosts whose clocks do not agree. */
export class LendingWorld {
  readonly options: WorldOptions;
  /** The notes by shard. */
  readonly folder = new Map<number, string>();
  readonly shards: readonly SimulatedShard[];
  /** When the service got each request, in milliseconds. */
  readonly arrivals: number[] = [];
  /** The least that was left by all together, in requests a minute: below 0, two had the same part. */
  leastLeft = 0;
  now = 0;

  constructor(options: WorldOptions) {
    this.options = options;
    this.shards = options.clocks.map((_, index) => new SimulatedShard(this, index));
  }

  happen(fault: Fault): void {
    const shard = this.shards[fault.shard % this.shards.length];
    if (shard === undefined) return;
    const untilAt = this.now + fault.seconds * 1000;
    if (fault.kind === 'outage') shard.outageUntil = untilAt;
    else if (fault.kind === 'late') shard.lateUntil = untilAt;
    else {
      shard.stillUntil = untilAt;
      shard.isDead ||= fault.kind === 'kill';
    }
  }

  pass(seconds: number): void {
    for (const untilAt = this.now + seconds * 1000; this.now < untilAt; this.now += tickMs) {
      for (const shard of this.shards) {
        shard.tick();
        this.leastLeft = Math.min(
          this.leastLeft,
          this.shards.reduce((sum, each) => sum + each.left(), 0),
        );
      }
    }
  }

  /** The most requests that arrived in any minute. */
  mostInMinute(): number {
    const sorted = this.arrivals.toSorted((a, b) => a - b);
    let first = 0;
    let most = 0;
    for (const [index, at] of sorted.entries()) {
      while ((sorted[first] ?? at) <= at - 60_000) first += 1;
      most = Math.max(most, index - first + 1);
    }
    return most;
  }
}
