import type { Dispatcher } from 'undici';
import { type DispatcherOptions, openDispatcher } from './dispatcher.ts';

export interface ConnectionOptions extends Omit<DispatcherOptions, 'ca'> {
  /** Certificates of authorities that are trusted besides those of Node, as PEM; asked before every request. */
  readonly readCa?: (() => string) | undefined;
}

/** The connections to a service: where other authorities are to be trusted, the next request makes new ones. */
export class Connections {
  readonly #url: URL;
  readonly #options: ConnectionOptions;
  readonly #left = new Set<Dispatcher>();
  #ca: string | undefined;
  #dispatcher: Dispatcher;

  constructor(url: URL, options: ConnectionOptions) {
    this.#url = url;
    this.#options = options;
    this.#ca = options.readCa?.();
    this.#dispatcher = this.#open();
  }

  get dispatcher(): Dispatcher {
    const ca = this.#options.readCa?.();
    if (ca !== this.#ca) {
      this.#leave(this.#dispatcher);
      this.#ca = ca;
      this.#dispatcher = this.#open();
    }
    return this.#dispatcher;
  }

  /** Fails what is under way. */
  async destroy(error: Error): Promise<void> {
    await Promise.all([this.#dispatcher, ...this.#left].map(each => each.destroy(error)));
  }

  #open(): Dispatcher {
    return openDispatcher(this.#url, { ...this.#options, ca: this.#ca });
  }

  /** Requests that are under way come to their end. */
  #leave(dispatcher: Dispatcher): void {
    this.#left.add(dispatcher);
    const forget = () => void this.#left.delete(dispatcher);
    dispatcher.close().then(forget, forget);
  }
}
