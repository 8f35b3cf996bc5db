import { minuteMs, secondMs } from '../../resources/duration.ts';
import { PageProblem } from '../page-problem.ts';
import { waitAtMost } from '../patience.ts';

/** At most one part in twenty of the time is spent on making a thing again. */
const restPerWork = 19;
/** At most one part in ten of the time is spent on making again all things that take longer than a second. */
const longMs = secondMs;
const restPerLongWork = 9;
/** A thing that no reader has asked for since waits no longer to be made again. */
const longestWaitMs = minuteMs;
/** How long a stale thing is kept. Readers wait for a new one then. */
const longestStaleMs = 10 * minuteMs;
/** Cells of all that is kept together. One that has more is kept alone, and only while it is fresh. */
const mostCells = 400_000;
/** A page with other things to say waits no longer. */
const soonMs = 0.7 * secondMs;
/** A thing that has been stale for longer is old: a reader waits for a new one, where that comes soon. */
const longestUnnoticedMs = 30 * secondMs;
/** How long a thing is shown to everyone after it was made. */
export const usualFreshMs = 10 * secondMs;

/**
 * Makes a thing, or says why it cannot.
 *
 * @param now epoch milliseconds.
 * @param signal aborted when the last reader has gone.
 */
export type Make<Value> = (now: number, signal: AbortSignal) => Promise<Made<Value>>;

/** A thing, and how it is kept. */
interface Made<Value> {
  readonly value: Value;
  readonly cells?: number;
  /** How long it is as good as new, longer where making it took long; undefined where the next reader may see more. */
  readonly freshMs: number | undefined;
}

interface Kept<Value> {
  readonly value: Value;
  readonly cells: number;
  readonly tookMs: number;
  readonly freshUntil: number;
  readonly keptUntil: number;
}

/** A thing that is being made, and how many readers it is made for. */
interface Making<Value> {
  readonly begunAt: number;
  readonly end: Promise<Value>;
  readers: number;
  /** Ends the making, unless it has begun. */
  readonly drop: () => void;
}

/** The time that caches share for making things again that take long: one after the other, the one that waits for longest first. */
export class RenewalTime {
  #restsUntil = 0;
  /** When each that waits was last asked for, in the order in which they began to wait. */
  readonly #waiting = new Map<string, number>();

  /** Takes as long of it as the thing took the last time; false where it is spent for now, or another one comes first. */
  take(key: string, tookMs: number, now: number): boolean {
    if (tookMs <= longMs) return true;
    this.#waiting.set(key, now);
    if (now < this.#restsUntil) return false;
    for (const [first, askedAt] of this.#waiting) {
      if (first === key) break;
      if (now - askedAt < longestWaitMs) return false;
      this.#waiting.delete(first);
    }
    this.#waiting.delete(key);
    this.#restsUntil = now + (1 + restPerLongWork) * tookMs;
    return true;
  }
}

/**
 * Keeps things that take a while to make, by key: a fresh one is shown; a stale one is shown at once, and made again for the next
 * reader; an old one is shown where a new one does not come soon, and one that is too old is waited for. Each is made once at a
 * time for all who ask, and dropped when all of them have gone.
 */
export class RenewingCache<Value> {
  readonly #now: () => number;
  readonly #time: RenewalTime;
  /** The one asked for last is the last. */
  readonly #kept = new Map<string, Kept<Value>>();
  readonly #making = new Map<string, Making<Value>>();

  /** @param now epoch milliseconds. */
  constructor(time: RenewalTime, now: () => number) {
    this.#time = time;
    this.#now = now;
  }

  /**
   * @param gone aborted when the reader waits no longer, and will not ask again.
   * @throws what the making threw.
   */
  async ask(key: string, make: Make<Value>, gone?: AbortSignal): Promise<Value> {
    return this.find(key, make) ?? addReader(this.#begin(key, make), gone).end;
  }

  /** The same where it is there soon after its making began; undefined where it is not, or too much is being made. */
  async askSoon(key: string, make: Make<Value>, gone?: AbortSignal): Promise<Value | undefined> {
    const kept = this.find(key, make);
    if (kept !== undefined) return kept;
    try {
      return await this.#waitSoon<Value | undefined>(addReader(this.#begin(key, make), gone), undefined);
    } catch (error) {
      if (isBusy(error)) return undefined;
      throw error;
    }
  }

  /** The kept thing, which is made again where it is stale; in place of an old one, the new one where that is there soon. */
  find(key: string, make: Make<Value>): Promise<Value> | undefined {
    const kept = this.#findKept(key, make);
    if (kept === undefined) return undefined;
    const { value, freshUntil, tookMs } = kept;
    const making = this.#making.get(key);
    const isOld = this.#now() >= freshUntil + longestUnnoticedMs;
    if (making === undefined || !isOld || tookMs > soonMs) return Promise.resolve(value);
    // The next reader is told why it failed.
    return this.#waitSoon(making, value).catch(() => value);
  }

  /** A stale one is made again for the next reader. */
  #findKept(key: string, make: Make<Value>): Kept<Value> | undefined {
    const now = this.#now();
    for (const [each, { keptUntil }] of this.#kept) if (now >= keptUntil) this.#kept.delete(each);
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    // The next reader is told why it failed.
    if (now >= kept.freshUntil && !this.#making.has(key) && this.#time.take(key, kept.tookMs, now))
      this.#begin(key, make).end.catch(() => this.#kept.delete(key));
    return kept;
  }

  /** A reader who comes late does not wait anew. */
  #waitSoon<Other>({ begunAt, end }: Making<Value>, otherwise: Other): Promise<Value | Other> {
    const patienceMs = Math.min(soonMs, Math.max(0, begunAt + soonMs - this.#now()));
    return waitAtMost<Value | Other>(end, patienceMs, () => otherwise);
  }

  /** Keeps a thing no longer, as there is a better one. */
  forget(key: string): void {
    this.#kept.delete(key);
  }

  #begin(key: string, make: Make<Value>): Making<Value> {
    const known = this.#making.get(key);
    if (known !== undefined) return known;
    const dropping = new AbortController();
    const end = this.#make(key, make, dropping.signal).finally(() => this.#making.delete(key));
    const making = { begunAt: this.#now(), end, readers: 0, drop: () => dropping.abort() };
    this.#making.set(key, making);
    return making;
  }

  async #make(key: string, make: Make<Value>, signal: AbortSignal): Promise<Value> {
    const begunAt = this.#now();
    const { value, cells = 0, freshMs } = await make(begunAt, signal);
    this.#kept.delete(key);
    if (freshMs === undefined) return value;
    const madeAt = this.#now();
    const tookMs = madeAt - begunAt;
    const freshUntil = madeAt + Math.max(freshMs, restPerWork * tookMs);
    const keptUntil = freshUntil + (cells > mostCells ? 0 : longestStaleMs);
    let sum = cells + [...this.#kept.values()].reduce((all, other) => all + other.cells, 0);
    for (const [each, other] of this.#kept) {
      if (sum <= mostCells) break;
      this.#kept.delete(each);
      sum -= other.cells;
    }
    this.#kept.set(key, { value, cells, tookMs, freshUntil, keptUntil });
    return value;
  }
}

/** Whether a thing is not made now, but may be later. */
export function isBusy(error: unknown): boolean {
  return error instanceof PageProblem && error.status === 503;
}

/** Has a thing made for one more reader, until that one is gone. */
function addReader<Value>(making: Making<Value>, gone: AbortSignal | undefined): Making<Value> {
  making.readers += 1;
  const leave = () => {
    making.readers -= 1;
    if (making.readers > 0) return;
    // There is no reader to be told of a failure.
    making.end.catch(() => {});
    making.drop();
  };
  gone?.addEventListener('abort', leave, { once: true });
  return making;
}
