import { flushCompileCache } from 'node:module';
import { giveBackGarbage, largeWorkMs } from '../../report/usage/garbage.ts';
import type { LookAtUsage } from '../../report/usage/history-view.ts';
import { secondMs } from '../../resources/duration.ts';
import type { ConsoleConfig } from '../console-config.ts';
import type { Fleet } from '../page/fleet/fleet-join.ts';
import type { DeskMaker } from './desk-maker.ts';
import { lowerPriority } from './low-priority.ts';
import type { ProjectsQuestion, ReportSet, SetQuestion } from './report-set.ts';

/** The rest after which the memory of what was made is given back: it is hardly of use any more. */
const idleMs = 15 * secondMs;
/** The pause between two signs that work goes on. */
const signEveryMs = secondMs;

/** The things the thread makes. Each tells when it is begun, and now and then that the work goes on. */
export interface ReportApi {
  /**
   * @param now epoch milliseconds.
   * @throws Failure when there is no such report, HistoryError when the history cannot be read.
   */
  set(question: SetQuestion, now: number, onSign: () => void): Promise<ReportSet>;
  projects(question: ProjectsQuestion, onSign: () => void): Promise<Fleet>;
}

/** Makes reports in a thread that has other work as well. */
export class ReportService implements ReportApi {
  readonly #config: ConsoleConfig;
  readonly #lookAtUsage: LookAtUsage;
  /** Loaded for the first order, and again after a rest: most daemons are looked at now and then, if at all. */
  #maker: DeskMaker | undefined;
  #resting: NodeJS.Timeout | undefined;

  /** @param lookAtUsage tells budgets and forecasts, as this thread works them out besides. */
  constructor(config: ConsoleConfig, lookAtUsage: LookAtUsage) {
    this.#config = config;
    this.#lookAtUsage = lookAtUsage;
  }

  set(question: SetQuestion, now: number, onSign: () => void): Promise<ReportSet> {
    return this.#make(onSign, (maker, onProgress) => maker.set(question, now, onProgress));
  }

  projects(question: ProjectsQuestion, onSign: () => void): Promise<Fleet> {
    return this.#make(onSign, (maker, onProgress) => maker.projects(question, onProgress));
  }

  async #make<Made>(
    onSign: () => void,
    make: (maker: DeskMaker, onProgress: () => void) => Promise<Made>,
  ): Promise<Made> {
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
  }

  async #loadMaker(): Promise<DeskMaker> {
    lowerPriority();
    const { DeskMaker } = await import('./desk-maker.ts');
    flushCompileCache();
    return new DeskMaker(this.#config, this.#lookAtUsage);
  }

  /** Gives back what was kept for the next report. */
  #rest(): void {
    this.#maker?.close();
    this.#maker = undefined;
    giveBackGarbage();
  }
}

function sayNowAndThen(say: () => void): () => void {
  let saidAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (now - saidAt < signEveryMs) return;
    saidAt = now;
    say();
  };
}
