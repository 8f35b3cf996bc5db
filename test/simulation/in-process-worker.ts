import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HistoryEvent, HistoryRequest, HistoryWorkerOptions } from '../../src/daemon/history-message.ts';
import { HistoryService } from '../../src/daemon/history-service.ts';
import { packError } from '../../src/daemon/sent-error.ts';
import { StandbyService } from '../../src/daemon/standby-service.ts';
import { HistoryError } from '../../src/history/file/history-error.ts';
import type { Random } from '../../src/simulator/model/random.ts';
import { UsageWork } from '../../src/usage/usage-work.ts';
import { Life } from './life.ts';

/** How long a message takes, at most: a life may end while one is on its way. */
const longestMessageMs = 20;

let random: Random | undefined;

/** How long messages take follows from it. */
export function seedMessages(seeded: Random): void {
  random = seeded;
}

/** One end of a channel: messages come in order, each a copy, after a while of virtual time. */
export class InProcessPort extends EventEmitter {
  readonly #life = Life.current;
  #last = Promise.resolve();
  other: InProcessPort | undefined;

  postMessage(message: unknown, transfer: readonly unknown[] = []): void {
    const { other } = this;
    const copy = transfer.some(each => each instanceof InProcessPort) ? message : structuredClone(message);
    this.#last = this.#last.then(async () => {
      await sleep(random?.integer(0, longestMessageMs) ?? 0);
      if (!this.#isOver) other?.emit('message', copy);
    });
    // Whatever a handler still throws that dies is not heard.
    this.#last = this.#last.catch(error => {
      if (!this.#isOver) throw error;
    });
  }

  get #isOver(): boolean {
    return this.#life?.isOver === true;
  }

  close(): void {
    this.other = undefined;
  }

  unref(): void {}
}

export class InProcessChannel {
  readonly port1 = new InProcessPort();
  readonly port2 = new InProcessPort();

  constructor() {
    this.port1.other = this.port2;
    this.port2.other = this.port1;
  }
}

interface WorkerSettings {
  readonly workerData: never;
}

/** The threads of a daemon without threads: what they run is run by the loop that all share, between two timers. */
export class InProcessWorker extends InProcessPort {
  readonly #inside = new InProcessPort();

  constructor(url: URL, { workerData }: WorkerSettings) {
    super();
    this.other = this.#inside;
    this.#inside.other = this;
    const start = url.pathname.endsWith('history-worker.ts') ? startHistory : startUsage;
    void start(workerData, this.#inside, () => this.emit('exit', 0)).catch(error =>
      this.emit('error', error),
    );
  }

  async terminate(): Promise<number> {
    this.emit('exit', 1);
    return 1;
  }
}

/** As `history-worker.ts` does it. */
async function startHistory(
  options: HistoryWorkerOptions,
  port: InProcessPort,
  exit: () => void,
): Promise<void> {
  const post = (event: HistoryEvent) => port.postMessage(event);
  try {
    const service = options.isStandby ? new StandbyService(options, post) : new HistoryService(options, post);
    port.on('message', (request: HistoryRequest) => {
      if (request.kind !== 'close') return service.serve(request);
      void service.close().then(exit);
    });
    service.open();
    service.keepUp();
  } catch (error) {
    if (!(error instanceof HistoryError)) throw error;
    post({ kind: 'refused', error: packError(error) });
    exit();
  }
}

/** As `usage-worker.ts` does it, without the reports of the console. */
async function startUsage({ usage }: { readonly usage: never }, port: InProcessPort): Promise<void> {
  await UsageWork.begin(usage, event => port.postMessage(event));
}
