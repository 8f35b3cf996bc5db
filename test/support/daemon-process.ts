import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const entryPoint = fileURLToPath(new URL('../../bin/dbpm-exporter.cjs', import.meta.url));
const startTimeoutMs = 120_000;
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The program as users start it: a process of its own, with no environment but what it is given and PATH. */
export interface ProgramProcess {
  readonly pid: number | undefined;
  stdout(): string;
  stderr(): string;
  readonly exited: Promise<Exit>;
  isRunning(): boolean;
  /** Waits for the first match in what it writes; throws with all it wrote when it ends or 30 s pass before. */
  untilWritten(stream: 'stdout' | 'stderr', pattern: RegExp): Promise<string>;
  signal(signal: NodeJS.Signals): void;
  /** Sends a signal and waits for the end. */
  stop(signal: NodeJS.Signals): Promise<Exit>;
}

interface ProgramLimits {
  /** Files and connections that it may have open. */
  readonly descriptors?: number;
  /** The words of a command that runs the program its further words name, in its own place. */
  readonly wrapper?: readonly string[];
}

/** Where the compiled code is kept speeds up the many short lives of a suite; an empty name would be this folder. */
function keptCode() {
  const { NODE_COMPILE_CACHE } = process.env;
  return { ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) };
}

export function startProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  { descriptors, wrapper = [] }: ProgramLimits = {},
): ProgramProcess {
  const run = [process.execPath, entryPoint, ...args];
  const limit = descriptors === undefined ? [] : ['sh', '-c', `ulimit -n ${descriptors} && exec "$@"`, 'sh'];
  const [command = '', ...rest] = [...wrapper, ...limit, ...run];
  const child = spawn(command, rest, {
    env: { PATH: process.env.PATH ?? '', ...keptCode(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const written = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      written[stream] += text;
    });
  }
  let isRunning = true;
  const exited = once(child, 'close').then(([code, signal]): Exit => {
    isRunning = false;
    running.delete(child);
    return { code, signal };
  });
  return {
    pid: child.pid,
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    exited,
    isRunning: () => isRunning,
    async untilWritten(stream, pattern) {
      const deadline = AbortSignal.timeout(startTimeoutMs);
      for (;;) {
        const found = pattern.exec(written[stream]);
        if (found !== null) return found[1] ?? found[0];
        if (!isRunning || deadline.aborted) {
          throw new Error(`no ${pattern} on ${stream}:\n${written.stdout}${written.stderr}`);
        }
        await Promise.race([once(child[stream], 'data', { signal: deadline }).catch(() => {}), exited]);
      }
    },
    signal: signal => void child.kill(signal),
    async stop(signal) {
      child.kill(signal);
      return exited;
    },
  };
}

interface DaemonOptions {
  readonly base_url: string;
  readonly apiKey: string;
  readonly historyFile: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly limits?: ProgramLimits;
}

export interface DaemonProcess extends ProgramProcess {
  /** Waits until it listens and gives its root, without the last slash. */
  untilServing(): Promise<string>;
}

/** `serve` on a free loopback port, reading the lists every second within a generous request budget. */
export function startDaemonProcess({
  base_url,
  apiKey,
  historyFile,
  env,
  limits,
}: DaemonOptions): DaemonProcess {
  const program = startProgram(
    ['serve'],
    {
      DBPM_BASE_URL: base_url,
      DBPM_API_KEY: apiKey,
      DBPM_HISTORY_FILE: historyFile,
      DBPM_WEB_LISTEN_ADDRESS: '127.0.0.1:0',
      DBPM_COLLECT_SCHEDULE: '* * * * * *',
      DBPM_COLLECT_API_KEYS_REFRESH: '1s',
      DBPM_REQUESTS_PER_MINUTE: '60000',
      ...env,
    },
    limits,
  );
  return { ...program, untilServing: () => program.untilWritten('stderr', /msg=serving url=(\S+)/) };
}
