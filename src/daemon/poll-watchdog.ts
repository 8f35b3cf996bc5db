import { minuteMs, secondMs } from '../resources/duration.ts';

/** Far longer than a list poll ever is silent: one request ends within a minute, however slow the service is. */
const defaultPatienceMs = 5 * minuteMs;
const tickMs = secondMs;
/** A tick that took longer says that this process did not run: it was stopped, suspended, or kept from its timers. */
const longestTickMs = 5 * tickMs;

/** Polling that gave no sign of life for too long. */
export interface Stall {
  readonly account: string;
  readonly what: string;
}

interface PollWatchdogOptions {
  readonly patienceMs?: number;
  /** Milliseconds by a clock that never steps. */
  readonly runningMs?: () => number;
  /** Told what is stalled whenever that has changed. */
  readonly onChange?: (stalls: readonly Stall[]) => void;
}

/**
 * Tells whether polling goes on. What is polled gives signs of life, and the next one is awaited for a while of this
 * process: time in which it did not run at all does not count, so that nothing seems stalled when it runs again.
 */
export class PollWatchdog {
  readonly #patienceMs: number;
  readonly #runningMs: () => number;
  readonly #onChange: (stalls: readonly Stall[]) => void;
  readonly #awaited = new Map<string, Stall & { readonly untilMs: number }>();
  readonly #timer: NodeJS.Timeout;
  #seenMs: number;
  #ranMs = 0;
  #told = '';

  constructor({ patienceMs, runningMs, onChange }: PollWatchdogOptions = {}) {
    this.#patienceMs = patienceMs ?? defaultPatienceMs;
    this.#runningMs = runningMs ?? (() => performance.now());
    this.#onChange = onChange ?? (() => {});
    this.#seenMs = this.#runningMs();
    this.#timer = setInterval(() => this.#tick(), tickMs).unref();
  }

  /** Takes down a sign of life, after which there may be none for as long as `quietMs` says, and a while. */
  sign(account: string, what: string, quietMs = 0): void {
    const untilMs = this.#ran() + quietMs + this.#patienceMs;
    this.#awaited.set(JSON.stringify([account, what]), { account, what, untilMs });
  }

  /** Awaits nothing any more: what is polled from now on gives its own signs. */
  beginAnew(): void {
    this.#awaited.clear();
  }

  /** The polling that has stalled. */
  list(): readonly Stall[] {
    const ranMs = this.#ran();
    return [...this.#awaited.values()]
      .filter(({ untilMs }) => untilMs < ranMs)
      .map(({ account, what }) => ({ account, what }));
  }

  /** Whether each account is polled. */
  accounts(): ReadonlyMap<string, boolean> {
    const stalled = new Set(this.list().map(({ account }) => account));
    return new Map([...this.#awaited.values()].map(({ account }) => [account, stalled.has(account)]));
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    const stalls = this.list();
    const text = JSON.stringify(stalls);
    if (text === (this.#told || '[]')) return;
    this.#told = text;
    this.#onChange(stalls);
  }

  /** Milliseconds that this process really ran. */
  #ran(): number {
    const now = this.#runningMs();
    this.#ranMs += Math.min(now - this.#seenMs, longestTickMs);
    this.#seenMs = now;
    return this.#ranMs;
  }
}

/** One sentence about what is stalled, without the names of accounts, as health may be asked without a login. */
export function describeStalls(stalls: readonly Stall[]): string | undefined {
  if (stalls.length === 0) return undefined;
  const what = new Set(stalls.map(each => each.what));
  const accounts = new Set(stalls.map(({ account }) => account)).size;
  const of = accounts === 1 ? 'one account' : `${accounts} accounts`;
  return `dbpm-exporter has stalled: polling ${[...what].join(' and ')} of ${of} gave no sign of life for minutes.`;
}
