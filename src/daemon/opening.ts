/** How far a thread has come with opening a history. */
export class Opening {
  /** Resolves when others may read it. */
  readonly readable: Promise<void>;
  /** Resolves when all that was known is published. */
  readonly done: Promise<void>;
  readonly #readable = Promise.withResolvers<void>();
  readonly #done = Promise.withResolvers<void>();
  #ownerToken: string | undefined;

  constructor() {
    this.readable = this.#readable.promise;
    this.done = this.#done.promise;
    // Nobody need be waiting for it.
    this.done.catch(() => {});
  }

  /** By which the history says that it is this daemon's; undefined for a standby. */
  get ownerToken(): string | undefined {
    return this.#ownerToken;
  }

  noteReadable(ownerToken: string): void {
    this.#ownerToken = ownerToken;
    this.#readable.resolve();
  }

  noteDone(): void {
    this.#readable.resolve();
    this.#done.resolve();
  }

  /** Rejects what is still waited for; once it is done this has no effect. */
  fail(error: Error): void {
    this.#readable.reject(error);
    this.#done.reject(error);
  }
}
