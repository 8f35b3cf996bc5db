import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BudgetLoans } from '../api/pacing/request-budget.ts';
import { LendingFolder } from '../lending/lending-folder.ts';
import { ShareLender } from '../lending/share-lender.ts';
import type { ProblemLog } from '../log/problem-log.ts';
import { minuteMs, secondMs } from '../resources/duration.ts';
import type { Shard } from '../resources/shard.ts';
import { lendingWork } from './repeated-work.ts';
import type { SteadyClock } from './steady-clock.ts';

/** The request budget of an account as it is lent from. */
export interface LentBudget {
  readonly account: string;
  /** Requests that were let pass since the start. */
  requestsPassed(): number;
  budgetPerMinute(): number;
  /** Whether the service said of late that requests were too many. */
  isSlowed(): boolean;
  /** Requests a minute that everything due at its own pace would take. */
  neededPerMinute(): number;
  useLoans(loans: BudgetLoans): void;
}

export interface LendingOptions {
  readonly folder: string;
  readonly shard: Shard;
  /** Requests a minute of this shard. */
  readonly share: number;
  /** Requests a minute of all shards together. */
  readonly ceiling: number;
  readonly clock: SteadyClock;
  readonly problems: ProblemLog;
  /** From one turn to the next, in milliseconds; so that there are several in a lease, unless given. */
  readonly turnMs?: number;
}

/** With less than this, in requests a minute, a shard has nothing to lend. */
export const leastShare = 10;
const usualTurnMs = 2 * secondMs;
/** Requests are counted over so long. */
const sentOverMs = 20 * secondMs;
/** The host's clock goes on while a host sleeps, and the one that leases are measured by may not. */
const mostStepMs = secondMs;
/** A folder that hangs is not waited for at the end. */
const longestEndMs = 2 * secondMs;

const doubled =
  'another process speaks for this shard there, so nothing is lent: give each set of shards a folder of its own';

/** Lends from the request budget of an account to other shards, and borrows of them, through a folder. */
export class BudgetLending {
  readonly #budget: LentBudget;
  readonly #options: LendingOptions;
  readonly #folder: LendingFolder;
  readonly #stopped = new AbortController();
  readonly #running: Promise<void>;
  readonly #sent: { readonly at: number; readonly passed: number }[] = [];
  #loans: BudgetLoans;
  /** The last one that was written down. */
  #turn: string | undefined;
  /** The host's clock minus ours. */
  #aheadMs = 0;

  /** Begins at once with what may be lent already left alone. */
  constructor(budget: LentBudget, options: LendingOptions) {
    this.#budget = budget;
    this.#options = options;
    this.#folder = new LendingFolder(options.folder, budget.account, options.shard);
    this.#loans = this.#use(this.#makeLender(undefined).mostLent, 0, 0);
    this.#running = this.#run();
  }

  /** Requests a minute that are lent and borrowed now. */
  state(): { readonly lent: number; readonly borrowed: number } {
    const { lentPerMinute, borrowedPerMinute, borrowedUntil } = this.#loans;
    const isBorrowed = this.#options.clock.now() < borrowedUntil;
    return { lent: lentPerMinute, borrowed: isBorrowed ? borrowedPerMinute : 0 };
  }

  /** Ends it; what is lent stays written down for the next one. */
  async close(): Promise<void> {
    this.#stopped.abort();
    await Promise.race([this.#running, sleep(longestEndMs, undefined, { ref: false })]);
  }

  async #run(): Promise<void> {
    const { problems, turnMs = usualTurnMs } = this.#options;
    const about = { account: this.#budget.account };
    const own = await this.#folder.readOwn();
    const lender = this.#makeLender(own?.lent);
    while (!this.#stopped.signal.aborted) {
      try {
        await this.#takeTurn(lender);
        problems.succeed(lendingWork, about);
      } catch (error) {
        problems.fail(lendingWork, about, error);
      }
      await sleep(turnMs, undefined, { signal: this.#stopped.signal }).catch(() => {});
    }
  }

  async #takeTurn(lender: ShareLender): Promise<void> {
    const own = await this.#folder.readOwn();
    // A daemon that was stopped may have a successor by now.
    const isDoubled = this.#turn !== undefined && own?.turn !== this.#turn;
    const notes = await this.#folder.readOthers();
    const now = this.#options.clock.now();
    const aheadMs = this.#options.clock.toHostClock(now) - now;
    if (Math.abs(aheadMs - this.#aheadMs) > mostStepMs) lender.forgetTurns();
    this.#aheadMs = aheadMs;
    const { note, lent, borrowed, borrowedUntil } = lender.step(
      notes,
      { ...this.#look(now), isDoubled },
      now,
    );
    // Nobody may use what is lent before this shard does without it.
    this.#use(lent, borrowed, borrowedUntil);
    await this.#folder.write(note);
    this.#turn = note.turn;
    if (isDoubled && own !== undefined) throw new Error(doubled);
  }

  #makeLender(lent: number | undefined): ShareLender {
    return new ShareLender({ ...this.#options, makeTurn: randomUUID }, lent, this.#options.clock.now());
  }

  #use(lentPerMinute: number, borrowedPerMinute: number, borrowedUntil: number): BudgetLoans {
    this.#loans = { lentPerMinute, borrowedPerMinute, borrowedUntil };
    this.#budget.useLoans(this.#loans);
    return this.#loans;
  }

  #look(now: number) {
    const passed = this.#budget.requestsPassed();
    this.#sent.push({ at: now, passed });
    while (now - (this.#sent[0]?.at ?? now) > sentOverMs) this.#sent.shift();
    const [first = { at: now, passed }] = this.#sent;
    return {
      needed: this.#budget.neededPerMinute(),
      sent: first.at < now ? ((passed - first.passed) * minuteMs) / (now - first.at) : 0,
      allowed: this.#budget.budgetPerMinute(),
      isSlowed: this.#budget.isSlowed(),
    };
  }
}
