import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { vi } from 'vitest';
import { projectCpuUse } from '../../dashboards/rules/recording-rule.ts';
import type { Sample } from '../support/exposition-reader.ts';
import { patience } from '../support/patience.ts';
import type { TrueProject } from '../support/truth.ts';
import { liveProjects } from '../world/driver.ts';
import type { SimulatedWorld } from './simulated-world.ts';

/** A simulated service, and the daemon that watches it. */
export interface Stage {
  readonly world: SimulatedWorld;
  /** What the daemon says at this moment. */
  scrape(): Promise<readonly Sample[]>;
}

export interface CreatedKey {
  readonly id: number;
  readonly key: string;
}

/** Waits until the daemon shows a sample with these labels. */
export async function untilShown(
  stage: Stage,
  name: string,
  labels: Readonly<Record<string, string>>,
): Promise<void> {
  await vi.waitFor(async () => {
    const found = (await stage.scrape()).some(
      sample =>
        sample.name === name &&
        Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
    );
    if (!found) throw new Error(`no ${name} ${JSON.stringify(labels)} is shown`);
  }, patience);
}

/** Creates a key and waits until the daemon has seen it. */
export async function createKey(stage: Stage, key_name: string): Promise<CreatedKey> {
  const url = `${stage.world.simulator.base_url}api_keys`;
  const created = (await stage.world.call('POST', url, { key_name })) as CreatedKey;
  await untilShown(stage, 'dbpm_api_key_info', { key_id: String(created.id) });
  return created;
}

export async function revokeKey({ world }: Stage, id: number): Promise<void> {
  await world.call('DELETE', `${world.simulator.base_url}api_keys/${id}`);
}

/** Calls the service with a key, from one of the addresses of loopback, and waits until the daemon has seen it. */
export async function useKey(stage: Stage, { id, key }: CreatedKey, from = '127.0.0.1'): Promise<void> {
  const url = `${stage.world.simulator.base_url}projects`;
  const call = request(url, { localAddress: from, headers: { authorization: `Bearer ${key}` } }).end();
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  await untilShown(stage, 'dbpm_api_key_last_used_timestamp_seconds', { key_id: String(id) });
}

/** Adds an operation to a project. @returns its id. */
export async function addOperation(
  { world }: Stage,
  project_id: string,
  fields: {
    readonly action: string;
    readonly status: string;
    readonly endpoint_id?: string;
    readonly failures_count?: number;
  },
): Promise<string> {
  const { id } = (await world.call('POST', '/operations', { project_id, ...fields })) as Item;
  return id;
}

/** A new project with one endpoint, which is active after some seconds, once the daemon has seen both. */
export async function createProject(stage: Stage, name: string) {
  const project = (await stage.world.call('POST', '/projects', { name })) as {
    readonly id: string;
    readonly endpoints: readonly Item[];
  };
  const project_id = project.id;
  const endpoint_id = project.endpoints[0]?.id ?? '';
  await untilShown(stage, 'dbpm_endpoint_info', { project_id, endpoint_id });
  return { project_id, endpoint_id };
}

export async function firstProject({ world }: Stage): Promise<TrueProject> {
  const [project] = await liveProjects(world);
  if (project === undefined) throw new Error('the fleet has no project');
  return project;
}

/**
 * Has the counter of every project jump by what its endpoints use at most in so long.
 *
 * @returns the values of the counters, by project.
 */
export async function raiseCounters({ world }: Stage, seconds: number): Promise<ReadonlyMap<string, number>> {
  const raised = new Map<string, number>();
  for (const { project_id, cpu_used_sec } of await liveProjects(world)) {
    const url = `${world.simulator.base_url}projects/${project_id}/endpoints`;
    const { endpoints } = (await world.call('GET', url)) as {
      readonly endpoints: readonly { readonly autoscaling_limit_max_cu: number }[];
    };
    const mostCu = endpoints.reduce((sum, endpoint) => sum + endpoint.autoscaling_limit_max_cu, 0);
    const value = Math.floor(cpu_used_sec + mostCu * seconds);
    raised.set(project_id, value);
    await world.call('POST', `/projects/${project_id}/cpu`, { cpu_used_sec: value });
  }
  return raised;
}

interface Item {
  readonly id: string;
}

/** What a Prometheus may remember: that a project of `main` used a second of compute an hour, yesterday at this time. */
export function renderYesterday(instance: string, project_id: string): string {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const labels = Object.entries({ job: 'dbpm', instance, account: 'main', project_id })
    .map(([label, value]) => `${label}=${JSON.stringify(value)}`)
    .join(',');
  const ages = Array.from({ length: 37 }, (_, index) => 26 * 3600 - index * 300);
  const lines = ages.map(age => `${projectCpuUse.name}{${labels}} 1 ${nowSeconds - age}`);
  return `# TYPE ${projectCpuUse.name} gauge\n${lines.join('\n')}\n# EOF\n`;
}
