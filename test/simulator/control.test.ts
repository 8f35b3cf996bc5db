import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  type ErrorBody,
  first,
  type OperationBody,
  openProject,
  openService,
  type ProjectBody,
} from './open-service.ts';

/** Sends a request as it is: `fetch` neither allows another Host nor leaves gzip alone. */
function get(
  url: string,
  headers: Record<string, string>,
): Promise<{ status: number; encoding: string; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { headers }, response => {
      const chunks: Buffer[] = [];
      response.on('data', chunk => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          encoding: response.headers['content-encoding'] ?? '',
          bytes: Buffer.concat(chunks),
        }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

test('advancing moves the clock, which the Date header tells', async () => {
  const { advance, call } = await openService();
  expect((await advance(3600)).body).toEqual({ now: '2026-03-02T11:00:00Z' });
  expect((await call('GET', '/projects')).headers.get('date')).toBe('Mon, 02 Mar 2026 11:00:00 GMT');
});

test.each([-1, 1e9, '5', null])('advancing by %o seconds is refused', async seconds => {
  const { control } = await openService();
  expect((await control('POST', '/advance', { seconds })).status).toBe(400);
});

test('the clock also follows the wall clock, and never goes back', async () => {
  let now = Date.parse('2026-03-02T10:00:00Z');
  const { tellTruth } = await openService({ wallClock: () => now });
  now += 5_900;
  expect((await tellTruth()).now).toBe('2026-03-02T10:00:05Z');
  now -= 60_000;
  expect((await tellTruth()).now).toBe('2026-03-02T10:00:05Z');
});

test('a new project has its branches, an endpoint on each and the operations that made them', async () => {
  const { control, call } = await openService();
  const { status, body } = await control<ProjectBody>('POST', '/projects', { name: 'shop', branches: 2 });
  expect(status).toBe(201);
  expect(body.name).toBe('shop');
  expect(body.branches.length).toBe(2);
  expect(body.endpoints.map(({ branch_id }) => branch_id)).toEqual(body.branches.map(({ id }) => id));
  expect(body.operations.map(({ action, endpoint_id }) => [action, endpoint_id])).toEqual([
    ['create_timeline', undefined],
    ['start_compute', body.endpoints[0]?.id],
    ['create_branch', undefined],
    ['start_compute', body.endpoints[1]?.id],
  ]);
  const list = await call<{ projects: ProjectBody[] }>('GET', '/projects');
  expect(list.body.projects.map(({ id }) => id)).toEqual([body.id]);
});

test('a deleted project is gone for clients, and its delete_tenant is in the truth', async () => {
  const { control, call, advance, addProject, tellTruth } = await openService();
  const { id } = await addProject();
  expect((await control('DELETE', `/projects/${id}`)).status).toBe(200);
  expect((await call('GET', `/projects/${id}/operations`)).status).toBe(404);
  expect((await control('DELETE', `/projects/${id}`)).status).toBe(404);
  await advance(10);
  const project = first((await tellTruth()).projects);
  expect(project.deleted).toBe(true);
  expect(project.operations).toContainEqual(
    expect.objectContaining({ action: 'delete_tenant', status: 'finished', count: 1 }),
  );
});

test('an operation appears as it was asked for and counts in the truth', async () => {
  const { control, project, endpointId, listOperations, tellTruth } = await openProject();
  const operation = { endpoint_id: endpointId, action: 'apply_config', status: 'failed', failures_count: 3 };
  const { status, body } = await control('POST', '/operations', { project_id: project.id, ...operation });
  expect([status, body]).toEqual([201, expect.objectContaining(operation)]);
  expect(first(await listOperations(project.id))).toEqual(body);
  const counted = first((await tellTruth()).projects).operations.find(({ status }) => status === 'failed');
  expect(counted).toEqual({ action: 'apply_config', status: 'failed', count: 1, failures_count: 3 });
});

test('a finished start_compute that appears counts as a start', async () => {
  const { control, project, endpointId, tellTruth } = await openProject();
  const operation = { endpoint_id: endpointId, action: 'start_compute', status: 'finished' };
  await control('POST', '/operations', { project_id: project.id, ...operation });
  expect(first((await tellTruth()).projects).endpoints[0]?.starts).toBe(2);
});

test('an unfinished operation stays as it is until it is ended', async () => {
  const { control, advance, project, listOperations } = await openProject();
  const operation = { project_id: project.id, action: 'check_availability', status: 'scheduling' };
  const { id } = (await control<OperationBody>('POST', '/operations', operation)).body;
  const find = async () => (await listOperations(project.id)).find(item => item.id === id);
  await advance(86_400);
  expect((await find())?.status).toBe('scheduling');
  const ended = await control('POST', `/operations/${id}`, { status: 'finished', failures_count: 2 });
  expect(ended.status).toBe(200);
  expect(await find()).toMatchObject({
    status: 'finished',
    failures_count: 2,
    updated_at: '2026-03-03T10:00:10Z',
  });
  expect((await control('POST', `/operations/${id}`, { status: 'failed' })).status).toBe(400);
});

test('a start that is made to fail leaves the endpoint as it was, and does not finish later', async () => {
  const { control, advance, addProject, listEndpoints, listOperations, tellTruth } = await openService();
  const project = await addProject();
  const start = project.operations.find(({ action }) => action === 'start_compute');
  await control('POST', `/operations/${start?.id}`, { status: 'failed', failures_count: 3 });
  await advance(60);
  expect(first(await listEndpoints(project.id)).current_state).toBe('init');
  expect(first(await listOperations(project.id))).toMatchObject({ status: 'failed', failures_count: 3 });
  expect(first((await tellTruth()).projects).endpoints[0]?.starts).toBe(0);
});

test('the truth about a deleted endpoint stays as it was when it was deleted', async () => {
  const { call, control, advance, endpointPath, endpointId, tellTruth } = await openProject();
  await advance(600);
  await control('POST', `/endpoints/${endpointId}/connect`, { seconds: 60 });
  await call('DELETE', endpointPath);
  const before = first((await tellTruth()).projects).endpoints[0];
  expect(before).toMatchObject({ deleted: true, current_state: 'idle', starts: 1 });
  await advance(3600);
  const after = first((await tellTruth()).projects).endpoints[0];
  expect(after?.state_seconds).toEqual(before?.state_seconds);
  expect(after?.cu_seconds).toBe(before?.cu_seconds);
});

test('setting cpu_used_sec back counts as a reset, forward as growth', async () => {
  const { control, advance, project, tellTruth, call, endpointPath } = await openProject();
  const sizes = { autoscaling_limit_min_cu: 2, autoscaling_limit_max_cu: 2, suspend_timeout_seconds: -1 };
  await call('PATCH', endpointPath, { endpoint: sizes });
  const ever = async () => first((await tellTruth()).projects).cpu_used_sec_ever;
  await advance(1000);
  const beforeReset = await ever();
  expect(beforeReset).toBeGreaterThanOrEqual(2000);
  await control('POST', `/projects/${project.id}/cpu`, { cpu_used_sec: 0 });
  expect(await ever()).toBe(beforeReset);
  await advance(10);
  expect(await ever()).toBe(beforeReset + 20);
  await control('POST', `/projects/${project.id}/cpu`, { cpu_used_sec: 7 });
  expect(await ever()).toBe(beforeReset + 27);
  await control('POST', `/projects/${project.id}/cpu`, { cpu_used_sec: 30 });
  expect(await ever()).toBe(beforeReset + 27 + 23);
});

test.each([
  ['POST', '/operations', {}, 400, 'project_id is required'],
  [
    'POST',
    '/operations',
    { project_id: 'none' },
    404,
    'there is no project none; GET /projects lists the ones that exist',
  ],
  ['POST', '/projects', { branches: 0 }, 400, 'branches must be a whole number from 1 to 100, not 0'],
  ['POST', '/endpoints/none/connect', { seconds: 1 }, 404, 'there is no endpoint none'],
  [
    'POST',
    '/advance',
    { second: 5 },
    400,
    'there is no field second: did you mean seconds? All fields: seconds',
  ],
  [
    'POST',
    '/operations',
    { projectId: 'p' },
    400,
    'there is no field projectId: did you mean project_id? All fields: project_id, endpoint_id, branch_id, action, status, failures_count',
  ],
  [
    'POST',
    '/projects',
    { branch: 2 },
    400,
    'there is no field branch: did you mean branches? All fields: name, branches, profile',
  ],
  ['POST', '/truth', {}, 405, 'POST is not possible at /truth, only GET'],
  ['POST', '/advance', '{', 400, undefined],
])('%s %s with %o is refused', async (method, path, body, status, message) => {
  const { control } = await openService();
  const reply = await control<ErrorBody>(method, path, body);
  expect(reply.status).toBe(status);
  if (message !== undefined) expect(reply.body.message).toBe(message);
});

test('an operation on a branch or endpoint that the project does not have is 404', async () => {
  const { control, project } = await openProject();
  const operation = { project_id: project.id, action: 'apply_config' };
  const onBranch = await control<ErrorBody>('POST', '/operations', { ...operation, branch_id: 'br-x' });
  expect([onBranch.status, onBranch.body.message]).toEqual([404, `project ${project.id} has no branch br-x`]);
  const onEndpoint = await control<ErrorBody>('POST', '/operations', { ...operation, endpoint_id: 'ep-x' });
  expect(onEndpoint.status).toBe(404);
});

test('cpu_used_sec can be set up to 2^52 and counts on from there', async () => {
  const { control, project } = await openProject();
  const set = (seconds: number) =>
    control<ErrorBody>('POST', `/projects/${project.id}/cpu`, { cpu_used_sec: seconds });
  expect((await set(2 ** 52)).body).toMatchObject({ cpu_used_sec: 4_503_599_627_370_496 });
  const refused = await set(2 ** 52 + 1);
  expect([refused.status, refused.body.message]).toEqual([
    400,
    'cpu_used_sec must be a whole number from 0 to 4503599627370496, not 4503599627370497',
  ]);
});

test('a JSON body is understood without a content type, as curl sends it', async () => {
  const { simulator } = await openService();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = '{"name":"from curl"}';
  const response = await fetch(`${simulator.control_url}/projects`, { method: 'POST', headers, body });
  expect(await response.json()).toMatchObject({ name: 'from curl' });
});

test('control calls need a loopback Host, so that no web page can make them', async () => {
  const { simulator } = await openService();
  const url = `${simulator.control_url}/truth`;
  expect((await get(url, { host: 'attacker.example' })).status).toBe(403);
  expect((await get(url, { host: 'localhost:8080' })).status).toBe(200);
});

test('control calls refuse the Origin of any page but their own', async () => {
  const { simulator } = await openService();
  const url = `${simulator.control_url}/truth`;
  const { host } = new URL(url);
  const statuses: number[] = [];
  for (const origin of ['https://attacker.example', 'null', 'http://127.0.0.1:1', `http://${host}`]) {
    statuses.push((await get(url, { origin })).status);
  }
  expect(statuses).toEqual([403, 403, 403, 200]);
});

test('large answers are compressed for clients that accept gzip, small ones are not', async () => {
  const { simulator } = await openService({ projects: 20 });
  const headers = { authorization: 'Bearer first-key', 'accept-encoding': 'gzip' };
  const large = await get(`${simulator.base_url}projects`, headers);
  expect(large.encoding).toBe('gzip');
  expect(JSON.parse(gunzipSync(large.bytes).toString()).projects.length).toBe(20);
  const small = await get(`${simulator.base_url}projects?limit=1`, headers);
  expect(small.encoding).toBe('');
  const refused = await get(`${simulator.base_url}projects`, { ...headers, 'accept-encoding': 'gzip;q=0' });
  expect(refused.encoding).toBe('');
});
