import { expect, test } from 'vitest';
import {
  type Change,
  type EndpointBody,
  type ErrorBody,
  first,
  openProject,
  openService,
} from './open-service.ts';

test('creating an endpoint answers init, pending active, with its start_compute running', async () => {
  const { call, project, freeBranchId } = await openProject();
  const { status, body } = await call<Change>('POST', `/projects/${project.id}/endpoints`, {
    endpoint: { branch_id: freeBranchId, type: 'read_write' },
  });
  expect(status).toBe(201);
  expect(body.endpoint).toEqual({
    id: expect.stringMatching(/^ep-/),
    host: expect.stringContaining(body.endpoint.id),
    project_id: project.id,
    branch_id: freeBranchId,
    region_id: expect.any(String),
    type: 'read_write',
    autoscaling_limit_min_cu: 0.25,
    autoscaling_limit_max_cu: 0.25,
    current_state: 'init',
    pending_state: 'active',
    settings: { pg_settings: {} },
    pooler_enabled: false,
    pooler_mode: 'transaction',
    disabled: false,
    passwordless_access: true,
    created_at: '2026-03-02T10:00:10Z',
    updated_at: '2026-03-02T10:00:10Z',
    proxy_host: expect.any(String),
  });
  expect(body.operations).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/),
      project_id: project.id,
      branch_id: freeBranchId,
      endpoint_id: body.endpoint.id,
      action: 'start_compute',
      status: 'running',
      failures_count: 0,
      created_at: '2026-03-02T10:00:10Z',
      updated_at: '2026-03-02T10:00:10Z',
    },
  ]);
});

test('a list shows last_active and no pending_state, even during a transition', async () => {
  const { addProject, listEndpoints } = await openService();
  const project = await addProject();
  const endpoint = first(await listEndpoints(project.id));
  expect(endpoint.current_state).toBe('init');
  expect(endpoint).toHaveProperty('last_active');
  expect(endpoint).not.toHaveProperty('pending_state');
});

test('on request a list shows pending_state, but only during a transition', async () => {
  const { addProject, listEndpoints, advance } = await openService({ pendingInLists: true });
  const project = await addProject();
  expect(first(await listEndpoints(project.id)).pending_state).toBe('active');
  await advance(10);
  expect(first(await listEndpoints(project.id))).not.toHaveProperty('pending_state');
});

test('the state flips in the second in which the operation finishes', async () => {
  const { addProject, advance, listEndpoints, listOperations } = await openService();
  const project = await addProject();
  for (let second = 0; second < 10; second += 1) {
    const [endpoint] = await listEndpoints(project.id);
    const start = (await listOperations(project.id)).find(({ action }) => action === 'start_compute');
    expect(endpoint?.current_state).toBe(start?.status === 'finished' ? 'active' : 'init');
    if (start?.status === 'finished') expect(endpoint?.updated_at).toBe(start.updated_at);
    await advance(1);
  }
});

test('an operation can be polled by its id until it is finished', async () => {
  const { call, addProject, advance } = await openService();
  const project = await addProject();
  const operation = project.operations.find(({ action }) => action === 'start_compute');
  const path = `/projects/${project.id}/operations/${operation?.id}`;
  expect((await call('GET', path)).body).toMatchObject({
    operation: { id: operation?.id, status: 'running' },
  });
  await advance(5);
  expect((await call('GET', path)).body).toMatchObject({
    operation: { id: operation?.id, status: 'finished' },
  });
  expect((await call('GET', `/projects/${project.id}/operations/nonsense`)).status).toBe(404);
});

test('an active endpoint is suspended after 300 seconds without a client', async () => {
  const { advance, control, endpointId, project, listEndpoints, listOperations } = await openProject();
  await control('POST', `/endpoints/${endpointId}/connect`, { seconds: 100 });
  await advance(399);
  expect(first(await listEndpoints(project.id)).current_state).toBe('active');
  await advance(1);
  expect(first(await listEndpoints(project.id)).current_state).toBe('active');
  expect(first(await listOperations(project.id))).toMatchObject({
    action: 'suspend_compute',
    status: 'running',
    created_at: '2026-03-02T10:06:50Z',
  });
  await advance(3);
  expect(first(await listEndpoints(project.id))).toMatchObject({
    current_state: 'idle',
    last_active: '2026-03-02T10:01:50Z',
  });
  expect(first(await listOperations(project.id)).status).toBe('finished');
});

test('a connection wakes an idle endpoint with start_compute: scheduling, running, finished', async () => {
  const { advance, control, endpointId, project, listEndpoints, listOperations } = await openProject();
  await advance(600);
  expect(first(await listEndpoints(project.id)).current_state).toBe('idle');
  const woken = await control<EndpointBody>('POST', `/endpoints/${endpointId}/connect`, { seconds: 60 });
  expect(woken.body).toMatchObject({ current_state: 'idle', pending_state: 'active' });
  const seen: string[] = [];
  for (let second = 0; second <= 4; second += 1) {
    const { action, status } = first(await listOperations(project.id));
    expect(action).toBe('start_compute');
    if (seen.at(-1) !== status) seen.push(status);
    await advance(1);
  }
  expect(seen).toEqual(['scheduling', 'running', 'finished']);
  expect(first(await listEndpoints(project.id)).current_state).toBe('active');
});

test('clients that stay keep an endpoint awake for as long as they said, from when it is active', async () => {
  const { advance, control, endpointId, project, listEndpoints } = await openProject();
  await advance(600);
  await control('POST', `/endpoints/${endpointId}/connect`, { seconds: 1000 });
  await advance(1000 + 300);
  expect(first(await listEndpoints(project.id)).current_state).toBe('active');
  await advance(10);
  expect(first(await listEndpoints(project.id)).current_state).toBe('idle');
});

test('an auto-suspend delay of -1 never suspends', async () => {
  const { call, advance, endpointPath, project, listEndpoints } = await openProject();
  await call('PATCH', endpointPath, { endpoint: { suspend_timeout_seconds: -1 } });
  await advance(30 * 86_400);
  expect(first(await listEndpoints(project.id)).current_state).toBe('active');
});

test('a shorter auto-suspend delay takes effect at once, 0 is the default again', async () => {
  const { call, advance, endpointPath, project, listEndpoints } = await openProject();
  await call('PATCH', endpointPath, { endpoint: { suspend_timeout_seconds: 86_400 } });
  await advance(3600);
  expect(first(await listEndpoints(project.id)).current_state).toBe('active');
  await call('PATCH', endpointPath, { endpoint: { suspend_timeout_seconds: 0 } });
  await advance(10);
  expect(first(await listEndpoints(project.id)).current_state).toBe('idle');
});

test('a branch can have only one endpoint: a second one is 409', async () => {
  const { call, project } = await openProject();
  const branchId = first(project.branches).id;
  const { status, body } = await call<ErrorBody>('POST', `/projects/${project.id}/endpoints`, {
    endpoint: { branch_id: branchId, type: 'read_write' },
  });
  expect(status).toBe(409);
  expect(body.message).toContain('a branch can have only one endpoint');
});

test('reassigning an idle endpoint leaves it idle, with apply_config running and suspend_compute scheduling', async () => {
  const { call, advance, endpointPath, freeBranchId, project, listOperations } = await openProject();
  await advance(600);
  const { status, body } = await call<Change>('PATCH', endpointPath, {
    endpoint: { branch_id: freeBranchId },
  });
  expect(status).toBe(200);
  expect(body.endpoint).toMatchObject({
    branch_id: freeBranchId,
    current_state: 'idle',
    pending_state: 'idle',
  });
  expect(body.operations.map(({ action, status, branch_id }) => [action, status, branch_id])).toEqual([
    ['apply_config', 'running', freeBranchId],
    ['suspend_compute', 'scheduling', freeBranchId],
  ]);
  await advance(10);
  const [suspend, apply] = await listOperations(project.id);
  expect([suspend?.action, suspend?.status]).toEqual(['suspend_compute', 'finished']);
  expect([apply?.action, apply?.status]).toEqual(['apply_config', 'finished']);
});

test('an idle endpoint can be reassigned again before the first move is finished, with the same answer', async () => {
  const { call, control, advance, endpointPath, endpointId, freeBranchId, project, ...service } =
    await openProject();
  await advance(600);
  await call('PATCH', endpointPath, { endpoint: { branch_id: freeBranchId } });
  await advance(2);
  const change = { endpoint: { branch_id: first(project.branches).id } };
  const { body } = await call<Change>('PATCH', endpointPath, change);
  expect(body.endpoint).toMatchObject({ current_state: 'idle', pending_state: 'idle' });
  expect(body.operations.map(({ action, status }) => [action, status])).toEqual([
    ['apply_config', 'running'],
    ['suspend_compute', 'scheduling'],
  ]);
  await advance(1);
  const woken = await control<EndpointBody>('POST', `/endpoints/${endpointId}/connect`, { seconds: 60 });
  expect(woken.body).toMatchObject({ current_state: 'idle', pending_state: 'idle' });
  await advance(10);
  expect(first(await service.listEndpoints(project.id)).current_state).toBe('active');
  expect(first((await service.tellTruth()).projects).endpoints[0]).toMatchObject({ starts: 2, suspends: 3 });
});

test('reassigning an idle endpoint that is just waking keeps its clients, with apply_config alone', async () => {
  const { call, control, advance, endpointPath, endpointId, freeBranchId, project, listEndpoints } =
    await openProject();
  await advance(600);
  await control('POST', `/endpoints/${endpointId}/connect`, { seconds: 60 });
  const { body } = await call<Change>('PATCH', endpointPath, { endpoint: { branch_id: freeBranchId } });
  expect(body.endpoint).toMatchObject({ current_state: 'idle', pending_state: 'active' });
  expect(body.operations.map(({ action }) => action)).toEqual(['apply_config']);
  await advance(10);
  expect(first(await listEndpoints(project.id)).current_state).toBe('active');
});

test('a reassigned endpoint leaves its old branch free', async () => {
  const { call, endpointPath, freeBranchId, project } = await openProject();
  await call('PATCH', endpointPath, { endpoint: { branch_id: freeBranchId } });
  const body = { endpoint: { branch_id: first(project.branches).id, type: 'read_write' } };
  expect((await call('POST', `/projects/${project.id}/endpoints`, body)).status).toBe(201);
});

test('reassigning an active endpoint keeps it active, with apply_config alone', async () => {
  const { call, endpointPath, freeBranchId } = await openProject();
  const { body } = await call<Change>('PATCH', endpointPath, { endpoint: { branch_id: freeBranchId } });
  expect(body.endpoint).toMatchObject({ current_state: 'active', pending_state: 'active' });
  expect(body.operations.map(({ action, status }) => [action, status])).toEqual([
    ['apply_config', 'running'],
  ]);
});

test('reassigning onto a branch that has an endpoint is 409 and changes nothing', async () => {
  const { call, endpointPath, freeBranchId, project, listEndpoints } = await openProject();
  await call('POST', `/projects/${project.id}/endpoints`, { endpoint: { branch_id: freeBranchId } });
  const change = { endpoint: { branch_id: freeBranchId, pooler_enabled: true } };
  expect((await call('PATCH', endpointPath, change)).status).toBe(409);
  const [endpoint] = await listEndpoints(project.id);
  expect(endpoint?.branch_id).toBe(first(project.branches).id);
});

test('reassigning to the branch it is already on is no change', async () => {
  const { call, endpointPath, project } = await openProject();
  const change = { endpoint: { branch_id: first(project.branches).id } };
  const { status, body } = await call<Change>('PATCH', endpointPath, change);
  expect(status).toBe(200);
  expect(body.operations).toEqual([]);
});

test('a client that connects while an endpoint is reassigned gets it once that is done', async () => {
  const { call, control, advance, endpointPath, endpointId, freeBranchId, project, listEndpoints } =
    await openProject();
  await advance(600);
  await call('PATCH', endpointPath, { endpoint: { branch_id: freeBranchId } });
  await control('POST', `/endpoints/${endpointId}/connect`, { seconds: 60 });
  await advance(10);
  expect(first(await listEndpoints(project.id)).current_state).toBe('active');
});

test('deleting an endpoint answers it with an empty operations array and is permanent', async () => {
  const { call, endpointPath, endpointId, project, listEndpoints } = await openProject();
  const { status, body } = await call<Change>('DELETE', endpointPath);
  expect(status).toBe(200);
  expect(body.operations).toEqual([]);
  expect(body.endpoint.id).toBe(endpointId);
  expect(body.endpoint).toHaveProperty('last_active');
  expect(body.endpoint).not.toHaveProperty('pending_state');
  expect(await listEndpoints(project.id)).toEqual([]);
  expect((await call('DELETE', endpointPath)).status).toBe(404);
  expect((await call('PATCH', endpointPath, { endpoint: { disabled: true } })).status).toBe(404);
});

test('the operations of a deleted endpoint run out and stay listed', async () => {
  const { call, advance, project, freeBranchId, listOperations } = await openProject();
  const created = await call<Change>('POST', `/projects/${project.id}/endpoints`, {
    endpoint: { branch_id: freeBranchId },
  });
  const { id } = created.body.endpoint;
  await call('DELETE', `/projects/${project.id}/endpoints/${id}`);
  await advance(10);
  const operation = (await listOperations(project.id)).find(({ endpoint_id }) => endpoint_id === id);
  expect(operation).toMatchObject({ action: 'start_compute', status: 'finished' });
});

test('disabling an active endpoint suspends it to stopped, and clients cannot wake it until it is enabled', async () => {
  const { call, control, advance, endpointPath, endpointId, project, listEndpoints } = await openProject();
  const disabled = await call<Change>('PATCH', endpointPath, { endpoint: { disabled: true } });
  expect(disabled.body.endpoint).toMatchObject({ current_state: 'active', pending_state: 'stopped' });
  expect(disabled.body.operations.map(({ action }) => action)).toEqual(['suspend_compute']);
  await advance(5);
  expect(first(await listEndpoints(project.id)).current_state).toBe('stopped');
  expect((await control('POST', `/endpoints/${endpointId}/connect`, { seconds: 1 })).status).toBe(400);
  await call('PATCH', endpointPath, { endpoint: { disabled: false } });
  await advance(5);
  expect(first(await listEndpoints(project.id)).current_state).toBe('idle');
  expect((await control('POST', `/endpoints/${endpointId}/connect`, { seconds: 1 })).status).toBe(200);
});

test.each([
  ['POST', 'no endpoint', {}, 400],
  ['POST', 'no branch_id', { endpoint: { type: 'read_write' } }, 400],
  ['POST', 'an unknown branch', { endpoint: { branch_id: 'br-x', type: 'read_write' } }, 404],
  ['POST', 'another type', { endpoint: { branch_id: 'br-x', type: 'read_only' } }, 400],
  ['POST', 'an endpoint that is a string', { endpoint: 'x' }, 400],
  ['PATCH', 'no endpoint', {}, 400],
  ['PATCH', 'nothing to change', { endpoint: {} }, 400],
  ['PATCH', 'an unknown branch', { endpoint: { branch_id: 'br-x' } }, 404],
  ['PATCH', 'a flag that is a string', { endpoint: { disabled: 'yes' } }, 400],
])('%s of an endpoint with %s is refused', async (method, _, body, status) => {
  const { call, project, endpointPath } = await openProject();
  const path = method === 'POST' ? `/projects/${project.id}/endpoints` : endpointPath;
  expect((await call(method, path, body)).status).toBe(status);
});

test('endpoints of an unknown project are 404', async () => {
  const { call } = await openService();
  expect((await call('GET', '/projects/none/endpoints')).status).toBe(404);
  expect((await call('POST', '/projects/none/endpoints', { endpoint: { branch_id: 'x' } })).status).toBe(404);
});

test('an endpoint can be created with a form-encoded body', async () => {
  const { call, project, freeBranchId } = await openProject();
  const form = `endpoint[branch_id]=${freeBranchId}&endpoint[type]=read_write&endpoint[autoscaling_limit_min_cu]=2`;
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const { status, body } = await call<Change>('POST', `/projects/${project.id}/endpoints`, form, type);
  expect(status).toBe(201);
  expect(body.endpoint.autoscaling_limit_max_cu).toBe(2);
});
