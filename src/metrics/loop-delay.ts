import { monitorEventLoopDelay } from 'node:perf_hooks';

const resolutionMs = 10;
const windowMs = 60_000;
const nanosecondsPerSecond = 1e9;

export interface DelayFigures {
  readonly p99Seconds: number;
  readonly maxSeconds: number;
}

/**
 * How long the event loop of this thread was kept from its timers, over the last full minute, so that every scraper
 * sees the same; over what there is so far until the first minute is full. What is measured is the time between two
 * looks, 10 ms when nothing is late.
 */
export class LoopDelay {
  readonly #histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  readonly #timer: NodeJS.Timeout;
  #lastMinute: DelayFigures | undefined;

  constructor() {
    this.#histogram.enable();
    this.#timer = setInterval(() => {
      this.#lastMinute = this.#figures();
      this.#histogram.reset();
    }, windowMs).unref();
  }

  read(): DelayFigures {
    return this.#lastMinute ?? this.#figures();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#histogram.disable();
  }

  #figures(): DelayFigures {
    return {
      p99Seconds: this.#histogram.percentile(99) / nanosecondsPerSecond,
      maxSeconds: this.#histogram.max / nanosecondsPerSecond,
    };
  }
}
