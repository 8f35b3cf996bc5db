import { type ProgramProcess, startProgram } from '../support/daemon-process.ts';
import type { Truth } from '../support/truth.ts';

export const fleetKey = 'e2e-55c1d0a7e2b94f36';

export interface FleetOptions {
  readonly projects: number;
  /** Projects with a client that stays. */
  readonly busyProjects: number;
  readonly pageSize: number;
  readonly requestsPerMinute: number;
}

/** A simulated service in a process of its own, which keeps to a rate limit, and clients who come and go. */
export interface LimitedFleet {
  readonly base_url: string;
  truth(): Promise<Truth>;
  /** A client connects for a moment to an endpoint that sleeps again a minute later; to another one each time. */
  wakeOne(): Promise<void>;
  close(): Promise<void>;
}

/** The shortest delay of auto-suspend there is among quiet endpoints. */
const restlessSeconds = 60;
const hour = 3600;

/** All of it is asleep but for the busy ones. */
export async function startLimitedFleet(options: FleetOptions): Promise<LimitedFleet> {
  const { projects, busyProjects, pageSize, requestsPerMinute } = options;
  const limits = ['--page-projects', `${pageSize}`, '--rate-limit', `${requestsPerMinute}/min`];
  const empty = ['--projects', '0', '--history-days', '0', '--api-key', fleetKey];
  const program = startProgram(['simulate', ...empty, ...limits]);
  const { base_url } = JSON.parse(await program.untilWritten('stdout', /^.*\n/)) as { base_url: string };
  const call = callControls(base_url, program);
  const connect = (endpoint_id: string, seconds: number) =>
    call('POST', `endpoints/${endpoint_id}/connect`, { seconds });
  for (let index = 0; index < projects; index += 1) {
    await call('POST', 'projects', { name: `project-${index}`, branches: 1, profile: 'quiet' });
  }
  await call('POST', 'advance', { seconds: hour });
  const truth = async () => (await call('GET', 'truth')) as Truth;
  const { restless, others } = sortEndpoints(await truth());
  for (const endpoint_id of others.slice(0, busyProjects)) await connect(endpoint_id, hour);
  const sleepers = restless.values();
  const wakeOne = async () => {
    const { value: endpoint_id } = sleepers.next();
    if (endpoint_id === undefined) throw new Error('all that wake up and sleep again were woken');
    await connect(endpoint_id, 1);
  };
  return { base_url, truth, wakeOne, close: async () => void (await program.stop('SIGTERM')) };
}

function sortEndpoints({ projects }: Truth) {
  const endpoints = projects.flatMap(project => project.endpoints);
  const ids = (isRestless: boolean) =>
    endpoints
      .filter(({ suspend_timeout_seconds: seconds }) => (seconds === restlessSeconds) === isRestless)
      .map(({ endpoint_id }) => endpoint_id);
  return { restless: ids(true), others: ids(false) };
}

function callControls(base_url: string, program: ProgramProcess) {
  const root = new URL('/_sim/', base_url);
  return async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(new URL(path, root), {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    });
    if (response.ok) return response.json();
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}\n${program.stderr()}`);
  };
}
