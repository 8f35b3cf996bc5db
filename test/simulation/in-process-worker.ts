import { EventEmitter } from 'node:events';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../src/simulator/model/random.ts';
import { Life } from './life.ts';

/** How long a message takes, at most: a life may end while one is on its way. */
const longestMessageMs = 20;

/** What runs in a thread: from its end of the channel, and its settings. */
export type RunThread = (port: InProcessPort, data: unknown) => void;

/** By the name of the file of a thread. */
const threads = new Map<string, RunThread>();

/** Says what is run as a file of a thread: one that is imported only then would take a while of real time. */
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

  /** Does something after the last message has come. */
  afterLast(work: () => void): void {
    void this.#last.then(() => {
      if (!this.#isOver) work();
    });
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
  readonly workerData: { readonly module: string; readonly data: unknown };
}

/** A thread of a daemon without threads: its module is run by the loop that all share, between two timers. */
export class InProcessWorker extends InProcessPort {
  constructor(_entry: URL, { workerData: { module, data } }: WorkerSettings) {
    super();
    const inside = new InProcessPort();
    this.other = inside;
    inside.other = this;
    const run = threads.get(basename(module));
    if (run === undefined) throw new Error(`nothing is known to run as ${module}`);
    queueMicrotask(() => {
      try {
        run(inside, data);
      } catch (error) {
        inside.afterLast(() => {
          this.emit('error', error);
          this.emit('exit', 1);
        });
      }
    });
  }

  async terminate(): Promise<number> {
    this.emit('exit', 1);
    return 1;
  }
}
