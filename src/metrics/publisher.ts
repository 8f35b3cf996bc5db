import type { Format } from './exposition.ts';
import type { Page } from './page.ts';
import { type Body, Publication } from './publication.ts';

const shortestPauseMs = 250;
/** What is known changes with time alone too: series are dropped, keys become stale. */
const longestPauseMs = 30_000;
/** Rendering may take this share of the event loop's time at most. */
const longestShare = 0.1;

/** Keeps the published page up to date: many changes shortly after each other make one rendering. */
export class Publisher {
  readonly #publication = new Publication();
  readonly #render: () => Page;
  readonly #onError: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #renewal: NodeJS.Timeout | undefined;
  #pauseMs = shortestPauseMs;

  constructor(render: () => Page, onError: (error: unknown) => void) {
    this.#render = render;
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
    this.#publication.publish(this.#render());
    this.#pauseMs = Math.max(shortestPauseMs, (performance.now() - startedAt) / longestShare);
  }

  /** The published page with what is to follow it. */
  async read(format: Format, gzip: boolean, tail: string): Promise<Body> {
    return gzip ? this.#publication.gzip(format, tail) : this.#publication.plain(format, tail);
  }

  stop(): void {
    clearTimeout(this.#renewal);
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
