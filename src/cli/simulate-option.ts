import { type Command, InvalidArgumentError, Option } from 'commander';
import { Failure } from '../resources/failure.ts';
import { numberOption } from './option.ts';

/** The values of the flags of `simulate`. */
export interface SimulateFlags {
  readonly listen: LoopbackAddress;
  readonly projects: number;
  readonly seed: number;
  readonly apiKey?: string;
  readonly historyDays: number;
  /** Requests a minute. */
  readonly rateLimit?: number;
  /** Milliseconds. */
  readonly latency: number;
  readonly pageProjects?: number;
  readonly pendingInLists: boolean;
  readonly plan: 'paid' | 'free';
  readonly showcase: boolean;
  readonly api: 'contract' | 'later';
  /** Organisations; this and what follows is of later versions alone. */
  readonly org?: readonly string[];
  readonly keyOf?: 'person' | 'organisation';
  readonly listCpu?: 'present' | 'zero' | 'absent';
  readonly listDeleted?: true;
  readonly includedBranches?: number;
  /** Seconds. */
  readonly consumptionLag?: number;
  /** Requests a minute. */
  readonly consumptionRate?: number;
  readonly meteredIn?: 'month' | 'hour';
}

/** A loopback host and a port; 0 takes a free one. */
export interface LoopbackAddress {
  readonly host: string;
  readonly port: number;
}

/** Adds the flags of `simulate`, whose values are `SimulateFlags`. */
export function addSimulateOptions(command: Command): Command {
  return addLaterOptions(addContractOptions(command));
}

function addContractOptions(command: Command): Command {
  return command
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
        .argParser(readWord('paid', 'free'))
        .default('paid'),
    )
    .option('--showcase', 'add projects that each use compute for another reason', false);
}

function addLaterOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--api <version>', 'later: what later versions of the service add')
        .choices(['contract', 'later'])
        .argParser(readWord('contract', 'later'))
        .default('contract'),
    )
    .option('--org <ids>', 'later: organisations that have the projects, with commas between', readOrgs)
    .addOption(
      new Option('--key-of <whom>', 'later: whose the keys are; those of a person need org_id')
        .choices(['person', 'organisation'])
        .argParser(readWord('person', 'organisation')),
    )
    .addOption(
      new Option('--list-cpu <how>', 'later: cpu_used_sec in the list')
        .choices(['present', 'zero', 'absent'])
        .argParser(readWord('present', 'zero', 'absent')),
    )
    .option('--list-deleted', 'later: list deleted projects while they can be brought back')
    .addOption(
      numberOption('--included-branches <n>', 'later: branches of a project that are not extra', {
        least: 1,
        most: 1000,
      }),
    )
    .option('--consumption-lag <duration>', 'later: how long timeframes still grow (default: 15m)', readLag)
    .option('--consumption-rate <n/min>', 'later: consumption requests before 429 (default: 50)', readRate)
    .addOption(
      new Option('--metered-in <unit>', 'later: byte-months, or byte-hours as on live services')
        .choices(['month', 'hour'])
        .argParser(readWord('month', 'hour')),
    );
}

function readListen(text: string): LoopbackAddress {
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
  // The text may be a real key, so it is not repeated.
  throw new Failure(
    '--api-key: found other characters than a key has, write printable ASCII without spaces',
    'usage',
  );
}

function readRate(text: string): number {
  const [, count = ''] = /^([1-9]\d{0,8})(?:\/min)?$/.exec(text) ?? [];
  if (count !== '') return Number(count);
  throw new InvalidArgumentError('write requests a minute, for example 600/min');
}

function readLag(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([smh])$/.exec(text) ?? [];
  const seconds = Number(count) * ({ s: 1, m: 60, h: 3600 }[unit] ?? Number.NaN);
  if (seconds <= 48 * 3600) return seconds;
  throw new InvalidArgumentError('write a duration up to 48h, for example 15m');
}

function readLatency(text: string): number {
  const [, count = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s)$/.exec(text) ?? [];
  const latencyMs = Number(count) * (unit === 's' ? 1000 : 1);
  if (count !== '' && latencyMs <= 600_000) return latencyMs;
  throw new InvalidArgumentError('write a duration up to 600s, for example 20ms');
}

function readOrgs(text: string): readonly string[] {
  const ids = text.split(',');
  if (ids.every(id => /^[\w-]+$/.test(id)) && new Set(ids).size === ids.length) return ids;
  throw new InvalidArgumentError('write ids with commas between, for example org-calm-sky-12345678');
}

function readWord<Word extends string>(...words: readonly [Word, ...Word[]]): (text: string) => Word {
  return text => {
    const word = words.find(candidate => candidate === text);
    if (word !== undefined) return word;
    throw new InvalidArgumentError(`write ${words.join(' or ')}`);
  };
}
