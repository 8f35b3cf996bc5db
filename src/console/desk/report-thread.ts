import type { MessagePort } from 'node:worker_threads';
import { HistoryError } from '../../history/file/history-error.ts';
import { minuteMs } from '../../resources/duration.ts';
import { type Asked, Link } from '../../thread/link.ts';
import { isNamed } from '../../thread/sent-error.ts';
import type { Fleet } from '../page/fleet/fleet-join.ts';
import { PageProblem } from '../page-problem.ts';
import type { ReportApi } from './report-service.ts';
import type { ProjectsQuestion, ReportSet, SetQuestion } from './report-set.ts';

export interface ReportThreadOptions {
  /** Told when a report hangs: the thread is to be ended, and another one started. */
  readonly onHang: () => void;
  /** A report that gives no sign of work for longer is given up, in milliseconds. */
  readonly longestSilenceMs?: number;
}

type Ask<Made> = (api: Asked<ReportApi>, onSign: () => void) => Promise<Made>;

interface Waiting {
  /** Resolves to what hands the thing over. */
  readonly ask: Ask<() => void>;
  readonly fail: (error: unknown) => void;
}

const usualLongestSilenceMs = 2 * minuteMs;
/** As many as readers who are connected, at most: those of others are dropped. */
const mostWaiting = 512;
const endedSentence = 'the thread that makes reports ended';

/** The thread that makes one report after another, as it is seen from the one that shows them. */
export class ReportThread {
  readonly #options: ReportThreadOptions;
  /** The first is being made, or is to be made by the next thread. */
  #waiting: readonly Waiting[] = [];
  #making: Promise<void> | undefined;
  #link: Link<ReportApi> | undefined;
  #linked = Promise.withResolvers<void>();

  constructor(options: ReportThreadOptions) {
    this.#options = options;
  }

  /** Has reports made by the thread at the other end of a port, in place of the one before. */
  use(port: MessagePort): void {
    this.#link?.fail(new Error(endedSentence));
    this.#link = new Link<ReportApi>(port, () => ({}), endedSentence);
    this.#linked.resolve();
  }

  /**
   * @param signal aborted when the last reader has gone: the report is dropped then, unless it is begun.
   * @throws PageProblem when there is no such report, or when too many are waited for; the signal's reason when it is dropped.
   */
  make(question: SetQuestion, now: number, signal?: AbortSignal): Promise<ReportSet> {
    return this.#order((api, onSign) => api.set(question, now, onSign), signal);
  }

  /** As `make`: all projects. */
  projects(question: ProjectsQuestion, signal?: AbortSignal): Promise<Fleet> {
    return this.#order((api, onSign) => api.projects(question, onSign), signal);
  }

  #order<Made>(ask: Ask<Made>, signal?: AbortSignal): Promise<Made> {
    if (this.#waiting.length >= mostWaiting) {
      const detail = `${mostWaiting} reports are being made already.`;
      return Promise.reject(
        new PageProblem(503, 'Too much is being worked out', detail, ['try again in a minute']),
      );
    }
    return new Promise((take, fail) => {
      const waiting: Waiting = {
        ask: async (api, onSign) => {
          const made = await ask(api, onSign);
          return () => take(made);
        },
        fail,
      };
      this.#waiting = [...this.#waiting, waiting];
      signal?.addEventListener('abort', () => this.#drop(waiting, signal.reason), { once: true });
      this.#making ??= this.#makeAll();
    });
  }

  /** The first is begun. */
  #drop(waiting: Waiting, reason: Error): void {
    const place = this.#waiting.indexOf(waiting);
    if (place <= 0) return;
    this.#waiting = this.#waiting.toSpliced(place, 1);
    waiting.fail(reason);
  }

  async #makeAll(): Promise<void> {
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      const settle = await this.#make(first);
      this.#waiting = this.#waiting.slice(1);
      settle();
    }
    this.#making = undefined;
  }

  /** A report that a thread ended of is not made again; one that it has not begun is, by the next thread. */
  async #make({ ask, fail }: Waiting): Promise<() => void> {
    const { onHang, longestSilenceMs = usualLongestSilenceMs } = this.#options;
    const link = await this.#findLink();
    let timer: NodeJS.Timeout | undefined;
    const onSign = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        onHang();
        link.fail(givenUp());
      }, longestSilenceMs).unref();
    };
    try {
      return await ask(link.ask, onSign);
    } catch (error) {
      if (link.failure !== undefined && timer === undefined) return this.#make({ ask, fail });
      return () => fail(errorOf(error));
    } finally {
      clearTimeout(timer);
    }
  }

  async #findLink(): Promise<Link<ReportApi>> {
    while (this.#link === undefined || this.#link.failure !== undefined) {
      this.#linked = Promise.withResolvers();
      await this.#linked.promise;
    }
    return this.#link;
  }
}

/** An error of the other thread, as those who show it know it. */
function errorOf(error: unknown): unknown {
  if (isNamed(error, 'Failure')) return new PageProblem(400, 'There is no such report', error.message);
  const isOfHistory = isNamed(error, 'HistoryError') || isNamed(error, 'DamagedHistory');
  return isOfHistory ? new HistoryError(error.message, { cause: error.cause }) : error;
}

function givenUp(): PageProblem {
  return new PageProblem(503, 'This takes too long', 'A report was given up, as its work did not go on.', [
    'look at a single project or a shorter period',
    'make it by dbpm-exporter report',
  ]);
}
