import { isMainThread } from 'node:worker_threads';

/** What a process used since it was last asked. */
export interface Usage {
  /** How much later than it should the event loop came round, in milliseconds. */
  readonly loopDelayMs: { readonly p50: number; readonly p99: number; readonly max: number };
  readonly residentBytes: number;
}

const resolutionMs = 1;
const socketPath = process.env.DBPM_BENCH_SOCKET;

// Loaded into a daemon before it starts (`node --import`); its worker threads load it as well, and are to be no larger for it.
if (isMainThread && socketPath !== undefined) {
  const { rmSync } = await import('node:fs');
  const { createServer } = await import('node:http');
  const { monitorEventLoopDelay } = await import('node:perf_hooks');
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  // The delay of an idle loop is the resolution itself.
  const milliseconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolutionMs);
  rmSync(socketPath, { force: true });
  const server = createServer((_request, response) => {
    const usage: Usage = {
      loopDelayMs: {
        p50: milliseconds(delay.percentile(50)),
        p99: milliseconds(delay.percentile(99)),
        max: milliseconds(delay.max),
      },
      residentBytes: process.memoryUsage.rss(),
    };
    response.end(JSON.stringify(usage));
    delay.reset();
  });
  server.listen(socketPath).unref();
}
