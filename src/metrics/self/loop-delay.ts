import { type ELDHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { minuteMs } from '../../resources/duration.ts';

const resolutionMs = 10;
const windowMs = minuteMs;
const nanosecondsPerSecond = 1e9;

export interface DelayFigures {
  readonly p99Seconds: number;
  readonly maxSeconds: number;
}

/** Nanoseconds from one look at the clock to the next. */
type Looks = Pick<ELDHistogram, 'enable' | 'disable' | 'percentile' | 'max' | 'reset'>;

/**
 * How long the event loop of this thread was kept from its timers, over the last full minute, so that every scraper
 * sees the same; over what there is so far until the first minute is full.
 */
export class LoopDelay {
  readonly #histogram: Looks;
  readonly #timer: NodeJS.Timeout;
  #lastMinute: DelayFigures | undefined;

  constructor(histogram: Looks = monitorEventLoopDelay({ resolution: resolutionMs })) {
    this.#histogram = histogram;
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
      p99Seconds: delaySeconds(this.#histogram.percentile(99)),
      maxSeconds: delaySeconds(this.#histogram.max),
    };
  }
}

/** Node measures from one look to the next, which are the resolution apart when nothing is late. */
function delaySeconds(sinceLastLookNs: number): number {
  return Math.max(0, sinceLastLookNs / nanosecondsPerSecond - resolutionMs / 1000);
}
