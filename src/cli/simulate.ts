import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Command, Option } from 'commander';
import { renderListenAddress } from '../config/listen-address.ts';
import { describeError } from '../log/error-record.ts';
import { Failure } from '../resources/failure.ts';
import { compact } from '../resources/field.ts';
import { type TextParser, wholeNumber } from '../resources/text-parser.ts';
import type { SimulatorOptions } from '../simulator/server.ts';
import type { Io } from './io.ts';
import { parsedOption, wordOption } from './option.ts';
import { simulateHelp } from './simulate-help.ts';
import { withProgress } from './terminal.ts';

type SimulatorModule = Pick<typeof import('../simulator/server.ts'), 'startSimulator'>;

/** A loopback host and a port; 0 takes a free one. */
interface LoopbackAddress {
  readonly host: string;
  readonly port: number;
}

/** The values of the flags: options of the service, or what these are made of. */
interface SimulateFlags
  extends Pick<SimulatorOptions, 'apiKey' | 'pageProjects' | 'plan' | 'api' | 'keyOf' | 'listCpu'> {
  readonly listen: LoopbackAddress;
  readonly projects: number;
  readonly historyDays: number;
  /** Requests a minute. */
  readonly rateLimit?: number;
  /** Milliseconds. */
  readonly latency: number;
  readonly org?: readonly string[];
  /** Seconds. */
  readonly consumptionLag?: number;
  /** Requests a minute. */
  readonly consumptionRate?: number;
}

/** How long requests under way may take to finish after SIGTERM. */
const stopGraceMs = 1000;

/** Making a history that takes no longer than this says nothing. */
const patienceMs = 2000;

/** `simulate`: the simulated service alone, until it is stopped. */
export function simulateCommand(
  io: Io,
  loadSimulator: () => Promise<SimulatorModule> = () => import('../simulator/server.ts'),
): Command {
  const command = new Command('simulate').description(
    'run the simulated service alone, for tests, demos and alert drills',
  );
  for (const option of [...contractOptions, ...laterOptions]) command.addOption(option);
  return command.addHelpText('after', simulateHelp).action((flags: SimulateFlags) => {
    refuseTooMuchHistory(flags);
    refuseLaterFlags(command.opts());
    return runSimulate(io, flags, loadSimulator);
  });
}

const listenParser: TextParser<LoopbackAddress> = {
  expects: 'a loopback address and a port, for example 127.0.0.1:0',
  parse(text) {
    const [, host = '', portText = ''] = /^(.*):(\d{1,5})$/.exec(text) ?? [];
    const port = Number(portText);
    const bareHost = host.replace(/^\[(.*)\]$/, '$1');
    const isLoopback = /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(bareHost);
    return isLoopback && port <= 65_535 ? { host: bareHost, port } : undefined;
  },
};

const rateParser: TextParser<number> = {
  expects: 'requests a minute, for example 600/min',
  parse: text => numberIn(/^([1-9]\d{0,8})(?:\/min)?$/, text),
};

const lagParser: TextParser<number> = {
  expects: 'a duration up to 48h, for example 15m',
  parse(text) {
    const seconds =
      (numberIn(/^(\d{1,6})[smh]$/, text) ?? Number.NaN) * ({ s: 1, m: 60, h: 3600 }[text.slice(-1)] ?? 1);
    return seconds <= 48 * 3600 ? seconds : undefined;
  },
};

const latencyParser: TextParser<number> = {
  expects: 'a duration up to 600s, for example 20ms',
  parse(text) {
    const latencyMs =
      (numberIn(/^(\d+(?:\.\d+)?)m?s$/, text) ?? Number.NaN) * (text.endsWith('ms') ? 1 : 1000);
    return latencyMs <= 600_000 ? latencyMs : undefined;
  },
};

const orgParser: TextParser<readonly string[]> = {
  expects: 'ids with commas between, for example org-calm-sky-12345678',
  parse(text) {
    const ids = text.split(',');
    return ids.every(id => /^[\w-]+$/.test(id)) && new Set(ids).size === ids.length ? ids : undefined;
  },
};

/** The number that the first group of a form is. */
function numberIn(form: RegExp, text: string): number | undefined {
  const count = form.exec(text)?.[1];
  return count === undefined ? undefined : Number(count);
}

function readKey(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  // The text may be a real key, so it is not repeated.
  throw new Failure(
    '--api-key: found other characters than a key has, write printable ASCII without spaces',
    'usage',
  );
}

const contractOptions = [
  parsedOption(
    '--listen <address>',
    'loopback address and port; port 0 takes a free one',
    listenParser,
  ).default({ host: '127.0.0.1', port: 0 }, '127.0.0.1:0'),
  parsedOption('--projects <n>', 'projects at the start', wholeNumber(0, 20_000), 50),
  parsedOption('--seed <n>', 'same seed, same fleet', wholeNumber(0, 0xffffffff), 1),
  new Option('--api-key <key>', 'the first key of the account (default: a random one)').argParser(readKey),
  parsedOption('--history-days <n>', 'days of history before the start', wholeNumber(0, 366), 30),
  parsedOption('--rate-limit <n/min>', 'requests a minute before 429 (default: unlimited)', rateParser),
  parsedOption('--latency <duration>', 'time every answer takes, for example 20ms', latencyParser, 0),
  parsedOption('--page-projects <n>', 'page GET /projects, n without limit', wholeNumber(1, 400)),
  new Option('--pending-in-lists', 'show pending_state in lists during transitions').default(false),
  wordOption('--plan <plan>', 'free cannot change compute size and auto-suspend', ['paid', 'free'], 'paid'),
  new Option('--showcase', 'add projects that each use compute for another reason').default(false),
  wordOption(
    '--api <version>',
    'later: what later versions of the service add',
    ['contract', 'later'],
    'contract',
  ),
];

/** These are of later versions alone. */
const laterOptions = [
  parsedOption('--org <ids>', 'later: organisations that have the projects, with commas between', orgParser),
  wordOption('--key-of <whom>', 'later: whose the keys are; those of a person need org_id', [
    'person',
    'organisation',
  ]),
  wordOption('--list-cpu <how>', 'later: cpu_used_sec in the list', ['present', 'zero', 'absent']),
  new Option('--list-deleted', 'later: list deleted projects while they can be brought back'),
  parsedOption(
    '--included-branches <n>',
    'later: branches of a project that are not extra',
    wholeNumber(1, 1000),
  ),
  parsedOption(
    '--consumption-lag <duration>',
    'later: how long timeframes still grow (default: 15m)',
    lagParser,
  ),
  parsedOption(
    '--consumption-rate <n/min>',
    'later: consumption requests before 429 (default: 50)',
    rateParser,
  ),
  wordOption('--metered-in <unit>', 'later: byte-months, or byte-hours as on live services', [
    'month',
    'hour',
  ]),
];

/** A project-day is about 10 kB: together about 1 GB, which every machine's Node takes. */
const maximumProjectDays = 100_000;

function refuseTooMuchHistory({ projects, historyDays }: SimulateFlags): void {
  if (projects * historyDays <= maximumProjectDays) return;
  const possibleDays = Math.floor(maximumProjectDays / projects);
  throw new Failure(
    `--history-days: found ${historyDays}, which for ${projects} projects does not fit into memory: ` +
      `write a whole number from 0 to ${possibleDays}, or fewer --projects`,
    'usage',
  );
}

/** Refuses flags of later versions where the contract is served: it would ignore them without a word. */
function refuseLaterFlags(flags: Readonly<Record<string, unknown>>): void {
  const later = laterOptions.find(option => flags[option.attributeName()] !== undefined);
  if (flags.api === 'contract' && later !== undefined) {
    throw new Failure(`${later.long}: the contract knows nothing of it, add --api later`, 'usage');
  }
  const { keyOf, org } = flags;
  if (keyOf === 'organisation' && Array.isArray(org) && org.length > 1) {
    throw new Failure(
      `--key-of: a key of an organisation knows that one alone, but --org has ${org.length}: write --key-of person`,
      'usage',
    );
  }
}

async function runSimulate(
  io: Io,
  { listen, rateLimit, latency, apiKey, org, consumptionLag, consumptionRate, ...options }: SimulateFlags,
  loadSimulator: () => Promise<SimulatorModule>,
): Promise<void> {
  const { startSimulator } = await loadSimulator();
  const start = (onProgress: (done: number) => void) =>
    startSimulator({
      ...options,
      ...listen,
      apiKey: apiKey ?? randomBytes(32).toString('hex'),
      latencyMs: latency,
      ...compact({
        orgs: org,
        consumptionLagSeconds: consumptionLag,
        consumptionRatePerMinute: consumptionRate,
        rateLimitPerMinute: rateLimit,
      }),
      onProgress,
      signal: io.stopped,
    });
  const simulator = await withProgress(io, 'making the history', start, { patienceMs }).catch(
    (error: Error) => {
      if (io.stopped.aborted) return undefined;
      throw new Failure(describeStartFailure(error, listen));
    },
  );
  if (simulator === undefined) return;
  const { base_url, api_key } = simulator;
  io.stdout(`${JSON.stringify({ base_url, api_key })}\n`);
  if (!io.stopped.aborted) await once(io.stopped, 'abort');
  await simulator.close(stopGraceMs);
}

const listenFailures: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken by another program: stop that one, or write --listen 127.0.0.1:0 for a free port',
  EACCES: 'may not be listened on by this user: choose a port above 1023 with --listen',
  EADDRNOTAVAIL: 'is no address of this machine: choose another with --listen',
};

function describeStartFailure(error: Error, listen: LoopbackAddress): string {
  const advice = 'code' in error ? listenFailures[String(error.code)] : undefined;
  return advice === undefined ? describeError(error) : `${renderListenAddress(listen)} ${advice}`;
}
