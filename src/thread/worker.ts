import { type Transferable, Worker, type WorkerOptions } from 'node:worker_threads';
import { Link, type Message, type Port } from './link.ts';
import { packError } from './sent-error.ts';

interface ThreadOptions {
  /** What its `serve` is given; it is copied. */
  readonly data?: unknown;
  /** What of the data moves to the thread instead. */
  readonly moved?: readonly Transferable[];
  /** The object whose methods the thread may call. */
  readonly listeners?: object;
  /** The sentence that tells that it ended. */
  readonly ended: string;
  readonly resourceLimits?: WorkerOptions['resourceLimits'];
  /** Whether it keeps the program from ending; it does unless told. */
  readonly isRef?: boolean;
}

/** The shape of a module that a thread is made of. */
export interface ThreadModule {
  /** Gives the object whose methods the owner of the thread may call. */
  serve(data: unknown, owner: Link<object>): object;
}

/** A thread that was started, and the object it serves. What ends it rejects every call, as does what keeps it from beginning. */
export class Thread<Api extends object> extends Link<Api> {
  /** Resolves when it ended by itself, with a sentence that says so and the cause; never once it is closed. */
  readonly ended: Promise<Error>;
  readonly #worker: Worker;
  #isClosed = false;

  constructor(worker: Worker, listeners: object, sentence: string) {
    super(worker, () => listeners);
    this.#worker = worker;
    let cause: unknown;
    worker.once('error', error => {
      cause = error;
    });
    this.ended = new Promise(resolve => {
      worker.once('exit', () => {
        const error = new Error(sentence, { cause: this.failure ?? cause });
        this.fail(error);
        if (!this.#isClosed) resolve(error);
      });
    });
  }

  /** Ends it, whatever it is at; what waits for an answer is rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker.terminate();
  }
}

/**
 * Starts a thread of a module with a `serve`.
 *
 * @param module a file of this program.
 */
export function startWorker<Api extends object>(
  module: URL,
  { data, moved = [], listeners = {}, ended, resourceLimits, isRef = true }: ThreadOptions,
): Thread<Api> {
  const worker = new Worker(new URL('./entry.ts', import.meta.url), {
    workerData: { module: module.href, data },
    transferList: [...moved],
    ...(resourceLimits && { resourceLimits }),
  });
  if (!isRef) worker.unref();
  return new Thread<Api>(worker, listeners, ended);
}

/**
 * Serves a module in the thread it was started for, over the port to its owner.
 *
 * @throws what keeps it from beginning, once the owner knows.
 */
export function serveThread(port: Port, { serve }: ThreadModule, data: unknown): void {
  try {
    new Link<object>(port, owner => serve(data, owner));
  } catch (error) {
    port.postMessage({ kind: 'fail', error: packError(error) } satisfies Message);
    throw error;
  }
}
