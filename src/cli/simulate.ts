import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Command, InvalidArgumentError, Option } from 'commander';
import { renderListenAddress } from '../config/listen-address.ts';
import { describeError } from '../log/error-record.ts';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';
import { numberOption } from './number-option.ts';
import { simulateHelp } from './simulate-help.ts';

interface Flags {
  readonly listen: ListenAddress;
  readonly projects: number;
  readonly seed: number;
  readonly apiKey?: string;
  readonly historyDays: number;
  readonly rateLimit?: number;
  readonly latency: number;
  readonly pageProjects?: number;
  readonly pendingInLists: boolean;
  readonly plan: 'paid' | 'free';
  readonly showcase: boolean;
}

interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

type SimulatorModule = Pick<typeof import('../simulator/server.ts'), 'startSimulator'>;

/** How long requests under way may take to finish after SIGTERM. */
const stopGraceMs = 1000;

/** Making a history that takes no longer than this says nothing. */
const patienceMs = 2000;

/** `simulate`: the simulated service alone, until it is stopped. */
export function simulateCommand(
  io: Io,
  loadSimulator: () => Promise<SimulatorModule> = () => import('../simulator/server.ts'),
): Command {
  return new Command('simulate')
    .description('run the simulated service alone, for tests, demos and alert drills')
    .addOption(
      new Option('--listen <address>', 'loopback address and port; port 0 takes a free one')
        .argParser(readListen)
        .default({ host: '127.0.0.1', port: 0 }, '127.0.0.1:0'),
    )
    .addOption(
      numberOption('--projects <n>', 'projects at the start', { least: 0, most: 20_000, byDefault: 50 }),
    )
    .addOption(
      numberOption('--seed <n>', 'same seed, same fleet', { least: 0, most: 0xffffffff, byDefault: 1 }),
    )
    .option('--api-key <key>', 'the first key of the account (default: a random one)', readKey)
    .addOption(
      numberOption('--history-days <n>', 'days of history before the start', {
        least: 0,
        most: 366,
        byDefault: 30,
      }),
    )
    .option('--rate-limit <n/min>', 'requests a minute before 429 (default: unlimited)', readRate)
    .option('--latency <duration>', 'time every answer takes, for example 20ms', readLatency, 0)
    .addOption(
      numberOption('--page-projects <n>', 'page GET /projects, n without limit', { least: 1, most: 400 }),
    )
    .option('--pending-in-lists', 'show pending_state in lists during transitions', false)
    .addOption(
      new Option('--plan <plan>', 'free cannot change compute size and auto-suspend')
        .choices(['paid', 'free'])
        .argParser(readPlan)
        .default('paid'),
    )
    .option('--showcase', 'add projects that each use compute for another reason', false)
    .addHelpText('after', simulateHelp)
    .action((flags: Flags) => {
      refuseTooMuchHistory(flags);
      return runSimulate(io, flags, loadSimulator);
    });
}

/** A project-day is about 10 kB; so many are about 1 GB, which every machine's Node takes. */
const maximumProjectDays = 100_000;

function refuseTooMuchHistory({ projects, historyDays }: Flags): void {
  if (projects * historyDays <= maximumProjectDays) return;
  const possibleDays = Math.floor(maximumProjectDays / projects);
  throw new Failure(
    `--history-days: found ${historyDays}, which for ${projects} projects does not fit into memory: ` +
      `write a whole number from 0 to ${possibleDays}, or fewer --projects`,
    2,
  );
}

async function runSimulate(
  io: Io,
  flags: Flags,
  loadSimulator: () => Promise<SimulatorModule>,
): Promise<void> {
  const { listen, rateLimit, latency, apiKey, ...options } = flags;
  const { startSimulator } = await loadSimulator();
  const progress = createProgressLine(io);
  const simulator = await startSimulator({
    ...options,
    ...listen,
    apiKey: apiKey ?? randomBytes(32).toString('hex'),
    latencyMs: latency,
    ...(rateLimit !== undefined && { rateLimitPerMinute: rateLimit }),
    onProgress: progress.show,
    signal: io.stopped,
  })
    .catch((error: Error) => {
      if (io.stopped.aborted) return undefined;
      throw new Failure(describeStartFailure(error, listen));
    })
    .finally(progress.clear);
  if (simulator === undefined) return;
  const { base_url, api_key } = simulator;
  io.stdout(`${JSON.stringify({ base_url, api_key })}\n`);
  if (!io.stopped.aborted) await once(io.stopped, 'abort');
  await simulator.close(stopGraceMs);
}

/** One line on a terminal that says how much of the history is made, once that takes longer than one likes to wait. */
function createProgressLine(io: Io) {
  const startedAt = performance.now();
  let shown = '';
  return {
    show(share: number): void {
      if (!io.stderrIsTerminal || performance.now() - startedAt < patienceMs) return;
      const line = `\rmaking the history: ${Math.floor(100 * share)} %`;
      if (line !== shown) io.stderr(line);
      shown = line;
    },
    clear(): void {
      if (shown !== '') io.stderr('\r\u001b[K');
    },
  };
}

const listenFailures: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken by another program: stop that one, or write --listen 127.0.0.1:0 for a free port',
  EACCES: 'may not be listened on by this user: choose a port above 1023 with --listen',
  EADDRNOTAVAIL: 'is no address of this machine: choose another with --listen',
};

function describeStartFailure(error: Error, listen: ListenAddress): string {
  const advice = 'code' in error ? listenFailures[String(error.code)] : undefined;
  return advice === undefined ? describeError(error) : `${renderListenAddress(listen)} ${advice}`;
}

function readListen(text: string): ListenAddress {
  const [, host = '', portText = ''] = /^(.*):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(portText);
  const bareHost = host.replace(/^\[(.*)\]$/, '$1');
  if (/^(localhost|127(\.\d{1,3}){3}|::1)$/.test(bareHost) && portText !== '' && port <= 65_535) {
    return { host: bareHost, port };
  }
  throw new InvalidArgumentError('write a loopback address and a port, for example 127.0.0.1:0');
}

function readKey(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  // What was found may be a real key, so it is not repeated.
  throw new Failure(
    '--api-key: found other characters than a key has, write printable ASCII without spaces',
    2,
  );
}

function readRate(text: string): number {
  const [, count = ''] = /^([1-9]\d{0,8})(?:\/min)?$/.exec(text) ?? [];
  if (count !== '') return Number(count);
  throw new InvalidArgumentError('write requests a minute, for example 600/min');
}

function readLatency(text: string): number {
  const [, count = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s)$/.exec(text) ?? [];
  const latencyMs = Number(count) * (unit === 's' ? 1000 : 1);
  if (count !== '' && latencyMs <= 600_000) return latencyMs;
  throw new InvalidArgumentError('write a duration up to 600s, for example 20ms');
}

function readPlan(text: string): Flags['plan'] {
  if (text === 'paid' || text === 'free') return text;
  throw new InvalidArgumentError('write paid or free');
}
