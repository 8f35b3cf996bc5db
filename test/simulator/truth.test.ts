import { expect, test } from 'vitest';
import {
  type OperationPage,
  openService,
  type ProjectBody,
  type Service,
  type TruthBody,
} from './open-service.ts';

/** What a client counts on its own that pages through the operations of every project. */
async function recount({ call }: Service) {
  const { projects } = (await call<{ projects: ProjectBody[] }>('GET', '/projects')).body;
  const counted = new Map<string, Map<string, number>>();
  for (const { id } of projects) {
    const counts = new Map<string, number>();
    const add = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
    let cursor = '';
    for (;;) {
      const query = `limit=333${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
      const page = (await call<OperationPage>('GET', `/projects/${id}/operations?${query}`)).body;
      for (const { action, status, endpoint_id } of page.operations) {
        add(`${action} ${status}`);
        if (endpoint_id !== undefined && status === 'finished') add(`${action} of ${endpoint_id}`);
      }
      if (page.pagination === undefined) break;
      cursor = page.pagination.cursor;
    }
    counted.set(id, counts);
  }
  return counted;
}

/** The same counts as the oracle tells them. */
function readCounts({ projects }: TruthBody) {
  return new Map(
    projects
      .filter(({ deleted }) => !deleted)
      .map(({ project_id, operations, endpoints }) => {
        const rows = [
          ...operations.map(({ action, status, count }) => [`${action} ${status}`, count] as const),
          ...endpoints.map(({ endpoint_id, starts }) => [`start_compute of ${endpoint_id}`, starts] as const),
          ...endpoints.map(
            ({ endpoint_id, suspends }) => [`suspend_compute of ${endpoint_id}`, suspends] as const,
          ),
        ];
        return [project_id, new Map(rows.filter(([, count]) => count > 0))] as const;
      }),
  );
}

function withoutOtherActions(counts: Map<string, Map<string, number>>) {
  const isTold = (key: string) => !/^(?!start_compute|suspend_compute)\w+ of /.test(key);
  return new Map(
    [...counts].map(([id, rows]) => [id, new Map([...rows].filter(([key]) => isTold(key)))] as const),
  );
}

const month = { projects: 12, historyDays: 30, seed: 11 };

test('the truth counts exactly what a client counts that pages through all operations', async () => {
  const service = await openService(month);
  expect(withoutOtherActions(await recount(service))).toEqual(readCounts(await service.tellTruth()));
});

test('it still does after time, connections, faults, deletions and injected operations', async () => {
  const service = await openService(month);
  const { control, call, advance } = service;
  const { projects } = (await call<{ projects: ProjectBody[] }>('GET', '/projects')).body;
  await control('POST', '/faults', { match: 'GET /projects', status: 500, times: 1 });
  await call('GET', '/projects');
  for (const [index, { id }] of projects.entries()) {
    const [endpoint] = await service.listEndpoints(id);
    await control('POST', `/endpoints/${endpoint?.id}/connect`, { seconds: 100 * index });
    await control('POST', '/operations', {
      project_id: id,
      endpoint_id: endpoint?.id,
      action: 'start_compute',
    });
    await advance(700);
    if (index % 4 === 0) await call('DELETE', `/projects/${id}/endpoints/${endpoint?.id}`);
    if (index % 5 === 4) await control('DELETE', `/projects/${id}`);
  }
  await advance(2);
  expect(withoutOtherActions(await recount(service))).toEqual(readCounts(await service.tellTruth()));
});

test('cpu_used_sec_ever is what a client adds up that saw every value', async () => {
  const service = await openService({ projects: 3, seed: 3 });
  const { control, call, advance } = service;
  const seen = new Map<string, { last: number; ever: number }>();
  const look = async () => {
    for (const { id, cpu_used_sec: value } of (await call<{ projects: ProjectBody[] }>('GET', '/projects'))
      .body.projects) {
      const { last, ever } = seen.get(id) ?? { last: 0, ever: 0 };
      seen.set(id, { last: value, ever: ever + (value < last ? value : value - last) });
    }
  };
  for (let round = 0; round < 40; round += 1) {
    await advance(500 + round);
    await look();
    if (round % 10 !== 9) continue;
    for (const id of seen.keys()) {
      await control('POST', `/projects/${id}/cpu`, { cpu_used_sec: round % 20 === 9 ? 0 : 12 });
    }
    await look();
  }
  const { projects } = await service.tellTruth();
  expect(projects.map(({ cpu_used_sec_ever }) => cpu_used_sec_ever)).toEqual(
    projects.map(({ project_id }) => seen.get(project_id)?.ever),
  );
  expect(Math.max(...projects.map(({ cpu_used_sec_ever }) => cpu_used_sec_ever))).toBeGreaterThan(0);
});

test('the seconds in all states add up to the age of the endpoint, and use to size × active seconds', async () => {
  const service = await openService(month);
  const { now, projects } = await service.tellTruth();
  for (const { project_id, deleted, endpoints } of projects) {
    if (deleted) continue;
    const shown = new Map((await service.listEndpoints(project_id)).map(endpoint => [endpoint.id, endpoint]));
    for (const { endpoint_id, state_seconds, cu_seconds } of endpoints) {
      const endpoint = shown.get(endpoint_id);
      const createdAt = service.simulator.account.projects
        .get(project_id)
        ?.endpoints.find(({ id }) => id === endpoint_id)?.createdAt;
      const total = Object.values(state_seconds).reduce((sum, seconds) => sum + seconds, 0);
      expect(total).toBe(Date.parse(now) / 1000 - (createdAt ?? 0));
      const { active = 0 } = state_seconds;
      expect(cu_seconds).toBeGreaterThanOrEqual(active * (endpoint?.autoscaling_limit_min_cu ?? 0));
      expect(cu_seconds).toBeLessThanOrEqual(active * (endpoint?.autoscaling_limit_max_cu ?? 0));
    }
  }
});
