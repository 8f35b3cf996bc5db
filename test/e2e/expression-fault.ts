import { join } from 'node:path';
import type { Fault } from '../../dashboards/boards/fault.ts';
import { setLedgersApart, setMeterUnusual } from '../support/written-meter.ts';
import {
  addOperation,
  createKey,
  createProject,
  firstProject,
  revokeKey,
  type Stage,
  untilShown,
  useKey,
} from './drill-action.ts';
import type { SimulatedWorld } from './simulated-world.ts';

/** Makes happen what a panel waits for. */
export const injections: Readonly<Record<Fault, (stage: Stage) => Promise<void>>> = {
  'account unreachable': async ({ world }) => {
    await world.call('POST', '/faults', { match: 'GET /projects', status: 503, times: 12 });
  },
  'list paused': async ({ world }) => {
    const headers = { 'retry-after': '15' };
    await world.call('POST', '/faults', { match: 'GET /projects', status: 503, headers, times: 1 });
  },
  'project unavailable': async ({ world }) => {
    const list = (await world.call('GET', `${world.simulator.base_url}projects`)) as object;
    const body = JSON.stringify({ ...list, unavailable_project_ids: ['elsewhere'] });
    await world.call('POST', '/faults', { match: 'GET /projects', status: 200, body, times: 1 });
  },
  'project unreadable': async ({ world }) => {
    await world.call('POST', '/faults', { match: 'GET /projects/*/endpoints', status: 403, times: 60 });
  },
  'value implausible': async stage => {
    const { project_id } = await createProject(stage, 'counted wrongly');
    await stage.world.call('POST', `/projects/${project_id}/cpu`, { cpu_used_sec: 9e12 });
  },
  // It is there from the beginning, as its meter is read once an hour.
  'service metered': stage => untilShown(stage, 'dbpm_account_metered_until_timestamp_seconds', {}),
  'meter priced': stage => untilShown(stage, 'dbpm_account_period_line_cost', {}),
  'metered unusually': async stage => {
    const { project_id } = await firstProject(stage);
    setMeterUnusual(join(stage.world.folder, 'history.sqlite'), 'demo', project_id);
  },
  'ledgers apart': async ({ world }) => {
    setLedgersApart(join(world.folder, 'history.sqlite'), 'demo');
  },
  'operation ended': stage => operate(stage, { status: 'finished' }),
  'operation failed': stage => operate(stage, { status: 'failed', failures_count: 1 }),
  'operation stuck': stage => operate(stage, { status: 'running' }),
  'attempts failed': stage => operate(stage, { status: 'running', failures_count: 4 }),
  'project created': async stage => {
    await createProject(stage, 'made while watched');
  },
  'project gone': async stage => {
    const { project_id } = await createProject(stage, 'deleted while watched');
    await stage.world.call('DELETE', `/projects/${project_id}`);
  },
  'endpoint woken': async stage => {
    const { project_id, endpoint_id } = await createProject(stage, 'woken while watched');
    const start = { action: 'start_compute', status: 'finished', endpoint_id } as const;
    await addOperation(stage, project_id, start);
  },
  'endpoint never suspends': async stage => {
    const { endpoint_id } = await createProject(stage, 'never asleep');
    await stage.world.call('POST', `/endpoints/${endpoint_id}/connect`, { seconds: 3600 });
  },
  // Changes take seconds: the clock of the service is stopped in the midst of one.
  'endpoint in transition': async stage => {
    stage.world.freeze();
    await createProject(stage, 'waking for ever');
  },
  'endpoint disabled': async stage => {
    const { project_id, endpoint_id } = await createProject(stage, 'switched off');
    const url = `${stage.world.simulator.base_url}projects/${project_id}/endpoints/${endpoint_id}`;
    await stage.world.call('PATCH', url, { endpoint: { disabled: true } });
  },
  'key created': async stage => {
    await createKey(stage, 'made while watched');
  },
  'key revoked': async stage => {
    const { id } = await createKey(stage, 'revoked while watched');
    await revokeKey(stage, id);
  },
  'key address changed': async stage => {
    const key = await createKey(stage, 'wandering');
    await useKey(stage, key, '127.0.0.1');
    await useKey(stage, key, '127.0.0.2');
  },
  'later service': answerAsLater,
};

async function operate(stage: Stage, fields: { readonly status: string; readonly failures_count?: number }) {
  const { project_id } = await firstProject(stage);
  await addOperation(stage, project_id, { action: 'apply_config', ...fields });
}

type Item = Readonly<Record<string, unknown>>;

/** How many answers are of a later version: until they were scraped, and few enough for what comes after. */
const times = 12;

/** Has the lists of a project answered as a later version of the service does, with a field that is none. */
async function answerAsLater(stage: Stage): Promise<void> {
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
