import type { Benchmark } from './benchmark.ts';
import { consolePages } from './console-pages.ts';
import { historySize } from './history-size.ts';
import { historyWrite } from './history-write.ts';
import { memory } from './memory.ts';
import { parquet } from './parquet.ts';
import { pollCycle } from './poll-cycle.ts';
import { publish } from './publish.ts';
import { remoteWrite } from './remote-write.ts';
import { report } from './report.ts';
import { scrape } from './scrape.ts';
import { startUp } from './start-up.ts';
import { storedSample } from './stored-sample.ts';

/** In the order they are run. */
export const benchmarks: readonly Benchmark[] = [
  scrape,
  publish,
  memory,
  pollCycle,
  historyWrite,
  historySize,
  report,
  parquet,
  consolePages,
  remoteWrite,
  storedSample,
  startUp,
];
