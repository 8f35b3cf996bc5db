import { EventEmitter } from 'node:events';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../src/simulator/model/random.ts';
import { runThread } from '../../src/thread/worker.ts';
import { Life } from './life.ts';

/** How long a message takes, at most: a life may end while one is on its way. */
const longestMessageMs = 20;

/** What runs in a thread: from its settings and its end of the channel. */
export type RunThread = (workerData: never, port: InProcessPort, exit: () => void) => Promise<void>;

/** By the name of the file of a thread. */
const threads = new Map<string, RunThread>();

/** Says what is run in place of the file of a thread. */
export function defineThread(file: string, run: RunThread): void {
  threads.set(file, run);
}

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
    // A handler that dies may still throw.
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
    const file = basename(url.pathname);
    const start = file === 'entry.ts' ? runModule : threads.get(file);
    if (start === undefined) throw new Error(`nothing is known to run as ${url}`);
    void start(workerData, this.#inside, () => this.emit('exit', 0)).catch(error => {
      this.emit('error', error);
      this.emit('exit', 1);
    });
  }

  async terminate(): Promise<number> {
    this.emit('exit', 1);
    return 1;
  }
}

/** As `entry.ts` does it. */
async function runModule(data: never, port: InProcessPort): Promise<void> {
  await runThread(port, data);
}
