import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Command } from 'commander';
import { renderListenAddress } from '../config/listen-address.ts';
import { describeError } from '../log/error-record.ts';
import { Failure } from '../resources/failure.ts';
import type { Io } from './io.ts';
import { simulateHelp } from './simulate-help.ts';
import { addSimulateOptions, type LoopbackAddress, type SimulateFlags } from './simulate-option.ts';
import { withProgress } from './terminal.ts';

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
  const command = new Command('simulate').description(
    'run the simulated service alone, for tests, demos and alert drills',
  );
  return addSimulateOptions(command)
    .addHelpText('after', simulateHelp)
    .action((flags: SimulateFlags) => {
      refuseTooMuchHistory(flags);
      refuseLaterFlags(flags);
      return runSimulate(io, flags, loadSimulator);
    });
}

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
function refuseLaterFlags({ api, org, keyOf, ...flags }: SimulateFlags): void {
  const given = {
    '--org': org,
    '--key-of': keyOf,
    '--list-cpu': flags.listCpu,
    '--list-deleted': flags.listDeleted,
    '--included-branches': flags.includedBranches,
    '--consumption-lag': flags.consumptionLag,
    '--consumption-rate': flags.consumptionRate,
    '--metered-in': flags.meteredIn,
  };
  const [flag] = Object.entries(given).find(([, value]) => value !== undefined) ?? [];
  if (api === 'contract' && flag !== undefined) {
    throw new Failure(`${flag}: the contract knows nothing of it, add --api later`, 'usage');
  }
  if (keyOf === 'organisation' && org !== undefined && org.length > 1) {
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
      ...(org !== undefined && { orgs: org }),
      ...(consumptionLag !== undefined && { consumptionLagSeconds: consumptionLag }),
      ...(consumptionRate !== undefined && { consumptionRatePerMinute: consumptionRate }),
      ...(rateLimit !== undefined && { rateLimitPerMinute: rateLimit }),
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
