import { firstProject, type Stage } from './drill-action.ts';
import type { SimulatedWorld } from './simulated-world.ts';

type Item = Readonly<Record<string, unknown>>;

/** So many answers are those of a later version: until they were scraped, and few enough for what comes after. */
const times = 12;

/** Has the lists of a project answered as a later version of the service does, with a field that is none. */
export async function answerAsLater(stage: Stage): Promise<void> {
  const { world } = stage;
  const { project_id } = await firstProject(stage);
  const later = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
  const path = `/projects/${project_id}/operations`;
  const ask = (asked: string) => world.call('GET', `${world.simulator.base_url}${asked.slice(1)}`);
  const answer = (asked: string, body: object) =>
    world.call('POST', '/faults', { match: `GET ${asked}`, body: JSON.stringify(body), times });
  const page = (await ask(`${path}?limit=50`)) as { readonly operations: readonly Item[] };
  const [first = {}] = page.operations;
  const waiting = {
    ...first,
    id: 'later-waiting',
    status: 'running',
    created_at: later(0),
    updated_at: later(0),
    total_duration_ms: 'long',
    error: 'no room for another compute',
    retry_at: later(3600),
  };
  await answer(path, { ...page, operations: [waiting, ...page.operations] });
  const endpointPath = `/projects/${project_id}/endpoints`;
  const { endpoints } = (await ask(endpointPath)) as { readonly endpoints: readonly Item[] };
  const suspended = endpoints.map(endpoint => ({ ...endpoint, suspend_timeout_seconds: 600 }));
  await answer(endpointPath, { endpoints: suspended });
  const { projects } = (await ask('/projects')) as { readonly projects: readonly Item[] };
  await answer('/projects', { projects: projects.map(project => ({ ...project, ...laterProject(later) })) });
}

function laterProject(later: (seconds: number) => string): Item {
  return {
    owner_id: 'org-quiet-sea',
    org_id: 'org-quiet-sea',
    org_name: 'Quiet Sea',
    active_time: 900,
    synthetic_storage_size: 2 ** 30,
    branch_logical_size_limit_bytes: 2 ** 35,
    history_retention_seconds: 86_400,
    compute_last_active_at: later(-60),
    maintenance_starts_at: later(86_400),
    deleted_at: later(-3600),
    recoverable_until: later(86_400),
    quota_reset_at: later(86_400),
    default_endpoint_settings: {
      autoscaling_limit_min_cu: 0.25,
      autoscaling_limit_max_cu: 2,
      suspend_timeout_seconds: 300,
    },
    settings: { quota: { active_time_seconds: 3600, written_data_bytes: 2 ** 30 } },
  };
}

/** Has branches listed, which the specification does not know. */
export async function answerBranches(world: SimulatedWorld): Promise<void> {
  const created_at = '2026-01-01T00:00:00Z';
  const branches = [
    { id: 'br-root', default: true, created_at },
    { id: 'br-old', parent_id: 'br-root', created_at, logical_size: 2 ** 30, active_time_seconds: 0 },
  ];
  const body = JSON.stringify({ branches });
  await world.call('POST', '/faults', { match: 'GET /projects/*/branches', body });
}
