import type { Transferable } from 'node:worker_threads';
import { packError, type SentError, unpackError } from './sent-error.ts';

type Calls<Api, How extends 'ask' | 'tell'> = {
  readonly [Name in keyof Api as NonNullable<Api[Name]> extends (...args: never[]) => unknown
    ? Name
    : never]-?: NonNullable<Api[Name]> extends (...args: infer Args) => infer Made
    ? (...args: Args) => How extends 'ask' ? Promise<Awaited<Made>> : void
    : never;
};
/** The methods of an object in another thread: each promises what that one returns, and rejects with what it throws. */
export type Asked<Api> = Calls<Api, 'ask'>;
/** The same methods, where no answer is sent: what one throws ends its thread. */
export type Told<Api> = Calls<Api, 'tell'>;

/** A worker as its owner has it, the `parentPort` of a worker, or an end of a channel. */
export interface Port {
  postMessage(message: unknown, transferred?: readonly Transferable[]): void;
  on(event: 'message', listener: (message: Message) => void): unknown;
  once(event: 'close', listener: () => void): unknown;
}

/** An argument that does not go over by itself: an error is packed, a function or a signal stays where it is. */
type Special = 'error' | 'function' | 'signal';

/** A call on its way. One without an id is not answered. */
interface Call {
  readonly kind: 'call';
  readonly id: number | undefined;
  readonly method: string;
  readonly args: readonly unknown[];
  readonly special: readonly (readonly [place: number, is: Special])[];
}

/** A message from one end of a link to the other. */
export type Message =
  | Call
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'throw'; readonly id: number; readonly error: SentError }
  /** A call of a function among the arguments. */
  | { readonly kind: 'back'; readonly id: number; readonly place: number; readonly args: readonly unknown[] }
  | { readonly kind: 'abort'; readonly id: number }
  /** Nothing will be answered any more. */
  | { readonly kind: 'fail'; readonly error: SentError };

interface Waiting {
  readonly args: readonly unknown[];
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

type Callback = (...args: readonly unknown[]) => void;

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
    this.tell = everyMethod((method, args) => {
      if (this.#failure === undefined) this.#call(undefined, method, args);
    }) as Told<Api>;
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

  async #ask(method: string, args: readonly unknown[]): Promise<unknown> {
    if (this.#failure !== undefined) throw this.#failure;
    const signal = args.find(arg => arg instanceof AbortSignal);
    signal?.throwIfAborted();
    const id = this.#next++;
    this.#call(id, method, args);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, { args, resolve, reject });
    const abort = () => {
      this.#take(id)?.reject(signal?.reason);
      this.#post({ kind: 'abort', id });
    };
    signal?.addEventListener('abort', abort, { once: true });
    return promise.finally(() => signal?.removeEventListener('abort', abort));
  }

  #call(id: number | undefined, method: string, args: readonly unknown[]): void {
    const special = args.flatMap((arg, place) => {
      const is = specialOf(arg);
      return is === undefined ? [] : [[place, is] as const];
    });
    const sent = [...args];
    for (const [place, is] of special) sent[place] = is === 'error' ? packError(args[place]) : undefined;
    this.#post({ kind: 'call', id, method, args: sent, special }, args.flatMap(movedWith));
  }

  #post(message: Message, moved: readonly Transferable[] = []): void {
    this.#port.postMessage(message, moved);
  }

  #receive(message: Message): void {
    switch (message.kind) {
      case 'call':
        if (message.id === undefined) this.#invoke(message);
        else void this.#serve(message, message.id);
        break;
      case 'answer':
        this.#take(message.id)?.resolve(message.value);
        break;
      case 'throw':
        this.#take(message.id)?.reject(unpackError(message.error));
        break;
      case 'back':
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

  async #serve(call: Call, id: number): Promise<void> {
    try {
      const made = this.#invoke(call);
      // What is made at once is answered at once, before anything else is said.
      const value = made instanceof Promise ? await made : made;
      this.#post({ kind: 'answer', id, value }, movedWith(value));
    } catch (error) {
      this.#post({ kind: 'throw', id, error: packError(error) });
    } finally {
      this.#abortable.delete(id);
    }
  }

  #invoke({ id = -1, method, args: sent, special }: Call): unknown {
    const called: unknown = Reflect.get(this.#methods, method);
    const args = [...sent];
    for (const [place, is] of special) {
      if (is === 'error') args[place] = unpackError(sent[place] as SentError);
      else args[place] = is === 'signal' ? this.#openSignal(id) : this.#callBack(id, place);
    }
    return typeof called === 'function' ? Reflect.apply(called, this.#methods, args) : undefined;
  }

  #openSignal(id: number): AbortSignal {
    const abort = new AbortController();
    this.#abortable.set(id, abort);
    return abort.signal;
  }

  #callBack(id: number, place: number): Callback {
    return (...args) => this.#post({ kind: 'back', id, place, args });
  }
}

function specialOf(arg: unknown): Special | undefined {
  if (typeof arg === 'function') return 'function';
  if (arg instanceof Error) return 'error';
  return arg instanceof AbortSignal ? 'signal' : undefined;
}

/** An object that has every method; `then` alone it has not, for it is no promise. */
function everyMethod(call: (method: string, args: readonly unknown[]) => unknown): object {
  return new Proxy(Object.freeze({}), {
    get: (_, name) =>
      typeof name === 'string' && name !== 'then'
        ? (...args: readonly unknown[]) => call(name, args)
        : undefined,
  });
}
