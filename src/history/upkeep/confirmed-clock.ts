import type { Database } from 'better-sqlite3';
import { dayMs, hourMs } from '../../resources/duration.ts';
import { minOf } from '../../resources/min-max.ts';
import { statementsOf } from '../file/statement.ts';

/** A jump counts once the service's clock went on evenly from there for so long. */
const confirmationMs = 6 * hourMs;
/** Closer than this, two dates are of the same clock. */
const toleranceMs = hourMs;
/** An account that was not read for so long says nothing about the time. */
const liveMs = hourMs;
/** Downtime that is made up for at once, and the most that is made up for at a time after a longer one. */
const largestStepMs = dayMs;

/** A jump of the service's clock: from what is confirmed to the date of its answers, in epoch milliseconds. */
export interface ClockJump {
  /** Whether it counts now; before, nothing is pruned by it. */
  readonly isConfirmed: boolean;
  readonly fromAt: number;
  readonly toAt: number;
}

interface Answer {
  readonly servedAt: number;
  /** When it was first seen, by the time this process has been running. */
  readonly seenMs: number;
}

/**
 * The confirmed clock as an earlier run left it, or when a list was last read where that was before it was followed;
 * undefined while none ever was.
 */
function confirmedAt(database: Database): number | undefined {
  return statementsOf(database).value<[], number>`
    SELECT coalesce((SELECT at FROM confirmed_clock), (SELECT max(projects_listed_at) FROM account))`();
}

/**
 * The service's clock as far as it is certain: what is deleted by it is gone for good. It goes on with the dates of
 * answers while these go on as this process does. A jump is believed after hours, in which no restart counts, and then
 * made up for a day at a time. The host's clock has no say.
 *
 * Offsets are the service's clock minus the time this process has been running.
 */
export class ConfirmedClock {
  readonly #write;
  readonly #answers = new Map<string, Answer>();
  #confirmedAt: number | undefined;
  /** The offset that is confirmed; undefined before the first answer of this run that is. */
  #offsetMs: number | undefined;
  #candidate: { readonly offsetMs: number; readonly sinceMs: number } | undefined;
  #isKnown = false;

  constructor(database: Database) {
    this.#confirmedAt = confirmedAt(database);
    this.#write = statementsOf(database).run<[number]>`
      INSERT INTO confirmed_clock VALUES (1, ?) ON CONFLICT DO UPDATE SET at = excluded.at`;
  }

  /**
   * The instant to prune and roll up by, in epoch milliseconds; undefined before the first answer of this run, and while
   * the service's clock seems to have been set back.
   */
  get at(): number | undefined {
    const isSetBack = this.#candidate !== undefined && this.#isBehind(this.#candidate);
    return this.#isKnown && !isSetBack ? this.#confirmedAt : undefined;
  }

  /**
   * Looks at the dates of the newest answers; call it every minute or so.
   *
   * @param servedAts by account, of this run alone.
   * @param runningMs by a clock that never steps.
   * @returns a jump when it is first seen, and when it is confirmed.
   */
  follow(servedAts: ReadonlyMap<string, number>, runningMs: number): ClockJump | undefined {
    const offsetMs = this.#observe(servedAts, runningMs);
    if (offsetMs === undefined) return undefined;
    this.#isKnown = true;
    const jump = this.#isTrusted(offsetMs, runningMs) ? undefined : this.#doubt(offsetMs, runningMs);
    if (this.#candidate === undefined) this.#advance(runningMs);
    return jump;
  }

  /** The offset by the account that is least ahead: more than one must have jumped where there are several. */
  #observe(servedAts: ReadonlyMap<string, number>, runningMs: number): number | undefined {
    for (const [account, servedAt] of servedAts) {
      if (this.#answers.get(account)?.servedAt === servedAt) continue;
      this.#answers.set(account, { servedAt, seenMs: runningMs });
    }
    const offsets = [...this.#answers.values()]
      .filter(({ seenMs }) => runningMs - seenMs <= liveMs)
      .map(({ servedAt, seenMs }) => servedAt - seenMs);
    return offsets.length === 0 ? undefined : minOf(offsets);
  }

  #isTrusted(offsetMs: number, runningMs: number): boolean {
    const aheadMs = offsetMs + runningMs - (this.#confirmedAt ?? offsetMs + runningMs);
    const isTrusted =
      this.#offsetMs === undefined
        ? aheadMs >= -toleranceMs && aheadMs <= largestStepMs
        : isClose(offsetMs, this.#offsetMs);
    if (!isTrusted) return false;
    this.#candidate = undefined;
    this.#offsetMs ??= offsetMs;
    return true;
  }

  #doubt(offsetMs: number, runningMs: number): ClockJump | undefined {
    const before = this.#candidate;
    const fromAt = this.#confirmedAt ?? 0;
    const jump = { fromAt, toAt: offsetMs + runningMs };
    if (before === undefined || !isClose(offsetMs, before.offsetMs)) {
      this.#candidate = { offsetMs, sinceMs: runningMs };
      return before === undefined ? { isConfirmed: false, ...jump } : undefined;
    }
    if (runningMs - before.sinceMs < confirmationMs) return undefined;
    if (this.#isBehind(before)) this.#confirm(jump.toAt);
    this.#candidate = undefined;
    this.#offsetMs = offsetMs;
    return { isConfirmed: true, ...jump };
  }

  #advance(runningMs: number): void {
    const serviceAt = (this.#offsetMs ?? 0) + runningMs;
    const confirmed = this.#confirmedAt ?? serviceAt;
    const at = Math.max(confirmed, Math.min(serviceAt, confirmed + largestStepMs));
    if (at !== this.#confirmedAt) this.#confirm(at);
  }

  #confirm(at: number): void {
    this.#write(Math.floor(at));
    this.#confirmedAt = Math.floor(at);
  }

  #isBehind({ offsetMs, sinceMs }: { readonly offsetMs: number; readonly sinceMs: number }): boolean {
    return this.#confirmedAt !== undefined && offsetMs + sinceMs < this.#confirmedAt - toleranceMs;
  }
}

function isClose(a: number, b: number): boolean {
  return Math.abs(a - b) <= toleranceMs;
}
