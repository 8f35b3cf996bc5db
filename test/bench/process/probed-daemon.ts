import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startDaemonProcess } from '../../support/daemon-process.ts';
import type { BenchRun } from '../bench-run.ts';
import type { Usage } from './usage-probe.ts';

export interface ProbedDaemon {
  /** Of its metrics. */
  readonly url: string;
  /** What it used since this was last called. */
  readUsage(): Promise<Usage>;
}

const probe = new URL('./usage-probe.ts', import.meta.url);

/** What the daemon gives itself: modules that were compiled once are not stripped of their types in every process. */
const compileCache = join(tmpdir(), 'dbpm-bench-compile-cache');

/** The daemon as users start it, with compact pages and a probe in its process. */
export async function startProbedDaemon(
  run: BenchRun,
  options: {
    readonly base_url: string;
    readonly historyFile: string;
    readonly sweepSeconds: number;
    readonly requestsPerMinute: number;
  },
): Promise<ProbedDaemon> {
  const socketPath = join(run.openFolder(), 'probe.sock');
  const daemon = startDaemonProcess({
    base_url: options.base_url,
    historyFile: options.historyFile,
    apiKey: 'bench',
    env: {
      NODE_OPTIONS: `--import=${probe.href}`,
      DBPM_BENCH_SOCKET: socketPath,
      NODE_COMPILE_CACHE: compileCache,
      DBPM_SERIES_MODE: 'compact',
      DBPM_REQUESTS_PER_MINUTE: String(options.requestsPerMinute),
      DBPM_COLLECT_SCHEDULE: `*/${options.sweepSeconds} * * * * *`,
    },
  });
  run.onEnd(() => daemon.stop('SIGKILL'));
  const url = `${await daemon.untilServing()}/metrics`;
  return { url, readUsage: async () => JSON.parse(await askSocket(socketPath)) as Usage };
}

function askSocket(socketPath: string): Promise<string> {
  return new Promise((resolve, reject) => {
    request({ socketPath, path: '/' }, response => text(response).then(resolve, reject))
      .once('error', reject)
      .end();
  });
}
