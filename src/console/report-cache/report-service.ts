import { flushCompileCache } from 'node:module';
import type { WorkedOut } from '../../report/usage-view/calculator.ts';
import { secondMs } from '../../resources/duration.ts';
import { giveBackGarbage, largeWorkMs } from '../../thread/garbage.ts';
import { lowerPriority, niceness } from '../../thread/priority.ts';
import type { ConsoleConfig } from '../console-config.ts';
import type { ProjectIndex } from '../page/project-index/project-index.ts';
import type { ReportMaker } from './report-maker.ts';
import type { ReportSet, SetQuestion } from './report-set.ts';

/** The rest after which the memory of what was made is given back: it is hardly of use any more. */
const idleMs = 15 * secondMs;
/** The pause between two signs that work goes on. */
const signEveryMs = secondMs;

/** Called when the work begins, and now and then while it goes on. */
type OnSign = () => void;

/** The things the thread makes, one after another. The signal drops what is not begun. */
export interface ReportApi {
  /**
   * @param now epoch milliseconds.
   * @throws Failure when there is no such report, HistoryError when the history cannot be read.
   */
  set(question: SetQuestion, now: number, onSign: OnSign, signal: AbortSignal): Promise<ReportSet>;
  projects(now: number, withFigures: boolean, onSign: OnSign, signal: AbortSignal): Promise<ProjectIndex>;
}

/** Makes reports in a thread that has other work as well. */
export class ReportService implements ReportApi {
  readonly #config: ConsoleConfig;
  readonly #worked: WorkedOut;
  /** Loaded for the first order, and again after a rest: most daemons are looked at now and then, if at all. */
  #maker: ReportMaker | undefined;
  #resting: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** @param worked by this thread besides. */
  constructor(config: ConsoleConfig, worked: WorkedOut) {
    this.#config = config;
    this.#worked = worked;
  }

  set(question: SetQuestion, now: number, onSign: OnSign, signal: AbortSignal): Promise<ReportSet> {
    return this.#queue(onSign, signal, (maker, onProgress) => maker.set(question, now, onProgress));
  }

  projects(now: number, withFigures: boolean, onSign: OnSign, signal: AbortSignal): Promise<ProjectIndex> {
    return this.#queue(onSign, signal, (maker, onProgress) => maker.projects(now, withFigures, onProgress));
  }

  #queue<Made>(
    onSign: OnSign,
    signal: AbortSignal,
    make: (maker: ReportMaker, onProgress: OnSign) => Promise<Made>,
  ): Promise<Made> {
    const made = this.#last.then(async () => {
      signal.throwIfAborted();
      clearTimeout(this.#resting);
      const startedAt = performance.now();
      const say = sayNowAndThen(onSign);
      say();
      try {
        this.#maker ??= await this.#loadMaker();
        return await make(this.#maker, say);
      } finally {
        // The answer goes out before.
        if (performance.now() - startedAt > largeWorkMs) setImmediate(giveBackGarbage);
        this.#resting = setTimeout(() => this.#rest(), idleMs).unref();
      }
    });
    // The result is not kept here.
    this.#last = made.then(
      () => {},
      () => {},
    );
    return made;
  }

  async #loadMaker(): Promise<ReportMaker> {
    lowerPriority(niceness.reports);
    const { ReportMaker } = await import('./report-maker.ts');
    flushCompileCache();
    return new ReportMaker(this.#config, this.#worked);
  }

  /** Gives back what was kept for the next report. */
  #rest(): void {
    this.#maker?.close();
    this.#maker = undefined;
    giveBackGarbage();
  }
}

function sayNowAndThen(say: OnSign): OnSign {
  let saidAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (now - saidAt < signEveryMs) return;
    saidAt = now;
    say();
  };
}
