import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type OperationPage, openService, type ProjectBody, type Service } from './open-service.ts';

const oneMonth = { projects: 3, historyDays: 30, seed: 5 };

/** Follows the cursors to the empty page; `between` is called after each page. */
async function walkOperations(
  { call }: Service,
  projectId: string,
  limit: number,
  between = async (): Promise<unknown> => undefined,
): Promise<string[]> {
  const ids: string[] = [];
  let query = `limit=${limit}`;
  for (;;) {
    const { body } = await call<OperationPage>('GET', `/projects/${projectId}/operations?${query}`);
    ids.push(...body.operations.map(({ id }) => id));
    if (body.pagination === undefined) return ids;
    query = `limit=${limit}&cursor=${encodeURIComponent(body.pagination.cursor)}`;
    await between();
  }
}

async function largestProject(service: Service): Promise<string> {
  const { projects } = await service.tellTruth();
  const size = (id: string) => service.simulator.account.projects.get(id)?.operations.length ?? 0;
  const ids = projects.filter(({ deleted }) => !deleted).map(({ project_id }) => project_id);
  return ids.reduce((best, id) => (size(id) > size(best) ? id : best));
}

test('every limit pages to the end without loss or repeat, although items share seconds', async () => {
  const service = await openService(oneMonth);
  const projectId = await largestProject(service);
  for (let tie = 0; tie < 30; tie += 1) {
    const operation = { project_id: projectId, action: 'apply_config', status: 'finished' };
    await service.control('POST', '/operations', operation);
  }
  const all = (await service.listOperations(projectId)).map(({ id }) => id);
  expect(all.length).toBeGreaterThan(200);
  expect(new Set(all).size).toBe(all.length);
  const limits = fc.oneof(fc.integer({ min: 20, max: 60 }), fc.integer({ min: 61, max: 1000 }));
  await fc.assert(
    fc.asyncProperty(limits, async limit => {
      expect(await walkOperations(service, projectId, limit)).toEqual(all);
    }),
    { numRuns: 20, examples: [[7], [1000]] },
  );
});

test('a limit of 1 walks through one tie after the other', async () => {
  const service = await openService();
  const project = await service.addProject({ branches: 4 });
  const all = (await service.listOperations(project.id)).map(({ id }) => id);
  expect(all.length).toBe(8);
  expect(await walkOperations(service, project.id, 1)).toEqual(all);
});

test('operations that arrive while a client is paging neither hide nor repeat older ones', async () => {
  const service = await openService();
  const project = await service.addProject({ branches: 4 });
  const before = (await service.listOperations(project.id)).map(({ id }) => id);
  const arrive = () =>
    service.control('POST', '/operations', {
      project_id: project.id,
      action: 'apply_config',
      status: 'failed',
    });
  expect(await walkOperations(service, project.id, 3, arrive)).toEqual(before);
});

test('items come newest first and the cursor is the last one’s creation with six decimals', async () => {
  const service = await openService(oneMonth);
  const projectId = await largestProject(service);
  const { body } = await service.call<OperationPage>('GET', `/projects/${projectId}/operations?limit=50`);
  const times = body.operations.map(({ created_at }) => created_at);
  expect(times).toEqual([...times].sort().reverse());
  expect(times.every(time => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(time))).toBe(true);
  expect(body.pagination?.cursor).toMatch(/\.\d{6}Z$/);
  expect(body.pagination?.cursor.slice(0, 19)).toBe(times.at(-1)?.slice(0, 19));
});

test.each(['0', '-1', '1001', '1.5', 'ten', ''])('a limit of "%s" operations is 400', async limit => {
  const service = await openService();
  const project = await service.addProject();
  expect((await service.call('GET', `/projects/${project.id}/operations?limit=${limit}`)).status).toBe(400);
});

test.each(['yesterday', '', '2026-13-01T00:00:00Z', '2026-03-02T10:00:00.1234567Z'])(
  'the cursor "%s" is 400',
  async cursor => {
    const service = await openService();
    const project = await service.addProject();
    const path = `/projects/${project.id}/operations?limit=5&cursor=${encodeURIComponent(cursor)}`;
    expect((await service.call('GET', path)).status).toBe(400);
  },
);

test('a bare list of projects has all of them, with the fields of the specification and nothing else', async () => {
  const { call } = await openService({ projects: 12 });
  const { body } = await call<{ projects: ProjectBody[] }>('GET', '/projects');
  expect(Object.keys(body)).toEqual(['projects']);
  expect(body.projects.length).toBe(12);
  expect(Object.keys(body.projects[0] ?? {})).toEqual([
    'id',
    'name',
    'platform_id',
    'region_id',
    'provisioner',
    'pg_version',
    'locked',
    'cpu_used_sec',
    'branch_logical_size_limit',
    'proxy_host',
    'created_at',
    'updated_at',
  ]);
});

test('paged projects come in pages to the last one, which no deletion on the way disturbs', async () => {
  const { call, control } = await openService({ projects: 12, pageProjects: 5 });
  type Page = { projects: ProjectBody[]; pagination?: { cursor: string } };
  const bare = (await call<Page>('GET', '/projects')).body;
  expect(bare.projects.length).toBe(5);
  expect(bare.pagination?.cursor).toBe(bare.projects.at(-1)?.id);
  await control('DELETE', `/projects/${bare.pagination?.cursor}`);
  const rest = (await call<Page>('GET', `/projects?limit=500&cursor=${bare.pagination?.cursor}`)).body;
  const ids = [...bare.projects, ...rest.projects].map(({ id }) => id);
  expect(new Set(ids).size).toBe(12);
  const end = (await call<Page>('GET', `/projects?cursor=${rest.pagination?.cursor}`)).body;
  expect(end).toEqual({ projects: [] });
});

test('limit and cursor page the projects without the flag too', async () => {
  const { call } = await openService({ projects: 3 });
  const { body } = await call<{ projects: ProjectBody[]; pagination?: object }>('GET', '/projects?limit=2');
  expect(body.projects.length).toBe(2);
  expect(body.pagination).toEqual({ cursor: body.projects[1]?.id });
  expect((await call('GET', '/projects?limit=0')).status).toBe(400);
});
