import type { AccountView } from '../../../src/resources/account.ts';
import type { EndpointView } from '../../../src/resources/endpoint.ts';
import type { ProjectView } from '../../../src/resources/project.ts';
import { busyProjects } from './busy-set.ts';
import { branchId, endpointId, projectId, scatter } from './fleet-name.ts';

/** What a project of this fleet costs: one endpoint, operations not known. */
export const seriesPerProject = 20;

const account = 'main';
const region_id = 'eu-central-1';
const proxy_host = `${region_id}.db.example`;
const foundedAt = Date.UTC(2026, 0, 1);
const roundMs = 15_000;

/** Projects as the history shows them, without a history. */
export class ViewFleet {
  readonly #projects: ProjectView[];
  #round = 0;

  constructor(projects: number) {
    this.#projects = Array.from({ length: projects }, (_, index) => viewProject(index, 0, false));
  }

  view(): AccountView {
    return { account, collectors: [], operationDurations: [], projects: this.#projects, api_keys: [] };
  }

  /** Lets this share of the projects change; they as they are now. */
  change(share: number): readonly ProjectView[] {
    this.#round += 1;
    const busy = busyProjects(this.#projects.length, share, this.#round);
    return [...busy].map(index => {
      const changed = viewProject(index, this.#round, true);
      this.#projects[index] = changed;
      return changed;
    });
  }
}

function viewProject(index: number, round: number, busy: boolean): ProjectView {
  const project_id = projectId(index);
  const readAt = foundedAt + round * roundMs + scatter(index, roundMs);
  const usedSeconds = scatter(index, 1_000_000) + round * 15;
  return {
    account,
    project_id,
    project_name: `project ${index}`,
    platform_id: 'aws',
    region_id,
    provisioner: 'k8s-pod',
    pg_version: '17',
    proxy_host,
    locked: false,
    cpu_used_sec: usedSeconds,
    created_at: foundedAt - scatter(index, 400 * 86_400) * 1000,
    updated_at: readAt - 4000,
    cpuUsedSeconds: usedSeconds,
    cpuUsedResets: 0,
    lastRefreshAt: readAt,
    endpoints: [viewEndpoint(index, project_id, readAt, busy)],
  };
}

function viewEndpoint(index: number, project_id: string, readAt: number, busy: boolean): EndpointView {
  const endpoint_id = endpointId(index);
  return {
    account,
    project_id,
    endpoint_id,
    branch_id: branchId(index),
    region_id,
    type: 'read_write',
    host: `${endpoint_id}.${proxy_host}`,
    proxy_host,
    pooler_mode: 'transaction',
    current_state: busy ? 'active' : 'idle',
    disabled: false,
    pooler_enabled: false,
    autoscaling_limit_min_cu: 0.25,
    autoscaling_limit_max_cu: 2,
    last_active: readAt - 5000,
    created_at: foundedAt - scatter(index, 400 * 86_400) * 1000,
    updated_at: readAt - 4000,
  };
}
