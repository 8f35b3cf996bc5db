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

  /** @param onError is told why what was requested or attempted could not be published. */
  constructor(publish: () => void, onError: (error: unknown) => void) {
    this.#publish = publish;
    this.#onError = onError;
  }

  /** Something changed: publish soon. */
  request(): void {
    this.#timer ??= setTimeout(() => this.attempt(), this.#pauseMs).unref();
  }

  /** Publishes now, or tells `onError` why not. */
  attempt(): void {
    try {
      this.publish();
    } catch (error) {
      this.#onError(error);
    }
  }

  /** Publishes now; whether that succeeds or throws, it is published again within half a minute. */
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
