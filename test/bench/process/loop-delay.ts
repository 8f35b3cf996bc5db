import { monitorEventLoopDelay } from 'node:perf_hooks';

type DelayHistogram = ReturnType<typeof monitorEventLoopDelay>;

/** How much later than it should an event loop came round, in milliseconds. */
export interface LoopDelay {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

const resolutionMs = 1;

/** Begins to measure how late this thread's event loop is. */
export function watchLoopDelay(): DelayHistogram {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  return delay;
}

/** The delay since this was last called. */
export function readLoopDelay(delay: DelayHistogram): LoopDelay {
  // The delay of an idle loop is the resolution itself.
  const milliseconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolutionMs);
  const read = {
    p50: milliseconds(delay.percentile(50)),
    p99: milliseconds(delay.percentile(99)),
    max: milliseconds(delay.max),
  };
  delay.reset();
  return read;
}
