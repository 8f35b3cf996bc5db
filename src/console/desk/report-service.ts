import { flushCompileCache } from 'node:module';
import { BroadcastChannel } from 'node:worker_threads';
import { HistoryError } from '../../history/file/history-error.ts';
import { giveBackGarbage, largeWorkMs } from '../../report/usage/garbage.ts';
import { secondMs } from '../../resources/duration.ts';
import { Failure } from '../../resources/failure.ts';
import type { DeskMaker, LookAtUsage } from './desk-maker.ts';
import { lowerPriority } from './low-priority.ts';
import type { DeskMessage, DeskOrder, ReportServiceData } from './report-order.ts';

/** The rest after which the memory of what was made is given back: it is hardly of use any more. */
const idleMs = 15 * secondMs;
/** The pause between two signs that work goes on. */
const signEveryMs = secondMs;

/** Makes the reports that are ordered over a channel, in a thread that has other work as well. */
export class ReportService {
  readonly #channel: BroadcastChannel;
  readonly #config: ReportServiceData['config'];
  readonly #lookAtUsage: LookAtUsage;
  /** Loaded for the first order, and again after a rest: most daemons are looked at now and then, if at all. */
  #maker: DeskMaker | undefined;
  #resting: NodeJS.Timeout | undefined;
  /** One that came while the thread began is given again. */
  #latestId: string | undefined;

  /** @param lookAtUsage tells budgets and forecasts, as this thread works them out besides. */
  constructor({ channel, config }: ReportServiceData, lookAtUsage: LookAtUsage) {
    this.#config = config;
    this.#lookAtUsage = lookAtUsage;
    this.#channel = new BroadcastChannel(channel);
    this.#channel.onmessage = event => {
      const message = (event as { readonly data: DeskMessage }).data;
      if (!('what' in message) || message.id === this.#latestId) return;
      this.#latestId = message.id;
      void this.#serve(message);
    };
    // Orders to the thread before this one are lost.
    this.#post({ begun: true });
  }

  async #serve(order: DeskOrder): Promise<void> {
    clearTimeout(this.#resting);
    const { id } = order;
    const startedAt = performance.now();
    const say = sayNowAndThen(() => this.#post({ id, taken: true }));
    say();
    try {
      this.#maker ??= await this.#loadMaker();
      this.#post({ id, made: await make(this.#maker, order, say) });
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      this.#post({ id, problem, about: subjectOf(error) });
    }
    if (performance.now() - startedAt > largeWorkMs) giveBackGarbage();
    this.#resting = setTimeout(() => this.#rest(), idleMs).unref();
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

  #post(message: DeskMessage): void {
    this.#channel.postMessage(message);
  }
}

/** The thing that was ordered. */
async function make(maker: DeskMaker, order: DeskOrder, onProgress: () => void) {
  return order.what === 'set' ? maker.set(order.asked, onProgress) : maker.projects(order.asked, onProgress);
}

function subjectOf(error: unknown) {
  if (error instanceof Failure) return 'request';
  return error instanceof HistoryError ? 'history' : 'program';
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
