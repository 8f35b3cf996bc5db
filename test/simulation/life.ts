import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<Life>();

/**
 * One simulated process. Its timers, threads, connections and open databases belong to it, and end with it at one moment.
 */
export class Life {
  /** Resolves when it has ended. */
  readonly over: Promise<void>;
  readonly #over = Promise.withResolvers<void>();
  readonly #endings = new Set<() => void>();
  #statementsLeft = Number.POSITIVE_INFINITY;
  #isOver = false;

  constructor() {
    this.over = this.#over.promise;
  }

  /** The life of the running code; undefined outside of all. */
  static get current(): Life | undefined {
    return current.getStore();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Runs something as a part of this life. */
  run<Result>(work: () => Result): Result {
    return current.run(this, work);
  }

  /** @param end is called when the life ends. @returns what is to be called when there is nothing to be ended any more. */
  onEnd(end: () => void): () => void {
    if (this.#isOver) end();
    else this.#endings.add(end);
    return () => void this.#endings.delete(end);
  }

  /** Ends it as a kill does: without a word to its code, and without a last write. */
  end(): void {
    this.#isOver = true;
    for (const end of [...this.#endings]) end();
    this.#endings.clear();
    this.#over.resolve();
  }

  /** Lets it end in the middle of a transaction, before the database has run a number of statements more. */
  endBeforeStatement(count: number): void {
    this.#statementsLeft = count;
  }

  /** A statement is about to be run. @throws where the life is to end before it. */
  noteStatement(): void {
    this.#statementsLeft -= 1;
    if (this.#statementsLeft < 0 && !this.#isOver) this.end();
    if (this.#isOver) throw new Error('this life is over');
  }
}
