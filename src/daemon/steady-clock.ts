import type { MeterState } from '../resources/reading.ts';
import type { RequestBudgetState, RequestPressure } from '../resources/request-budget.ts';

interface SteadyClockOptions {
  /** Epoch milliseconds by the host's clock. */
  readonly hostNow?: () => number;
  /** Milliseconds by a clock that never steps. */
  readonly runningMs?: () => number;
}

/**
 * A clock that begins with the host's and never steps: what is to happen after a while happens after that while,
 * whatever is done to the host's clock. Instants that are written down or shown are converted: others compare them with
 * the host's clock as it then is. Instants are whole epoch milliseconds.
 */
export class SteadyClock {
  readonly #hostNow: () => number;
  readonly #runningMs: () => number;
  readonly #beganAt: number;

  constructor({ hostNow = Date.now, runningMs = () => performance.now() }: SteadyClockOptions = {}) {
    this.#hostNow = hostNow;
    this.#runningMs = runningMs;
    this.#beganAt = hostNow() - runningMs();
  }

  readonly now = (): number => Math.floor(this.#beganAt + this.#runningMs());

  /** The host's instant at ours. */
  toHostClock(at: number): number {
    return Math.round(at + this.#aheadMs());
  }

  /** Our instant at the host's. */
  fromHostClock(at: number): number {
    return Math.round(at - this.#aheadMs());
  }

  /** The host's clock minus ours. */
  #aheadMs(): number {
    return this.#hostNow() - this.#beganAt - this.#runningMs();
  }
}

/**
 * A request budget by another clock: by the host's as it is remembered for a later run, by ours as an earlier run left it.
 *
 * @param convert gives the other clock's instant.
 */
export function convertBudget(
  budget: RequestBudgetState,
  convert: (at: number) => number,
): RequestBudgetState {
  const { settledAt, pausedUntil } = budget;
  return { ...budget, settledAt: convert(settledAt), pausedUntil: convert(pausedUntil) };
}

/** The state of the meter as the history has it, by our instants. */
export function meterFromHostClock(state: MeterState, clock: SteadyClock): MeterState {
  const { refusedAt, passes } = state;
  const ours = Object.entries(passes).map(([granularity, pass]) => {
    const { readAt } = pass;
    return [granularity, readAt === undefined ? pass : { ...pass, readAt: clock.fromHostClock(readAt) }];
  });
  return {
    ...state,
    passes: Object.fromEntries(ours),
    ...(refusedAt !== undefined && { refusedAt: clock.fromHostClock(refusedAt) }),
  };
}

/** The accounts that the service wants to be left alone, each with the instant until which. */
export function listPauses(
  accounts: readonly { readonly account: string; pausedUntil(): number | undefined }[],
  clock: SteadyClock,
): (readonly [account: string, untilAt: number])[] {
  return accounts.flatMap(({ account, pausedUntil }) => {
    const untilAt = pausedUntil();
    return untilAt === undefined ? [] : [[account, clock.toHostClock(untilAt)] as const];
  });
}

/** The pressure on a request budget as it is shown. */
export function pressureOnHostClock(pressure: RequestPressure, clock: SteadyClock): RequestPressure {
  const { oldestDueAt } = pressure;
  return { ...pressure, ...(oldestDueAt !== undefined && { oldestDueAt: clock.toHostClock(oldestDueAt) }) };
}
