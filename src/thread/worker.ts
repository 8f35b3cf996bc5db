import { type Transferable, Worker, type WorkerOptions } from 'node:worker_threads';
import { Link, type Message, type Port } from './link.ts';
import { packError } from './sent-error.ts';

/** A thread that was started, and the object it serves. */
export interface Thread<Api extends object> extends Pick<Link<Api>, 'ask' | 'tell' | 'fail'> {
  /** Resolves when it ended by itself, with a sentence that says so and the cause; never once it is closed. */
  readonly ended: Promise<Error>;
  /** Why nothing is answered any more; undefined while all is well. */
  readonly failure: Error | undefined;
  /** Ends it, whatever it is at; what waits for an answer is rejected. */
  close(): Promise<void>;
}

export interface ThreadOptions {
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

/** The module that a thread is made of, and what that is given. */
interface ThreadData {
  readonly module: string;
  readonly data: unknown;
}

/** The shape of such a module. */
export interface ThreadModule {
  /** Gives the object whose methods the owner of the thread may call. */
  serve(data: unknown, owner: Link<object>): object;
}

/**
 * Starts a thread of a module with a `serve`. What that throws rejects every call, as does what ends the thread.
 *
 * @param module a file of this program.
 */
export function startWorker<Api extends object>(
  module: URL,
  { data, moved = [], listeners = {}, ended: sentence, resourceLimits, isRef = true }: ThreadOptions,
): Thread<Api> {
  const worker = new Worker(new URL('./entry.ts', import.meta.url), {
    workerData: { module: module.href, data } satisfies ThreadData,
    transferList: [...moved],
    ...(resourceLimits && { resourceLimits }),
  });
  if (!isRef) worker.unref();
  const link = new Link<Api>(worker, () => listeners);
  const ended = Promise.withResolvers<Error>();
  let cause: unknown;
  let isClosed = false;
  worker.once('error', error => {
    cause = error;
  });
  worker.once('exit', () => {
    const error = new Error(sentence, { cause: link.failure ?? cause });
    link.fail(error);
    if (!isClosed) ended.resolve(error);
  });
  return {
    ask: link.ask,
    tell: link.tell,
    fail: error => link.fail(error),
    ended: ended.promise,
    get failure() {
      return link.failure;
    },
    async close() {
      isClosed = true;
      await worker.terminate();
    },
  };
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
