import type { Transferable } from 'node:worker_threads';
import { packError, type SentError, unpackError } from './sent-error.ts';

type MethodName<Api> = {
  [Name in keyof Api]-?: NonNullable<Api[Name]> extends (...args: never[]) => unknown ? Name : never;
}[keyof Api];

/** The methods of an object in another thread: each promises what that one returns, and rejects with what it throws. */
export type Asked<Api> = {
  readonly [Name in MethodName<Api>]: NonNullable<Api[Name]> extends (...args: infer Args) => infer Made
    ? (...args: Args) => Promise<Awaited<Made>>
    : never;
};

/** The same methods, where no answer is sent: what one throws ends its thread. */
export type Told<Api> = {
  readonly [Name in MethodName<Api>]: NonNullable<Api[Name]> extends (...args: infer Args) => unknown
    ? (...args: Args) => void
    : never;
};

/** A worker as its owner has it, the `parentPort` of a worker, or an end of a channel. */
export interface Port {
  postMessage(message: unknown, transferred?: readonly Transferable[]): void;
  on(event: 'message', listener: (message: Message) => void): unknown;
  once(event: 'close', listener: () => void): unknown;
}

/** Arguments on their way. Functions and signals among them stay where they are; errors are packed. */
interface SentArguments {
  readonly args: readonly unknown[];
  readonly special: readonly (readonly [place: number, is: 'function' | 'signal' | 'error'])[];
}

/** A message from one end of a link to the other. */
export type Message =
  | ({ readonly kind: 'ask'; readonly id: number; readonly method: string } & SentArguments)
  | ({ readonly kind: 'tell'; readonly method: string } & SentArguments)
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'throw'; readonly id: number; readonly error: SentError }
  /** A call of a function among the arguments of a question. */
  | { readonly kind: 'call'; readonly id: number; readonly place: number; readonly args: readonly unknown[] }
  | { readonly kind: 'abort'; readonly id: number }
  /** Nothing will be answered any more. */
  | { readonly kind: 'fail'; readonly error: SentError };

type Ask = Message & { readonly kind: 'ask' };

interface Waiting {
  readonly args: readonly unknown[];
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

const transfers = new WeakMap<object, readonly Transferable[]>();

/** Has memory and ports move along with an argument or an answer, instead of being copied. @returns the value as it is. */
export function transfer<Value extends object>(value: Value, moved: readonly Transferable[]): Value {
  transfers.set(value, moved);
  return value;
}

function movedWith(value: unknown): readonly Transferable[] {
  return (typeof value === 'object' && value !== null && transfers.get(value)) || [];
}

/**
 * One end of a line between two threads, each of which may call the methods of an object of the other. Calls arrive in order.
 * Of the arguments, a function is called back with copies and returns nothing, and a signal that is aborted rejects the call at
 * once and aborts that of the method.
 */
export class Link<Api extends object> {
  readonly ask: Asked<Api>;
  readonly tell: Told<Api>;
  readonly #port: Port;
  readonly #methods: object;
  readonly #waiting = new Map<number, Waiting>();
  /** The calls from the other side that may be aborted. */
  readonly #abortable = new Map<number, AbortController>();
  #next = 0;
  #failure: Error | undefined;

  /**
   * @param serve gives the object whose methods the other side may call.
   * @param ended says why nothing is answered any more, once the port is closed.
   */
  constructor(port: Port, serve: (link: Link<Api>) => object = () => ({}), ended = 'the other thread ended') {
    this.#port = port;
    this.ask = everyMethod((method, args) => this.#ask(method, args)) as Asked<Api>;
    this.tell = everyMethod((method, args) => this.#tell(method, args)) as Told<Api>;
    this.#methods = serve(this);
    port.on('message', message => this.#receive(message));
    port.once('close', () => this.fail(new Error(ended)));
  }

  /** Why nothing is answered any more; undefined while all is well. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Rejects all that waits for an answer, and all that is asked from now on. Only the first failure counts. */
  fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
  }

  #ask(method: string, args: readonly unknown[]): Promise<unknown> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const id = this.#next++;
    const signal = args.find(arg => arg instanceof AbortSignal);
    if (signal === undefined) return this.#send(id, method, args);
    if (signal.aborted) return Promise.reject(signal.reason);
    const abort = () => {
      this.#take(id)?.reject(signal.reason);
      this.#port.postMessage({ kind: 'abort', id } satisfies Message);
    };
    signal.addEventListener('abort', abort, { once: true });
    return this.#send(id, method, args).finally(() => signal.removeEventListener('abort', abort));
  }

  #send(id: number, method: string, args: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const message: Message = { kind: 'ask', id, method, ...pack(args) };
      this.#port.postMessage(message, args.flatMap(movedWith));
      this.#waiting.set(id, { args, resolve, reject });
    });
  }

  #tell(method: string, args: readonly unknown[]): void {
    if (this.#failure !== undefined) return;
    const message: Message = { kind: 'tell', method, ...pack(args) };
    this.#port.postMessage(message, args.flatMap(movedWith));
  }

  #receive(message: Message): void {
    switch (message.kind) {
      case 'ask':
        this.#serve(message);
        break;
      case 'tell':
        this.#invoke(message);
        break;
      case 'answer':
        this.#take(message.id)?.resolve(message.value);
        break;
      case 'throw':
        this.#take(message.id)?.reject(unpackError(message.error));
        break;
      case 'call':
        (this.#waiting.get(message.id)?.args[message.place] as Callback | undefined)?.(...message.args);
        break;
      case 'abort':
        this.#abortable.get(message.id)?.abort();
        break;
      case 'fail':
        this.fail(unpackError(message.error));
    }
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  /** What is made at once is answered at once, before anything else is said. */
  #serve(ask: Ask): void {
    try {
      const value = this.#invoke(ask, ask.id);
      if (value instanceof Promise) void this.#serveLater(ask.id, value);
      else this.#answer(ask.id, value);
    } catch (error) {
      this.#refuse(ask.id, error);
    }
  }

  async #serveLater(id: number, value: Promise<unknown>): Promise<void> {
    try {
      this.#answer(id, await value);
    } catch (error) {
      this.#refuse(id, error);
    }
  }

  #invoke(
    { method, args: sent, special }: SentArguments & { readonly method: string },
    id?: number,
  ): unknown {
    const called: unknown = Reflect.get(this.#methods, method);
    const args = [...sent];
    for (const [place, is] of special) args[place] = this.#unpack(id, place, is, args[place]);
    return typeof called === 'function' ? Reflect.apply(called, this.#methods, args) : undefined;
  }

  #unpack(
    id: number | undefined,
    place: number,
    is: 'function' | 'signal' | 'error',
    sent: unknown,
  ): unknown {
    if (is === 'error') return unpackError(sent as SentError);
    if (id === undefined) return undefined;
    if (is === 'function') {
      return (...args: readonly unknown[]) =>
        this.#port.postMessage({ kind: 'call', id, place, args } satisfies Message);
    }
    const abort = new AbortController();
    this.#abortable.set(id, abort);
    return abort.signal;
  }

  #answer(id: number, value: unknown): void {
    this.#abortable.delete(id);
    this.#port.postMessage({ kind: 'answer', id, value } satisfies Message, movedWith(value));
  }

  #refuse(id: number, error: unknown): void {
    this.#abortable.delete(id);
    this.#port.postMessage({ kind: 'throw', id, error: packError(error) } satisfies Message);
  }
}

function pack(args: readonly unknown[]): SentArguments {
  const special: (readonly [number, 'function' | 'signal' | 'error'])[] = [];
  const sent = args.map((arg, place) => {
    const is = typeof arg === 'function' ? 'function' : arg instanceof AbortSignal ? 'signal' : undefined;
    if (is !== undefined) return void special.push([place, is]);
    if (!(arg instanceof Error)) return arg;
    special.push([place, 'error']);
    return packError(arg);
  });
  return { args: sent, special };
}

type Callback = (...args: readonly unknown[]) => void;

/** An object that has every method; `then` alone it has not, for it is no promise. */
function everyMethod(call: (method: string, args: readonly unknown[]) => unknown): object {
  const made = new Map<PropertyKey, Callback>();
  return new Proxy(Object.freeze({}), {
    get(_, name) {
      if (typeof name !== 'string' || name === 'then') return undefined;
      const method = made.get(name) ?? ((...args) => call(name, args));
      made.set(name, method);
      return method;
    },
  });
}
