import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { Io } from './io.ts';

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
}

interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

const silences = `
Where the specification is silent
  Success        200; 201 for what was created.
  Errors         {"request_id","code","message"}: 400 malformed, 404 unknown id or path, 405 other method (with
                 Allow), 409 the branch already has an endpoint. The key is checked before anything else.
  Keys           Revoking twice is 404. A key that was never used has last_used_at null and an empty address.
  Endpoints      Attributes besides branch_id and type have the names of the response fields, and
                 suspend_timeout_seconds. Others are ignored; nothing to change is 400. type may be left out.
                 One size alone is a fixed size. Sizes are multiples of 0.25 CU; the smallest is the default.
                 A changed setting starts apply_config.
                 An update always shows pending_state: where it goes, or the state it stays in.
                 Moving to the branch it is on changes nothing. Moving one that is not idle starts apply_config
                 alone and keeps its clients. Deleting an unknown one is 404.
                 disabled true suspends to stopped; clients cannot wake it; disabled false makes it idle.
                 last_active of one that never was is its creation.
  Operations     limit is 1 to 1000, otherwise 400. The cursor is a microsecond of its own per operation: pages
                 neither lose nor repeat any. Only an empty page has no pagination.
  Projects       limit (up to 400, more is cut) and cursor (last id) page the list, which is in the order of ids.
                 Without them it is whole and unpaged; --page-projects pages it always.
  Rate limit     429 with Retry-After in seconds, counted per account in wall-clock minutes.
  Clock          Everything happens on whole seconds; the Date header tells the virtual time.

As seen on live services, on request: --page-projects, --pending-in-lists, and faults (POST /_sim/faults).
`;

/** `simulate`: the simulated service alone, until it is stopped. */
export function simulateCommand(io: Io): Command {
  return new Command('simulate')
    .description('run the simulated service alone, for tests, demos and alert drills')
    .addOption(
      new Option('--listen <address>', 'loopback address and port; port 0 takes a free one')
        .argParser(readListen)
        .default({ host: '127.0.0.1', port: 0 }, '127.0.0.1:0'),
    )
    .option('--projects <n>', 'projects at the start', readWhole(0, 20_000), 50)
    .option('--seed <n>', 'same seed, same fleet', readWhole(0, 0xffffffff), 1)
    .option('--api-key <key>', 'the first key of the account (default: a random one)', readKey)
    .option('--history-days <n>', 'days of history before the start', readWhole(0, 366), 30)
    .option('--rate-limit <n/min>', 'requests a minute before 429 (default: unlimited)', readRate)
    .option('--latency <duration>', 'time every answer takes, for example 20ms', readLatency, 0)
    .option('--page-projects <n>', 'page GET /projects, n without limit', readWhole(1, 400))
    .option('--pending-in-lists', 'show pending_state in lists during transitions', false)
    .addOption(
      new Option('--plan <plan>', 'free cannot change compute size and auto-suspend')
        .choices(['paid', 'free'])
        .default('paid'),
    )
    .addHelpText('after', silences)
    .action((flags: Flags, command: Command) => {
      refuseTooMuchHistory(flags, command);
      return runSimulate(io, flags, command);
    });
}

/** A project-day is about 10 kB; so many are about 1 GB, which every machine's Node takes. */
const maximumProjectDays = 100_000;

function refuseTooMuchHistory({ projects, historyDays }: Flags, command: Command): void {
  if (projects * historyDays <= maximumProjectDays) return;
  const possibleDays = Math.floor(maximumProjectDays / projects);
  command.error(
    `error: ${projects} projects with ${historyDays} days of history do not fit into memory: ` +
      `write --history-days ${possibleDays} or less, or fewer --projects.`,
    { exitCode: 2 },
  );
}

async function runSimulate(io: Io, flags: Flags, command: Command): Promise<void> {
  const { listen, rateLimit, latency, apiKey, ...options } = flags;
  const { startSimulator } = await import('../simulator/server.ts');
  const simulator = await startSimulator({
    ...options,
    ...listen,
    apiKey: apiKey ?? randomBytes(32).toString('hex'),
    latencyMs: latency,
    ...(rateLimit !== undefined && { rateLimitPerMinute: rateLimit }),
  }).catch((error: Error) =>
    command.error(`error: cannot listen on ${listen.host}:${listen.port}: ${error.message}`, { exitCode: 1 }),
  );
  const { base_url, api_key } = simulator;
  io.stdout(`${JSON.stringify({ base_url, api_key })}\n`);
  if (!io.stopped.aborted) await once(io.stopped, 'abort');
  await simulator.close();
}

function readListen(text: string): ListenAddress {
  const [, host = '', portText = ''] = /^(.*):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(portText);
  const bareHost = host.replace(/^\[(.*)\]$/, '$1');
  if (/^(localhost|127(\.\d{1,3}){3}|::1)$/.test(bareHost) && portText !== '' && port <= 65_535) {
    return { host: bareHost, port };
  }
  throw new InvalidArgumentError('Write a loopback address and a port, for example 127.0.0.1:0.');
}

function readWhole(minimum: number, maximum: number): (text: string) => number {
  return text => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return value;
    throw new InvalidArgumentError(`Write a whole number from ${minimum} to ${maximum}.`);
  };
}

function readKey(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new InvalidArgumentError('Write a key without spaces, in printable ASCII.');
}

function readRate(text: string): number {
  const [, count = ''] = /^([1-9]\d{0,8})(?:\/min)?$/.exec(text) ?? [];
  if (count !== '') return Number(count);
  throw new InvalidArgumentError('Write requests a minute, for example 600/min.');
}

function readLatency(text: string): number {
  const [, count = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s)$/.exec(text) ?? [];
  const latencyMs = Number(count) * (unit === 's' ? 1000 : 1);
  if (count !== '' && latencyMs <= 600_000) return latencyMs;
  throw new InvalidArgumentError('Write a duration up to 600s, for example 20ms.');
}
