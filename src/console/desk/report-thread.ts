import { randomUUID } from 'node:crypto';
import { BroadcastChannel } from 'node:worker_threads';
import { HistoryError } from '../../history/file/history-error.ts';
import { minuteMs } from '../../resources/duration.ts';
import type { Fleet } from '../page/fleet/fleet-join.ts';
import { PageProblem } from '../page-problem.ts';
import type { DeskMessage, DeskOrder, DeskWork } from './report-order.ts';
import type { ReportSet, SetQuestion } from './report-set.ts';

export interface ReportThreadOptions {
  /** The name of the channel that the thread takes orders from. */
  readonly channel: string;
  /** Told when a report hangs: the thread is to be ended, and another one started. */
  readonly onHang: () => void;
  /** A report that gives no sign of work for longer is given up, in milliseconds. */
  readonly longestSilenceMs?: number;
}

interface Waiting {
  readonly order: DeskOrder;
  readonly take: (made: DeskWork[keyof DeskWork]['made']) => void;
  readonly fail: (error: Error) => void;
}

const usualLongestSilenceMs = 2 * minuteMs;
/** As many as readers who are connected, at most: those of others are dropped. */
const mostWaiting = 512;

/** The thread that makes one report after another, as it is seen from the one that shows them. */
export class ReportThread {
  readonly #options: ReportThreadOptions;
  readonly #channel: BroadcastChannel;
  /** The first is ordered. */
  #waiting: readonly Waiting[] = [];
  /** Whether it is being made: until then the thread may have something else to do, or not have begun. */
  #isTaken = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ReportThreadOptions) {
    this.#options = options;
    this.#channel = new BroadcastChannel(options.channel);
    this.#channel.onmessage = event => this.#hear((event as { readonly data: DeskMessage }).data);
  }

  /**
   * @param signal aborted when the last reader has gone: the report is dropped then, unless it is begun.
   * @throws PageProblem when there is no such report, or when too many are waited for; the signal's reason when it is dropped.
   */
  make(question: SetQuestion, now: number, signal?: AbortSignal): Promise<ReportSet> {
    return this.#order('set', { ...question, now }, signal);
  }

  /** As `make`: all projects. */
  projects(asked: DeskWork['projects']['asked'], signal?: AbortSignal): Promise<Fleet> {
    return this.#order('projects', asked, signal);
  }

  #order<What extends keyof DeskWork>(
    what: What,
    asked: DeskWork[What]['asked'],
    signal?: AbortSignal,
  ): Promise<DeskWork[What]['made']> {
    if (this.#waiting.length >= mostWaiting) {
      const detail = `${mostWaiting} reports are being made already.`;
      return Promise.reject(
        new PageProblem(503, 'Too much is being worked out', detail, ['try again in a minute']),
      );
    }
    const order = { id: randomUUID(), what, asked } as DeskOrder;
    return new Promise((take, fail) => {
      // The thread makes the kind of thing that was asked of it.
      const waiting: Waiting = { order, take: take as Waiting['take'], fail };
      this.#waiting = [...this.#waiting, waiting];
      signal?.addEventListener('abort', () => this.#drop(waiting, signal.reason), { once: true });
      if (this.#waiting.length === 1) this.#begin();
    });
  }

  /** The first is begun. */
  #drop(waiting: Waiting, reason: Error): void {
    const place = this.#waiting.indexOf(waiting);
    if (place <= 0) return;
    this.#waiting = this.#waiting.toSpliced(place, 1);
    waiting.fail(reason);
  }

  /** Orders the first of those that wait. */
  #begin(): void {
    this.#isTaken = false;
    const [first] = this.#waiting;
    if (first !== undefined) this.#channel.postMessage(first.order);
  }

  #hear(message: DeskMessage): void {
    if ('begun' in message) this.#noteBegun();
    else if ('what' in message || this.#waiting[0]?.order.id !== message.id) return;
    else if ('taken' in message) this.#noteTaken();
    else if ('made' in message) this.#finish(({ take }) => take(message.made));
    else this.#finish(({ fail }) => fail(errorOf(message)));
  }

  /** A report that a thread ended of is not ordered again. */
  #noteBegun(): void {
    if (this.#isTaken) this.#finish(({ fail }) => fail(new Error('the thread that makes reports ended')));
    else this.#begin();
  }

  #noteTaken(): void {
    const { onHang, longestSilenceMs = usualLongestSilenceMs } = this.#options;
    this.#isTaken = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      onHang();
      this.#finish(({ fail }) => fail(givenUp()));
    }, longestSilenceMs).unref();
  }

  /** Settles the first of those that wait, and orders the next. */
  #finish(settle: (first: Waiting) => void): void {
    clearTimeout(this.#timer);
    const [first, ...others] = this.#waiting;
    this.#waiting = others;
    this.#begin();
    if (first !== undefined) settle(first);
  }
}

function errorOf({ about, problem }: Extract<DeskMessage, { readonly problem: string }>): Error {
  if (about === 'request') return new PageProblem(400, 'There is no such report', problem);
  return about === 'history' ? new HistoryError(problem) : new Error(problem);
}

function givenUp(): PageProblem {
  return new PageProblem(503, 'This takes too long', 'A report was given up, as its work did not go on.', [
    'look at a single project or a shorter period',
    'make it by dbpm-exporter report',
  ]);
}
