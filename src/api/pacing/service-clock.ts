import { clockSkewMs, skewDistanceMs, toServiceClock } from '../../resources/clock-skew.ts';
import { minuteMs, secondMs } from '../../resources/duration.ts';
import { asInstant } from '../../resources/field.ts';
import { maxOf } from '../../resources/min-max.ts';

import { ApiError } from '../message/api-error.ts';

/** Fields that say when something happened; others may hold instants still to come, such as the end of a period. */
const fields: ReadonlySet<string> = new Set(['created_at', 'updated_at', 'last_active', 'last_used_at']);

/** The instants at which things happened, by the body of an answer, in epoch milliseconds. */
function listInstants(body: unknown): readonly number[] {
  const found: number[] = [];
  const waiting: unknown[] = [body];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, item] of Object.entries(value)) {
      const at = fields.has(key) ? asInstant(item) : undefined;
      if (at !== undefined) found.push(at);
      else if (typeof item === 'object') waiting.push(item);
    }
  }
  return found;
}

/** Further apart than this, the service's clock is not believed without a witness. */
const toleranceMs = minuteMs;
/** The time and the answers after which a jump is believed without a witness, where nothing was believed before. */
const longestDoubtMs = 10 * minuteMs;
const fewestAnswers = 5;
/** Where nothing was believed before, jumps agree that differ by less than this share of them. */
const agreeingShare = 0.1;
/** A witness is asked for at once, then ever less often while none speaks for the jump. */
const firstPauseMs = secondMs;
const longestPauseMs = 5 * minuteMs;

/** An answer with its date; absent where it has none that can be read. */
export interface DatedAnswer {
  readonly body: unknown;
  readonly servedAt?: number;
}

/** An answer beside the instant of the service's clock at which it was asked for, as far as was known then. */
export interface ExpectedAnswer extends DatedAnswer {
  readonly expectedAt: number;
}

interface ServiceClockOptions {
  /** The clock skew as an earlier run left it. */
  readonly skewMs?: number | undefined;
  /** Epoch milliseconds by the host's clock. */
  readonly hostNow: () => number;
}

/**
 * Follows the clock skew of an account by the dates of its answers. What was read is dated by the service's clock, so a
 * gateway whose clock is off must not count, however long it is. A jump needs a witness: the host's clock, or instants
 * that the service wrote into the answer itself. Instants are epoch milliseconds by a clock that never steps.
 */
export class ServiceClock {
  readonly #hostNow: () => number;
  #skewMs: number;
  /** Whether the date of an answer of this run was believed. */
  #isSettled = false;
  #jump: { readonly skewMs: number; readonly sinceAt: number; readonly answers: number } | undefined;
  #askAgainAt = Number.NEGATIVE_INFINITY;
  #pauseMs = firstPauseMs;

  constructor({ skewMs = 0, hostNow }: ServiceClockOptions) {
    this.#skewMs = skewMs;
    this.#hostNow = hostNow;
  }

  /** Looks at the date of an answer; false when it has none, or it is too far off to be believed. */
  follow({ servedAt, body }: DatedAnswer, now: number): boolean {
    if (servedAt === undefined) return false;
    if (!areClose(servedAt, this.estimate(now)) && !this.#hasWitness(servedAt, body, now)) return false;
    this.#skewMs = clockSkewMs({ readAt: now, servedAt });
    this.#isSettled = true;
    this.#jump = undefined;
    this.#pauseMs = firstPauseMs;
    this.#askAgainAt = now;
    return true;
  }

  /** Whether to ask for an answer that may be the witness of another one's date. */
  takeQuestion({ servedAt }: DatedAnswer, now: number): boolean {
    if (servedAt === undefined || now < this.#askAgainAt) return false;
    if (this.#isSettled && servedAt < this.estimate(now)) return false;
    this.#askAgainAt = now + this.#pauseMs;
    this.#pauseMs = Math.min(2 * this.#pauseMs, longestPauseMs);
    return true;
  }

  /**
   * The instant of the service's clock at which an answer was served, as far as is known.
   *
   * @param readAt when it came, by our clock.
   */
  date({ servedAt, expectedAt }: ExpectedAnswer, readAt: number): number {
    const estimate = this.estimate(readAt);
    // Another answer's date, believed while this one was under way, may be later than this one.
    const fromAt = Math.min(expectedAt, estimate) - toleranceMs;
    const untilAt = Math.max(expectedAt, estimate) + toleranceMs;
    return servedAt !== undefined && servedAt >= fromAt && servedAt <= untilAt ? servedAt : estimate;
  }

  /** The instant of the service's clock as it should be at ours. */
  estimate(at: number): number {
    return toServiceClock(at, this.#skewMs);
  }

  #hasWitness(servedAt: number, body: unknown, now: number): boolean {
    if (areClose(servedAt, this.#hostNow())) return true;
    const estimate = this.estimate(now);
    const isAhead = servedAt > estimate;
    const instants = listInstants(body);
    const isNewer = (at: number) => at > servedAt + toleranceMs;
    // Clocks of one service may be minutes apart: what speaks for the date is nearer to it than to the estimate.
    const newest = maxOf(instants.filter(at => !isNewer(at)));
    if (isAhead && newest > Math.max(estimate + toleranceMs, (estimate + servedAt) / 2)) return true;
    if (isAhead || !instants.some(isNewer)) return this.#lasts(servedAt - now, isAhead, now);
    this.#jump = undefined;
    return false;
  }

  /** Whether answers agree on a jump for long enough. What is ahead would count time that never was: it needs a witness. */
  #lasts(skewMs: number, isAhead: boolean, now: number): boolean {
    const before = this.#jump;
    const isSame = before !== undefined && this.#agree(before.skewMs, skewMs, isAhead);
    const { sinceAt, answers } = isSame ? before : { sinceAt: now, answers: 0 };
    this.#jump = { skewMs, sinceAt, answers: answers + 1 };
    const isLong = now - sinceAt >= longestDoubtMs && answers + 1 >= fewestAnswers;
    if (this.#isSettled) return isLong && !isAhead;
    return isLong || (!isAhead && answers > 0);
  }

  /** Whether two dates speak of one clock. At the start those far behind the host's may differ by hosts that were set meanwhile. */
  #agree(beforeMs: number, skewMs: number, isAhead: boolean): boolean {
    if (areClose(beforeMs, skewMs)) return true;
    if (this.#isSettled || isAhead) return false;
    return skewDistanceMs(beforeMs, skewMs) < agreeingShare * skewDistanceMs(skewMs, this.#skewMs);
  }
}

function areClose(a: number, b: number): boolean {
  return Math.abs(a - b) <= toleranceMs;
}

/** Requests whose answers may speak for a date: the list of keys, and the same request again. */
interface Questions<Request> {
  keys(request: Request): Promise<DatedAnswer>;
  again(request: Request): Promise<DatedAnswer>;
}

interface DateOptions extends Partial<ServiceClockOptions> {
  /** Epoch milliseconds, by a clock that never steps if there is one. */
  readonly now: () => number;
  /** Told with every answer how far its date is from the instant it was taken for, in milliseconds. */
  readonly onDate: (offMs: number) => void;
}

/** Finds out when answers were served, by the service's clock. */
export class AnswerDate<Request> {
  readonly #options: Pick<DateOptions, 'now' | 'onDate'>;
  readonly #questions: Questions<Request>;
  readonly #clock: ServiceClock;
  #question: Promise<void> | undefined;

  constructor(options: DateOptions, questions: Questions<Request>) {
    const { now, hostNow = now, skewMs } = options;
    this.#options = options;
    this.#questions = questions;
    this.#clock = new ServiceClock({ hostNow, skewMs });
  }

  /** The instant of the service's clock as it should be at ours. */
  estimate(at: number): number {
    return this.#clock.estimate(at);
  }

  /**
   * The instant an answer that just came was served at: its date, or what the clock should show where that is not believed.
   *
   * @throws ApiError when the date is in doubt and nothing can be asked about it.
   */
  async find(answer: ExpectedAnswer, request: Request): Promise<number> {
    const { now, onDate } = this.#options;
    const readAt = now();
    if (!this.#clock.follow(answer, readAt)) await this.#findWitness(answer, request);
    const servedAt = this.#clock.date(answer, readAt);
    onDate(answer.servedAt === undefined ? 0 : answer.servedAt - servedAt);
    return servedAt;
  }

  /** One question at a time speaks for all answers that are in doubt meanwhile. */
  async #findWitness(answer: DatedAnswer, request: Request): Promise<void> {
    if (this.#question === undefined) {
      if (!this.#clock.takeQuestion(answer, this.#options.now())) return;
      this.#question = this.#ask(request).finally(() => {
        this.#question = undefined;
      });
    }
    await this.#question;
  }

  /** Our own key was last used just now, by the service's own books. */
  async #ask(request: Request): Promise<void> {
    const answer = await this.#questions.keys(request).catch(error => {
      if (!(error instanceof ApiError)) throw error;
      return this.#questions.again(request);
    });
    this.#clock.follow(answer, this.#options.now());
  }
}
