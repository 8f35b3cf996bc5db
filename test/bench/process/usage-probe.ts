import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

type DelayHistogram = ReturnType<typeof monitorEventLoopDelay>;

/** How much later than it should an event loop came round, in milliseconds. */
export interface LoopDelay {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** What a process used since it was last asked. */
export interface Usage {
  readonly loopDelayMs: LoopDelay;
  readonly residentBytes: number;
}

const resolutionMs = 1;
const socketPath = process.env.DBPM_BENCH_SOCKET;

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

// Loaded into a daemon before it starts (`node --import`); its worker threads load it as well, and are to be no larger for it.
if (isMainThread && socketPath !== undefined) {
  const { rmSync } = await import('node:fs');
  const { createServer } = await import('node:http');
  const delay = watchLoopDelay();
  rmSync(socketPath, { force: true });
  const server = createServer((_request, response) => {
    const usage: Usage = { loopDelayMs: readLoopDelay(delay), residentBytes: process.memoryUsage.rss() };
    response.end(JSON.stringify(usage));
  });
  server.listen(socketPath).unref();
}
