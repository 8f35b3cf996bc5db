import { dayMs, hourMs } from '../resources/duration.ts';
import { type Granularity, granularities, type MeterSpan, timeframeStart } from '../resources/meter.ts';
import type { ConsumptionReading, ListReading, MeterState, Reading } from '../resources/reading.ts';
import type { Reason } from '../resources/reason.ts';
import { monthStart } from '../resources/utc-month.ts';
import { tryCommit } from './committed-poll.ts';
import { momentOf } from './poll-context.ts';
import type { PollProblem } from './poller-options.ts';
import { failAgain, hasPassed, mayRetry, type RepeatedFailure } from './scheduler/due-time.ts';

/** How far back the service tells, in whole timeframes; one less than it keeps, as the oldest may go while it is asked. */
const keptHours = 167;
const keptDays = 59;
const keptMonths = 11;

const oldestAt: Readonly<Record<Granularity, (now: number) => number>> = {
  hourly: now => timeframeStart.hourly(now) - keptHours * hourMs,
  daily: now => timeframeStart.daily(now) - keptDays * dayMs,
  monthly: now => monthStart(now, -keptMonths),
};

/**
 * The time to ask the meter for: from the first timeframe that may have grown, as far back as the service tells.
 *
 * @param now by the service's clock, in epoch milliseconds.
 */
function meterSpan(granularity: Granularity, now: number, settledUntilAt = 0): MeterSpan {
  const fromAt = Math.max(timeframeStart[granularity](settledUntilAt), oldestAt[granularity](now));
  return { granularity, fromAt: Math.min(fromAt, timeframeStart[granularity](now)), untilAt: now };
}

/** A page of consumption; the last one tells of all of it. */
export interface ConsumptionPage extends Pick<ConsumptionReading, 'items' | 'servedAt'> {
  readonly end?: Pick<ListReading<unknown>, 'rejected' | 'complete'>;
}

export interface MeterPollerOptions {
  readonly account: string;
  /** The part of the account that is read: the meter of another one is read from the beginning. */
  readonly scope: string;
  /** What an earlier run left. */
  readonly known: MeterState | undefined;
  /** Whether there is reason to ask at all. */
  readonly isWanted: () => boolean;
  /** Pages of what was metered. Throws when it fails; `reasonOf` names why. */
  readonly pages: (span: MeterSpan, signal: AbortSignal) => AsyncIterable<ConsumptionPage>;
  readonly reasonOf: (error: unknown) => Reason;
  /** Takes a reading; answers what the next one goes on from once it is committed. */
  readonly commit: (reading: Reading) => Promise<MeterState | undefined>;
  readonly onProblem: (problem: PollProblem) => void;
  /** Told when the service says that it does not offer its meter. */
  readonly onRefused: (error: unknown) => void;
  readonly now: () => number;
  /** By the service's clock; undefined before it told the time. */
  readonly serviceNow: () => number | undefined;
}

const everyMs: Readonly<Record<Granularity, number>> = { hourly: hourMs, daily: dayMs, monthly: dayMs };
/** A service that does not offer its meter may do so after a change of plan; one that did may have been kept from it. */
const askAgainMs = { never: dayMs, before: hourMs };
/** Failures that say nothing of another question: a service may refuse hours, or fail to add them up, and tell days. */
const ofOneQuestion: ReadonlySet<Reason> = new Set(['bad_request', 'malformed', 'too_large', 'unavailable']);

/** The coarsest first: what is told by finer ones afterwards is no less. */
const inOrder = granularities.toReversed();

/** Reads the service's own meter of one account: by the hour once an hour, by day and month once a day. */
export class MeterPoller {
  readonly #options: MeterPollerOptions;
  #state: MeterState | undefined;
  readonly #failures = new Map<Granularity | 'all', RepeatedFailure>();

  constructor(options: MeterPollerOptions) {
    this.#options = options;
    this.#state = options.known?.scope === options.scope ? options.known : undefined;
  }

  /** Reads what is due; call it as often as the lists are to be polled. Throws nothing that the service is to blame for. */
  async poll(signal: AbortSignal): Promise<void> {
    const { isWanted, now } = this.#options;
    if (!isWanted() || !this.#mayAsk(now())) return;
    for (const granularity of inOrder) {
      const readAt = this.#state?.passes[granularity]?.readAt;
      if (readAt !== undefined && !hasPassed(readAt, everyMs[granularity], now())) continue;
      if (!mayRetry(this.#failures.get(granularity), now())) continue;
      if (!(await this.#readAll(granularity, signal))) return;
    }
  }

  #mayAsk(now: number): boolean {
    const { refusedAt, passes = {} } = this.#state ?? {};
    const wasOffered = Object.values(passes).some(({ readAt }) => readAt !== undefined);
    const refusedMs = wasOffered ? askAgainMs.before : askAgainMs.never;
    if (refusedAt !== undefined && !hasPassed(refusedAt, refusedMs, now)) return false;
    return mayRetry(this.#failures.get('all'), now);
  }

  /** @returns whether to ask for another granularity: all of this one was read and committed, or it alone failed. */
  async #readAll(granularity: Granularity, signal: AbortSignal): Promise<boolean> {
    const { scope, pages, now } = this.#options;
    const serviceNow = this.#options.serviceNow();
    if (serviceNow === undefined) return false;
    const startedAt = now();
    const span = meterSpan(granularity, serviceNow, this.#state?.passes[granularity]?.settledUntilAt);
    try {
      for await (const { items, servedAt, end } of pages(span, signal)) {
        const page = {
          kind: 'consumption',
          scope,
          granularity,
          fromAt: span.fromAt,
          items,
          ...momentOf(this.#options, startedAt),
          servedAt,
          ...(end && { end }),
        } as const;
        if (!(await this.#commit(page))) return this.#noteFailure('all');
        if (end?.complete === false) this.#options.onProblem(notWhole(end.rejected));
      }
    } catch (error) {
      if (signal.aborted) return false;
      return await this.#fail(granularity, error, startedAt);
    }
    this.#failures.delete(granularity);
    this.#failures.delete('all');
    return true;
  }

  async #fail(granularity: Granularity, error: unknown, startedAt: number): Promise<boolean> {
    const { scope, reasonOf, onProblem, onRefused } = this.#options;
    const reason = reasonOf(error);
    const moment = momentOf(this.#options, startedAt);
    if (reason === 'forbidden' || reason === 'not_found') {
      const isNews = this.#state?.refusedAt === undefined;
      this.#failures.clear();
      if (!(await this.#commit({ kind: 'consumption_refused', scope, reason, ...moment })))
        return this.#noteFailure('all');
      if (isNews) onRefused(error);
      return false;
    }
    await this.#commit({ kind: 'failure', collector: 'consumption', reason, ...moment });
    onProblem({ collector: 'consumption', error });
    const isOfOne = ofOneQuestion.has(reason);
    this.#noteFailure(isOfOne ? granularity : 'all');
    return isOfOne;
  }

  /** @returns whether it is in the history. */
  async #commit(reading: Reading): Promise<boolean> {
    const { commit, onProblem } = this.#options;
    const commitState = async (each: Reading) => ({ state: await commit(each) });
    const committed = await tryCommit({ onProblem, commit: commitState }, reading, 'consumption');
    this.#state = committed?.state ?? this.#state;
    return committed !== undefined;
  }

  #noteFailure(what: Granularity | 'all'): false {
    this.#failures.set(what, failAgain(this.#failures.get(what), this.#options.now()));
    return false;
  }
}

/** A meter that was not read whole. It would go unnoticed, as what was told of it counts all the same. */
function notWhole(rejected: number): PollProblem {
  const cause =
    rejected > 0
      ? `${rejected} of its projects could not be read`
      : 'the service never came to the end of its pages, so no time is taken for wholly metered';
  const error = new Error(`what the service metered is not whole: ${cause}; it is asked for again`);
  return { collector: 'consumption', isPartial: true, error };
}
