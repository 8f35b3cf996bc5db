import { expect, test } from 'vitest';
import { type Change, type ErrorBody, openProject } from './open-service.ts';

test.each([
  [
    '0.1 CU',
    { autoscaling_limit_min_cu: 0.1 },
    'a compute endpoint can have from 0.25 CU to 7 CU, not 0.1 CU',
  ],
  ['8 CU', { autoscaling_limit_max_cu: 8 }, 'a compute endpoint can have from 0.25 CU to 7 CU, not 8 CU'],
  [
    '1.1 CU',
    { autoscaling_limit_min_cu: 1.1 },
    'a compute size is a multiple of 0.25 CU, which 1.1 CU is not',
  ],
  [
    'autoscaling from 0.5 CU',
    { autoscaling_limit_min_cu: 0.5, autoscaling_limit_max_cu: 2 },
    'autoscaling supports 1 CU to 7 CU only, so a minimum of 0.5 CU needs the same maximum (a fixed size)',
  ],
  [
    'a minimum above the maximum',
    { autoscaling_limit_min_cu: 4, autoscaling_limit_max_cu: 2 },
    'autoscaling_limit_min_cu (4) must not be larger than autoscaling_limit_max_cu (2)',
  ],
  [
    'an auto-suspend delay above 86400 seconds',
    { suspend_timeout_seconds: 86_401 },
    'suspend_timeout_seconds is a whole number of seconds up to 86400, 0 for the default of 300, or -1 for never, not 86401',
  ],
  [
    'an auto-suspend delay below -1',
    { suspend_timeout_seconds: -2 },
    'suspend_timeout_seconds is a whole number of seconds up to 86400, 0 for the default of 300, or -1 for never, not -2',
  ],
])('%s is refused on creation', async (_, attributes, message) => {
  const { call, project, freeBranchId } = await openProject();
  const { status, body } = await call<ErrorBody>('POST', `/projects/${project.id}/endpoints`, {
    endpoint: { branch_id: freeBranchId, ...attributes },
  });
  expect([status, body.message]).toEqual([400, message]);
});

test.each([
  [{ autoscaling_limit_min_cu: 0.25 }, [0.25, 0.25]],
  [{ autoscaling_limit_max_cu: 7 }, [7, 7]],
  [{ autoscaling_limit_min_cu: 0.5, autoscaling_limit_max_cu: 0.5 }, [0.5, 0.5]],
  [{ autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 7 }, [1, 7]],
  [{ suspend_timeout_seconds: 86_400 }, [0.25, 0.25]],
])('%o is a possible compute size', async (attributes, sizes) => {
  const { call, project, freeBranchId } = await openProject();
  const { status, body } = await call<Change>('POST', `/projects/${project.id}/endpoints`, {
    endpoint: { branch_id: freeBranchId, ...attributes },
  });
  expect(status).toBe(201);
  const { autoscaling_limit_min_cu, autoscaling_limit_max_cu } = body.endpoint;
  expect([autoscaling_limit_min_cu, autoscaling_limit_max_cu]).toEqual(sizes);
});

test('switching between fixed size and autoscaling is not supported, in either direction', async () => {
  const { call, project, endpointPath, freeBranchId } = await openProject();
  const toAutoscaling = { endpoint: { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 3 } };
  const refused = await call<ErrorBody>('PATCH', endpointPath, toAutoscaling);
  expect(refused.status).toBe(400);
  expect(refused.body.message).toContain('between fixed size and autoscaling is not supported');
  const created = await call<Change>('POST', `/projects/${project.id}/endpoints`, {
    endpoint: { branch_id: freeBranchId, ...toAutoscaling.endpoint },
  });
  const path = `/projects/${project.id}/endpoints/${created.body.endpoint.id}`;
  const toFixed = { endpoint: { autoscaling_limit_min_cu: 3 } };
  expect((await call('PATCH', path, toFixed)).status).toBe(400);
});

test('a changed size starts apply_config and counts from then on, not before', async () => {
  const { call, advance, endpointPath, project, tellTruth } = await openProject();
  const formerCu = project.endpoints[0]?.autoscaling_limit_min_cu ?? 0;
  const sizes = { autoscaling_limit_min_cu: 7, autoscaling_limit_max_cu: 7, suspend_timeout_seconds: -1 };
  await advance(200);
  const { body } = await call<Change>('PATCH', endpointPath, { endpoint: sizes });
  expect(body.operations.map(({ action }) => action)).toEqual(['apply_config']);
  await advance(100);
  const endpoint = (await tellTruth()).projects[0]?.endpoints[0];
  const formerSeconds = (endpoint?.state_seconds.active ?? 0) - 100;
  expect(formerSeconds).toBeGreaterThan(200);
  expect(formerCu).toBeLessThan(7);
  expect(endpoint?.cu_seconds).toBe(formerSeconds * formerCu + 700);
});

test('on the free plan compute size and auto-suspend cannot be changed, anything else can', async () => {
  const { call, endpointPath } = await openProject({ plan: 'free' });
  const change = { endpoint: { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 1 } };
  const refused = await call<ErrorBody>('PATCH', endpointPath, change);
  expect([refused.status, refused.body.message]).toEqual([
    400,
    'changing compute size or auto-suspend is available to paid plans only',
  ]);
  expect((await call('PATCH', endpointPath, { endpoint: { pooler_enabled: true } })).status).toBe(200);
});
