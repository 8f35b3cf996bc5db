import { type Command, InvalidArgumentError, Option } from 'commander';
import { Failure } from '../resources/failure.ts';
import { numberOption } from './number-option.ts';

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
}

/** A loopback host and a port; 0 takes a free one. */
export interface LoopbackAddress {
  readonly host: string;
  readonly port: number;
}

/** Adds the flags of `simulate`, whose values are `SimulateFlags`. */
export function addSimulateOptions(command: Command): Command {
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
        .argParser(readPlan)
        .default('paid'),
    )
    .option('--showcase', 'add projects that each use compute for another reason', false);
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

function readLatency(text: string): number {
  const [, count = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s)$/.exec(text) ?? [];
  const latencyMs = Number(count) * (unit === 's' ? 1000 : 1);
  if (count !== '' && latencyMs <= 600_000) return latencyMs;
  throw new InvalidArgumentError('write a duration up to 600s, for example 20ms');
}

function readPlan(text: string): SimulateFlags['plan'] {
  if (text === 'paid' || text === 'free') return text;
  throw new InvalidArgumentError('write paid or free');
}
