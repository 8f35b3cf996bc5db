import type { Benchmark } from './benchmark.ts';
import { historySize } from './history-size.ts';
import { historyWrite } from './history-write.ts';
import { memory } from './memory.ts';
import { pollCycle } from './poll-cycle.ts';
import { publish } from './publish.ts';
import { report } from './report.ts';
import { scheduler } from './scheduler.ts';
import { scrape } from './scrape.ts';
import { startUp } from './start-up.ts';

/** In the order they are run. */
export const benchmarks: readonly Benchmark[] = [
  scrape,
  publish,
  memory,
  pollCycle,
  scheduler,
  historyWrite,
  historySize,
  report,
  startUp,
];
