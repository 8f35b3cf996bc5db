import { expect, test } from 'vitest';
import type { SimulatorOptions } from '../../src/simulator/server.ts';
import { type ErrorBody, first, openService } from './open-service.ts';

interface LaterProjectBody {
  readonly id: string;
  readonly name: string;
  readonly cpu_used_sec?: number;
  readonly active_time: number;
  readonly synthetic_storage_size: number;
  readonly org_id?: string;
  readonly org_name?: string;
  readonly settings: { readonly quota?: Readonly<Record<string, number>> };
  readonly compute_time_seconds: number;
  readonly active_time_seconds: number;
  readonly written_data_bytes: number;
  readonly data_transfer_bytes: number;
  readonly data_storage_bytes_hour: number;
  readonly consumption_period_start: string;
  readonly consumption_period_end: string;
}

interface LaterList {
  readonly projects: readonly LaterProjectBody[];
  readonly unavailable_project_ids?: readonly string[];
  readonly pagination?: { readonly cursor: string };
}

/** Everything is read of one fleet unless a test needs its own. */
const fleet = { api: 'later', projects: 26, historyDays: 2, seed: 5 } as const;

async function openLater(options: Partial<SimulatorOptions> = {}) {
  const service = await openService({ ...fleet, ...options });
  const list = async (query = '?limit=400') =>
    (await service.call<LaterList>('GET', `/projects${query}`)).body;
  const get = async (id: string) =>
    (await service.call<{ project: LaterProjectBody }>('GET', `/projects/${id}`)).body.project;
  return { ...service, list, get };
}

/** A project with one endpoint that no client uses but by control calls. */
async function openQuietProject(options: Partial<SimulatorOptions> = {}) {
  const service = await openLater({ projects: 0, historyDays: 0, ...options });
  const project = await service.addProject({ name: 'shop' });
  const endpointId = first(project.endpoints).id;
  const connect = (seconds: number) =>
    service.control('POST', `/endpoints/${endpointId}/connect`, { seconds });
  return { ...service, projectId: project.id, endpointId, connect };
}

test('a project of the list has every field of later versions that is always there', async () => {
  const { list } = await openLater({ orgs: ['org-calm-sky-12345678'] });
  const { projects } = await list();
  expect(projects).toHaveLength(26);
  for (const project of projects) {
    expect(project).toMatchObject({
      cpu_used_sec: expect.any(Number),
      active_time: expect.any(Number),
      synthetic_storage_size: expect.any(Number),
      branch_logical_size_limit_bytes: 204_800 * 2 ** 20,
      history_retention_seconds: expect.any(Number),
      quota_reset_at: '2026-04-01T00:00:00Z',
      owner_id: 'org-calm-sky-12345678',
      org_id: 'org-calm-sky-12345678',
      org_name: 'Calm Sky',
      settings: expect.any(Object),
      default_endpoint_settings: {
        autoscaling_limit_min_cu: 0.25,
        autoscaling_limit_max_cu: 0.25,
        suspend_timeout_seconds: 0,
      },
    });
  }
  const withField = (field: string) => projects.filter(project => field in project).length;
  for (const field of ['compute_last_active_at', 'maintenance_starts_at']) {
    expect(withField(field), field).toBeGreaterThan(0);
  }
  expect(withField('maintenance_starts_at')).toBeLessThan(projects.length);
  const limited = projects.filter(({ settings }) => settings.quota !== undefined).length;
  expect(limited).toBeGreaterThan(0);
  expect(limited).toBeLessThan(projects.length);
});

test.each([
  ['present', (cpu: number) => cpu > 0],
  ['zero', (cpu: number) => cpu === 0],
] as const)('cpu_used_sec of the list is %s on request', async (listCpu, isRight) => {
  const { projects } = await (await openLater({ listCpu })).list();
  expect(projects.some(({ cpu_used_sec }) => isRight(cpu_used_sec ?? -1))).toBe(true);
});

test('cpu_used_sec of the list is absent on request, and compute_time_seconds goes on', async () => {
  const { list, get } = await openLater({ listCpu: 'absent' });
  const { projects } = await list();
  expect(projects.filter(project => 'cpu_used_sec' in project)).toEqual([]);
  const single = await Promise.all(projects.map(({ id }) => get(id)));
  expect(Math.max(...single.map(({ compute_time_seconds }) => compute_time_seconds))).toBeGreaterThan(1000);
});

test('an endpoint tells its delay and its last start and suspension to the second', async () => {
  const { call, connect, advance, projectId } = await openQuietProject();
  await advance(3600);
  await connect(40);
  await advance(2000);
  const { endpoints } = (
    await call<{ endpoints: Record<string, string>[] }>('GET', `/projects/${projectId}/endpoints`)
  ).body;
  const { operations } = (
    await call<{ operations: Record<string, string>[] }>('GET', `/projects/${projectId}/operations`)
  ).body;
  const endedAt = (action: string) => operations.find(operation => operation.action === action)?.updated_at;
  const endpoint = first(endpoints);
  expect(endpoint).toMatchObject({
    suspend_timeout_seconds: expect.any(Number),
    started_at: endedAt('start_compute'),
    suspended_at: endedAt('suspend_compute'),
    creation_source: 'console',
    compute_release_version: expect.any(String),
  });
});

test('an operation tells its length in milliseconds, and one that failed its error', async () => {
  const { call, list } = await openLater();
  const { projects } = await list();
  const all = [];
  for (const { id } of projects) {
    const path = `/projects/${id}/operations`;
    all.push(...(await call<{ operations: Record<string, string>[] }>('GET', path)).body.operations);
  }
  for (const { status, total_duration_ms, created_at, updated_at, error } of all) {
    const wholeMs = Date.parse(String(updated_at)) - Date.parse(String(created_at));
    if (status === 'finished') expect(Math.floor(Number(total_duration_ms) / 1000) * 1000).toBe(wholeMs);
    expect(error !== undefined).toBe(status === 'failed');
  }
  expect(all.some(({ status }) => status === 'failed')).toBe(true);
  expect(all.some(({ retry_at }) => retry_at !== undefined)).toBe(true);
});

test('keys tell who created them, and their creation answers 200', async () => {
  const { call } = await openLater({ projects: 0 });
  expect((await call('POST', '/api_keys', { key_name: 'new' })).status).toBe(200);
  const { body } = await call<Record<string, unknown>[]>('GET', '/api_keys');
  for (const { created_by } of body) {
    expect(created_by).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      name: expect.any(String),
      image: expect.stringMatching(/^https:/),
    });
  }
});

test('the list has ten projects without a limit, and its pages neither lose nor repeat any', async () => {
  const { list } = await openLater();
  expect((await list('')).projects).toHaveLength(10);
  const whole = (await list()).projects.map(({ id }) => id);
  const paged: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await list(`?limit=7&cursor=${cursor}`);
    paged.push(...page.projects.map(({ id }) => id));
    if (page.pagination === undefined) break;
    cursor = page.pagination.cursor;
  }
  expect(paged).toEqual(whole);
});

test.each(['limit=0', 'limit=401', 'limit=x', 'timeout=0', 'timeout=soon'])(
  'the list refuses %s',
  async query => {
    const { call } = await openLater({ projects: 0, historyDays: 0 });
    expect((await call('GET', `/projects?${query}`)).status).toBe(400);
  },
);

test('the list is searched by a part of a name or id', async () => {
  const { list } = await openLater();
  const { projects } = await list();
  const { id, name } = first(projects);
  const named = projects.filter(project => project.name.includes(name.slice(1))).map(project => project.id);
  const found = await list(`?limit=400&search=${name.slice(1).toUpperCase()}`);
  expect(found.projects.map(project => project.id)).toEqual(named);
  expect((await list(`?search=${id.slice(3)}`)).projects.map(project => project.id)).toEqual([id]);
});

test('a project that is unavailable is named and left out until it is available again', async () => {
  const { list, control } = await openLater();
  const [, second] = (await list()).projects;
  const path = `/projects/${second?.id}/unavailable`;
  await control('POST', path, { unavailable: true });
  const partial = await list('?limit=3');
  expect(partial.projects).toHaveLength(2);
  expect(partial.unavailable_project_ids).toEqual([second?.id]);
  await control('POST', path, { unavailable: false });
  expect(await list('?limit=3')).not.toHaveProperty('unavailable_project_ids');
});

test('a deleted project is listed for a week on request, and says until when it can be brought back', async () => {
  const { list, control, advance, call, projectId } = await openQuietProject({ listDeleted: true });
  await control('DELETE', `/projects/${projectId}`);
  expect((await list()).projects).toMatchObject([
    { id: projectId, deleted_at: '2026-03-02T10:00:00Z', recoverable_until: '2026-03-09T10:00:00Z' },
  ]);
  expect((await call('GET', `/projects/${projectId}/endpoints`)).status).toBe(404);
  await advance(7 * 86_400);
  expect((await list()).projects).toEqual([]);
});

test('a deleted project is not listed otherwise', async () => {
  const { list, control, projectId } = await openQuietProject();
  await control('DELETE', `/projects/${projectId}`);
  expect((await list()).projects).toEqual([]);
});

const orgs = ['org-calm-sky-12345678', 'org-wild-leaf-87654321'];

test('a key of a person must say which organisation it asks about', async () => {
  const { call, list } = await openLater({ orgs, keyOf: 'person' });
  const refused = await call<ErrorBody>('GET', '/projects');
  expect([refused.status, refused.body.message]).toEqual([
    400,
    'org_id is required, you can find it on your organization settings page',
  ]);
  expect((await call('GET', '/projects?org_id=org-of-others')).status).toBe(404);
  const [one, other] = await Promise.all(orgs.map(id => list(`?limit=400&org_id=${id}`)));
  expect(new Set(one?.projects.map(({ org_id }) => org_id))).toEqual(new Set([orgs[0]]));
  expect(new Set(other?.projects.map(({ org_id }) => org_id))).toEqual(new Set([orgs[1]]));
  expect((one?.projects.length ?? 0) + (other?.projects.length ?? 0)).toBe(26);
});

test('a key of an organisation need not say which', async () => {
  const { list, call } = await openLater({ orgs: [orgs[0] ?? ''] });
  expect(await list()).toEqual(await list(`?limit=400&org_id=${orgs[0]}`));
  expect((await call('GET', `/projects?org_id=${orgs[1]}`)).status).toBe(404);
});

test('the projects of a person have no organisation', async () => {
  const { list, call } = await openLater();
  expect((await list()).projects.filter(project => 'org_id' in project)).toEqual([]);
  expect((await call('GET', `/projects?org_id=${orgs[0]}`)).status).toBe(404);
});

test('a single project tells what it used in the present period, which begins anew with the month', async () => {
  const { get, connect, advance, projectId } = await openQuietProject();
  await connect(3000);
  await advance(7200);
  const used = await get(projectId);
  expect(used).toMatchObject({
    consumption_period_start: '2026-03-01T00:00:00Z',
    consumption_period_end: '2026-04-01T00:00:00Z',
    compute_time_seconds: used.cpu_used_sec,
    active_time_seconds: used.active_time,
  });
  expect(used.active_time_seconds).toBeGreaterThan(3000);
  for (const amount of [used.written_data_bytes, used.data_transfer_bytes, used.compute_time_seconds]) {
    expect(amount).toBeGreaterThan(0);
  }
  expect(used.data_storage_bytes_hour).toBeGreaterThan(1.9 * 30_000_000);
  await advance(31 * 86_400);
  expect(await get(projectId)).toMatchObject({
    consumption_period_start: '2026-04-01T00:00:00Z',
    cpu_used_sec: 0,
    active_time: 0,
    active_time_seconds: 0,
    compute_time_seconds: 0,
    written_data_bytes: 0,
    data_transfer_bytes: 0,
  });
});

interface BranchBody {
  readonly id: string;
  readonly name: string;
  readonly parent_id?: string;
  readonly default: boolean;
  readonly logical_size: number;
  readonly compute_time_seconds: number;
  readonly active_time_seconds: number;
  readonly written_data_bytes: number;
  readonly data_transfer_bytes: number;
  readonly created_at: string;
  readonly expires_at?: string;
}

test('branches tell their parent, age and size, and what was used on them adds up to the project', async () => {
  const { list, get, call } = await openLater();
  const expiring = [];
  for (const { id } of (await list()).projects) {
    const { branches } = (await call<{ branches: BranchBody[] }>('GET', `/projects/${id}/branches`)).body;
    const root = first(branches);
    expect(root).toMatchObject({ name: 'main', default: true, current_state: 'ready' });
    expect(root).not.toHaveProperty('parent_id');
    for (const child of branches.slice(1)) {
      expect(child).toMatchObject({ parent_id: root.id, default: false, protected: false });
    }
    const project = await get(id);
    for (const field of ['written_data_bytes', 'data_transfer_bytes'] as const) {
      expect(branches.reduce((sum, branch) => sum + branch[field], 0)).toBe(project[field]);
    }
    const compute = branches.reduce((sum, branch) => sum + branch.compute_time_seconds, 0);
    expect(project.compute_time_seconds - compute).toBeGreaterThanOrEqual(0);
    expect(project.compute_time_seconds - compute).toBeLessThan(branches.length);
    expiring.push(...branches.filter(({ expires_at = '' }) => expires_at !== ''));
  }
  expect(expiring.length).toBeGreaterThan(0);
  expect(expiring.every(({ expires_at = '', created_at }) => expires_at > created_at)).toBe(true);
});

test('a branch that is deleted is gone with its endpoint, and the root stays', async () => {
  const { call, control, advance, addProject, listEndpoints } = await openQuietProject();
  const { id } = await addProject({ branches: 3 });
  const list = async () =>
    (await call<{ branches: BranchBody[] }>('GET', `/projects/${id}/branches`)).body.branches;
  const [root, child] = await list();
  await advance(10);
  expect((await control('DELETE', `/projects/${id}/branches/${root?.id}`)).status).toBe(400);
  expect((await control('DELETE', `/projects/${id}/branches/${child?.id}`)).status).toBe(200);
  expect((await control('DELETE', `/projects/${id}/branches/${child?.id}`)).status).toBe(404);
  expect((await list()).map(({ id: branchId }) => branchId)).not.toContain(child?.id);
  expect((await listEndpoints(id)).map(({ branch_id }) => branch_id)).toHaveLength(2);
});

test('the service suspends at the quota, and clients cannot wake the endpoint until the period ends', async () => {
  const { control, connect, advance, projectId, listEndpoints } = await openQuietProject();
  const stateOf = async () => first(await listEndpoints(projectId)).current_state;
  await control('POST', `/projects/${projectId}/quota`, { active_time_seconds: 3000 });
  await connect(86_400);
  await advance(3000);
  expect(await stateOf()).toBe('active');
  await advance(3610);
  expect(await stateOf()).toBe('idle');
  await connect(60);
  await advance(60);
  expect(await stateOf()).toBe('idle');
  await advance(30 * 86_400);
  await connect(60);
  await advance(60);
  expect(await stateOf()).toBe('active');
});

test('the fleet is that of the contract, whose fields all have the same values', async () => {
  const small = { ...fleet, projects: 6 };
  const contract = await openService({ ...small, api: 'contract' });
  const later = await openLater(small);
  const { projects } = (await contract.call<LaterList>('GET', '/projects')).body;
  expect(projects).toHaveLength(6);
  const withoutPeriod = projects.map(({ cpu_used_sec, ...project }) => ({
    ...project,
    updated_at: expect.any(String),
  }));
  expect((await later.list()).projects).toMatchObject(withoutPeriod);
  for (const { id } of projects) {
    const path = `/projects/${id}/operations`;
    const operations = (await contract.call<object>('GET', path)).body;
    expect((await later.call('GET', path)).body).toMatchObject(operations);
    const endpoints = await contract.listEndpoints(id);
    expect(await later.listEndpoints(id)).toMatchObject(endpoints);
  }
});
