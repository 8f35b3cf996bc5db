const shortestPauseMs = 250;
/** The page changes with time alone too: series are dropped, keys become stale. */
const longestPauseMs = 30_000;
/** Publishing may take this share of its thread's time at most. */
const longestShare = 0.25;

/** Decides when to publish: many changes shortly after each other make one publication. */
export class Publisher {
  readonly #publish: () => void;
  readonly #onError: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #renewal: NodeJS.Timeout | undefined;
  #pauseMs = shortestPauseMs;

  constructor(publish: () => void, onError: (error: unknown) => void) {
    this.#publish = publish;
    this.#onError = onError;
  }

  /** Something changed: publish soon. */
  request(): void {
    this.#timer ??= setTimeout(() => {
      try {
        this.publish();
      } catch (error) {
        this.#onError(error);
      }
    }, this.#pauseMs).unref();
  }

  publish(): void {
    this.stop();
    this.#renewal = setTimeout(() => this.request(), longestPauseMs).unref();
    const startedAt = performance.now();
    this.#publish();
    this.#pauseMs = Math.max(shortestPauseMs, (performance.now() - startedAt) / longestShare);
  }

  stop(): void {
    clearTimeout(this.#renewal);
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
