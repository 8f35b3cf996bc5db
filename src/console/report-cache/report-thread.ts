import type { MessagePort } from 'node:worker_threads';
import { HistoryError } from '../../history/file/history-error.ts';
import { minuteMs } from '../../resources/duration.ts';
import { type Asked, Link } from '../../thread/link.ts';
import { isNamed } from '../../thread/sent-error.ts';
import type { ProjectIndex } from '../page/project-index/project-index.ts';
import { PageProblem } from '../page-problem.ts';
import type { ReportSource } from './report-cache.ts';
import type { ReportApi } from './report-service.ts';
import type { ReportSet, SetQuestion } from './report-set.ts';

interface ReportThreadOptions {
  /** Told when a report hangs: the thread is to be ended, and another one started. */
  readonly onHang: () => void;
  /** A report that gives no sign of work for longer is given up, in milliseconds. */
  readonly longestSilenceMs?: number;
}

type Ask<Made> = (api: Asked<ReportApi>, onSign: () => void, unbegun: AbortSignal) => Promise<Made>;

const usualLongestSilenceMs = 2 * minuteMs;
/** As many as readers who are connected, at most: those of others are dropped. */
const mostWaiting = 512;
const endedSentence = 'the thread that makes reports ended';

/** The thread that makes one report after another, as it is seen from the one that shows them. */
export class ReportThread implements ReportSource {
  readonly #options: ReportThreadOptions;
  #waiting = 0;
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
    this.#linked = Promise.withResolvers();
  }

  /**
   * @param signal aborted when the last reader has gone: the report is dropped then, unless it is begun.
   * @throws PageProblem when there is no such report, or when too many are waited for; the signal's reason when it is dropped.
   */
  make(question: SetQuestion, now: number, signal?: AbortSignal): Promise<ReportSet> {
    return this.#order((api, onSign, unbegun) => api.set(question, now, onSign, unbegun), signal);
  }

  /** As `make`: all projects. */
  projects(now: number, withFigures: boolean, signal?: AbortSignal): Promise<ProjectIndex> {
    return this.#order((api, onSign, unbegun) => api.projects(now, withFigures, onSign, unbegun), signal);
  }

  async #order<Made>(ask: Ask<Made>, signal?: AbortSignal): Promise<Made> {
    if (this.#waiting >= mostWaiting) {
      const detail = `${mostWaiting} reports are being made already.`;
      throw new PageProblem(503, 'Too much is being worked out', detail, ['try again in a minute']);
    }
    this.#waiting += 1;
    try {
      return await this.#make(ask, signal);
    } finally {
      this.#waiting -= 1;
    }
  }

  /** A report that a thread ended of is not made again; one that it has not begun is, by the next thread. */
  async #make<Made>(ask: Ask<Made>, signal: AbortSignal | undefined): Promise<Made> {
    const { onHang, longestSilenceMs = usualLongestSilenceMs } = this.#options;
    const link = await this.#findLink();
    const dropping = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const drop = () => timer === undefined && dropping.abort(signal?.reason);
    if (signal?.aborted) drop();
    signal?.addEventListener('abort', drop, { once: true });
    const onSign = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        onHang();
        link.fail(givenUp());
      }, longestSilenceMs).unref();
    };
    try {
      return await ask(link.ask, onSign, dropping.signal);
    } catch (error) {
      const isUnbegun = timer === undefined && !dropping.signal.aborted;
      if (link.failure !== undefined && isUnbegun) return this.#make(ask, signal);
      throw errorOf(error);
    } finally {
      clearTimeout(timer);
    }
  }

  async #findLink(): Promise<Link<ReportApi>> {
    while (this.#link === undefined || this.#link.failure !== undefined) await this.#linked.promise;
    return this.#link;
  }
}

/** An error of the other thread, as pages know it. */
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
