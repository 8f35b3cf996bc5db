import { isMainThread } from 'node:worker_threads';
import type { LoopDelay } from './loop-delay.ts';

/** What a process used since it was last asked. */
export interface Usage {
  readonly loopDelayMs: LoopDelay;
  readonly residentBytes: number;
}

const socketPath = process.env.DBPM_BENCH_SOCKET;

// Loaded into a daemon before it starts (`node --import`); its worker threads load it as well, and are to be no larger for it.
if (isMainThread && socketPath !== undefined) {
  const { rmSync } = await import('node:fs');
  const { createServer } = await import('node:http');
  const { readLoopDelay, watchLoopDelay } = await import('./loop-delay.ts');
  const delay = watchLoopDelay();
  rmSync(socketPath, { force: true });
  const server = createServer((_request, response) => {
    const usage: Usage = { loopDelayMs: readLoopDelay(delay), residentBytes: process.memoryUsage.rss() };
    response.end(JSON.stringify(usage));
  });
  server.listen(socketPath).unref();
}
