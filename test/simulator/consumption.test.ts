import { expect, test } from 'vitest';
import { meteredMetrics } from '../../src/simulator/model/meter/metered-metric.ts';
import type { SimulatorOptions } from '../../src/simulator/server.ts';
import { type ErrorBody, first, openService, type ProjectBody, type Service } from './open-service.ts';

interface Timeframe {
  readonly timeframe_start: string;
  readonly timeframe_end: string;
}

interface MeteredFrame extends Timeframe {
  readonly metrics: readonly { readonly metric_name: string; readonly value: number }[];
}

interface ConsumedFrame extends Timeframe {
  readonly active_time_seconds: number;
  readonly compute_time_seconds: number;
  readonly written_data_bytes: number;
  readonly synthetic_storage_size_bytes: number;
}

interface History<Frame> {
  readonly projects: readonly {
    readonly project_id: string;
    readonly periods: readonly {
      readonly period_id: string;
      readonly period_plan: string;
      readonly period_start: string;
      readonly period_end?: string;
      readonly consumption: readonly Frame[];
    }[];
  }[];
  readonly pagination?: { readonly cursor: string };
}

const path = '/consumption_history/v2/projects';
const pathBefore = '/consumption_history/projects';
/** The service starts on 2 March 2026 at 10:00. */
const lastDay = 'granularity=hourly&from=2026-03-01T10:00:00Z&to=2026-03-02T11:00:00Z';

async function openMetered(options: Partial<SimulatorOptions> = {}) {
  const service = await openService({ api: 'later', projects: 12, historyDays: 3, seed: 5, ...options });
  const ask = async <Frame = MeteredFrame>(query: string, at = path) =>
    (await service.call<History<Frame>>('GET', `${at}?${query}`)).body;
  const refuse = async (query: string, at = path) => {
    const { status, body } = await service.call<ErrorBody>('GET', `${at}?${query}`);
    return [status, body.message];
  };
  const total = async (projectId: string) =>
    first((await readTotals(service)).filter(({ project_id }) => project_id === projectId)).consumption.total;
  return { ...service, ask, refuse, total };
}

async function readTotals({ control }: Service) {
  interface Billed {
    readonly project_id: string;
    readonly consumption: { readonly total: Readonly<Record<string, number>> };
  }
  return (await control<{ projects: Billed[] }>('GET', '/truth')).body.projects;
}

test('an hour of a project has every metric that was used, as whole numbers, oldest first', async () => {
  const { ask, control, advance, tellTruth } = await openMetered({ includedBranches: 1, meteredIn: 'hour' });
  const { project_id } = first((await tellTruth()).projects);
  await control('POST', `/projects/${project_id}/consumption`, { snapshot_storage_bytes: 1000 });
  await advance(2 * 3600);
  const { projects } = await ask(`${lastDay.replace('11:00', '12:00')}&limit=100`);
  const names = new Set<string>();
  for (const { periods } of projects) {
    for (const { period_id, period_plan, consumption } of periods) {
      expect(period_id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      expect(period_plan).toBe('launch');
      const starts = consumption.map(({ timeframe_start }) => timeframe_start);
      expect(starts).toEqual(starts.toSorted());
      for (const { timeframe_start, timeframe_end, metrics } of consumption) {
        expect(Date.parse(timeframe_end) - Date.parse(timeframe_start)).toBe(3_600_000);
        for (const { metric_name, value } of metrics) {
          names.add(metric_name);
          expect(Number.isSafeInteger(value) && value > 0).toBe(true);
        }
      }
    }
  }
  expect([...names].sort()).toEqual([...meteredMetrics].sort());
});

test('pages neither lose nor repeat any project, and ten come without a limit', async () => {
  const { ask } = await openMetered();
  const whole = (await ask(`${lastDay}&limit=100`)).projects;
  expect(whole.length).toBeGreaterThan(10);
  expect((await ask(lastDay)).projects).toHaveLength(10);
  const paged = [];
  for (let cursor = ''; ; ) {
    const page = await ask(`${lastDay}&limit=5&cursor=${cursor}`);
    paged.push(...page.projects);
    if (page.pagination === undefined) break;
    cursor = page.pagination.cursor;
  }
  expect(paged).toEqual(whole);
});

test('projects and metrics are chosen by lists, with commas or one by one', async () => {
  const { ask } = await openMetered();
  const ids = (await ask(lastDay)).projects.slice(2, 5).map(({ project_id }) => project_id);
  const byCommas = await ask(`${lastDay}&project_ids=${ids.join(',')}&metrics=root_branch_bytes_month`);
  const oneByOne = await ask(
    `${lastDay}&${ids.map(id => `project_ids=${id}`).join('&')}&metrics=root_branch_bytes_month`,
  );
  expect(byCommas.projects.map(({ project_id }) => project_id)).toEqual(ids);
  expect(oneByOne).toEqual(byCommas);
  const frames = byCommas.projects.flatMap(({ periods }) =>
    periods.flatMap(({ consumption }) => consumption),
  );
  expect(new Set(frames.flatMap(({ metrics }) => metrics.map(({ metric_name }) => metric_name)))).toEqual(
    new Set(['root_branch_bytes_month']),
  );
});

const day = 'granularity=daily&from=2026-03-01T00:00:00Z';

test.each([
  ['granularity=hourly&from=2026-03-02T00:00:00Z', 400],
  ['granularity=hourly&from=today&to=2026-03-02T00:00:00Z', 400],
  ['granularity=weekly&from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z', 400],
  ['from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z', 400],
  ['granularity=hourly&from=2026-03-02T03:00:00Z&to=2026-03-02T01:00:00Z', 400],
  [`${day}&to=2026-03-02T00:00:00Z&limit=101`, 400],
  [`${day}&to=2026-03-02T00:00:00Z&limit=0`, 400],
  [`${day}&to=2026-03-02T00:00:00Z&metrics=compute_unit_seconds,cpu`, 400],
  [`${day}&to=2026-03-02T00:00:00Z&project_ids=${Array.from({ length: 101 }, (_, index) => index)}`, 400],
  ['granularity=hourly&from=2026-02-23T09:59:59Z&to=2026-03-02T00:00:00Z', 406],
  ['granularity=hourly&from=2026-02-23T10:00:00Z&to=2026-03-02T00:00:00Z', 200],
  ['granularity=daily&from=2026-01-01T23:59:59Z&to=2026-03-02T00:00:00Z', 200],
  ['granularity=daily&from=2025-12-31T23:59:59Z&to=2026-03-02T00:00:00Z', 406],
  ['granularity=monthly&from=2025-03-01T00:00:00Z&to=2026-03-02T00:00:00Z', 200],
  ['granularity=monthly&from=2025-02-28T00:00:00Z&to=2026-03-02T00:00:00Z', 406],
  [`${day}&to=2026-03-02T00:00:00Z&org_id=org-of-others`, 404],
])('both histories answer %s with %i', async (query, status) => {
  const { call } = await openMetered({ projects: 0, historyDays: 0 });
  expect((await call('GET', `${path}?${query}`)).status).toBe(status);
  // The version before has no metrics to choose from.
  const statusBefore = query.includes('metrics=') ? 200 : status;
  expect((await call('GET', `${pathBefore}?${query}`)).status).toBe(statusBefore);
});

test('a key of a person must say which organisation it asks about', async () => {
  const orgs = ['org-a', 'org-b'];
  const { ask, refuse } = await openMetered({ orgs });
  expect(await refuse(lastDay)).toEqual([400, expect.stringContaining('org_id is required')]);
  const pages = await Promise.all(orgs.map(id => ask(`${lastDay}&limit=100&org_id=${id}`)));
  const ids = pages.flatMap(({ projects }) => projects.map(({ project_id }) => project_id));
  expect(pages.every(({ projects }) => projects.length > 0)).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a plan without a meter is 403, from the moment it is taken to the moment it is left', async () => {
  const { refuse, call, control } = await openMetered({ projects: 0, historyDays: 0 });
  await control('POST', '/plan', { plan: 'free' });
  expect(await refuse(lastDay)).toEqual([403, expect.stringContaining('not available for your plan')]);
  await control('POST', '/plan', { plan: 'scale' });
  expect((await call('GET', `${path}?${lastDay}`)).status).toBe(200);
});

test('the free plan has no meter to begin with', async () => {
  const { refuse } = await openMetered({ projects: 0, historyDays: 0, plan: 'free' });
  expect((await refuse(lastDay, pathBefore))[0]).toBe(403);
});

test('both histories have one limit of their own, which leaves other calls alone and refills by and by', async () => {
  let now = Date.parse('2026-03-02T10:00:00Z');
  const { call } = await openMetered({ projects: 0, historyDays: 0, wallClock: () => now });
  const statuses = [];
  for (let index = 0; index < 52; index += 1) {
    statuses.push((await call('GET', `${index % 2 === 0 ? path : pathBefore}?${lastDay}`)).status);
  }
  expect(statuses.slice(0, 50)).toEqual(Array(50).fill(200));
  expect(statuses.slice(50)).toEqual([429, 429]);
  const { headers } = await call('GET', `${path}?${lastDay}`);
  expect(headers.get('retry-after')).toBe('2');
  expect((await call('GET', '/projects')).status).toBe(200);
  now += 1200;
  expect((await call('GET', `${path}?${lastDay}`)).status).toBe(200);
  expect((await call('GET', `${path}?${lastDay}`)).status).toBe(429);
});

test('what is added shows in the truth at once, and in the history when the lag is over', async () => {
  const { ask, total, addProject, control, advance } = await openMetered({ projects: 0, historyDays: 0 });
  const { id } = await addProject({ name: 'shop' });
  await advance(600);
  const before = await total(id);
  await control('POST', `/projects/${id}/consumption`, { public_network_transfer_bytes: 5_000_000 });
  const after = await total(id);
  expect(after.public_network_transfer_bytes).toBe((before.public_network_transfer_bytes ?? 0) + 5_000_000);
  const read = async () => {
    const { projects } = await ask(`${lastDay}&metrics=public_network_transfer_bytes`);
    const frames = first(projects).periods.flatMap(({ consumption }) => consumption);
    return frames.find(({ timeframe_start }) => timeframe_start === '2026-03-02T10:00:00Z')?.metrics[0]
      ?.value;
  };
  expect(await read()).toBeLessThan(2_000_000);
  await advance(3000 + 900);
  expect(await read()).toBe((await total(id)).public_network_transfer_bytes);
});

test('what is stored is billed from the next hour on, and can shrink', async () => {
  const { addProject, control, advance, call } = await openMetered({ projects: 0, historyDays: 0 });
  const { id } = await addProject({ name: 'shop' });
  const stored = async () =>
    (await call<{ project: { synthetic_storage_size: number } }>('GET', `/projects/${id}`)).body.project
      .synthetic_storage_size;
  await advance(3600);
  const before = await stored();
  await control('POST', `/projects/${id}/consumption`, { root_branch_bytes: 7000, child_branch_bytes: 300 });
  await advance(3600);
  expect(await stored()).toBe(before + 7300);
  await control('POST', `/projects/${id}/consumption`, { root_branch_bytes: -6000 });
  await advance(3600);
  expect(await stored()).toBe(before + 1300);
});

test.each([
  [{ root_branch_bytes: 2 ** 40 }, 'no more than'],
  [{ public_network_transfer_bytes: -1 }, 'from 0'],
  [{ storage: 1 }, 'did you mean'],
])('%j cannot be added', async (body, words) => {
  const { addProject, control } = await openMetered({ projects: 0, historyDays: 0 });
  const { id } = await addProject();
  const { status, body: error } = await control<ErrorBody>('POST', `/projects/${id}/consumption`, body);
  expect([status, error.message]).toEqual([400, expect.stringContaining(words)]);
});

test('a deleted project is billed for what it had used, until that is too long ago', async () => {
  const { ask, control, advance, call } = await openMetered({ projects: 2 });
  const { projects } = (await call<{ projects: ProjectBody[] }>('GET', '/projects')).body;
  const { id } = first(projects);
  await control('DELETE', `/projects/${id}`);
  await advance(4 * 3600);
  const query = (from: string) => `granularity=hourly&from=${from}&to=2026-03-02T14:00:00Z&project_ids=${id}`;
  const { periods } = first((await ask(query('2026-03-02T08:00:00Z'))).projects);
  const frames = periods.flatMap(({ consumption }) => consumption);
  expect(frames.at(-1)?.timeframe_start).toBe('2026-03-02T09:00:00Z');
  expect((await ask(query('2026-03-02T11:00:00Z'))).projects).toEqual([]);
});

test('the version before tells time, compute, writes and what is stored', async () => {
  const { ask, call } = await openMetered({ projects: 3 });
  const existing = (await call<{ projects: ProjectBody[] }>('GET', '/projects')).body.projects.map(
    ({ id }) => id,
  );
  const query = `granularity=monthly&from=2026-03-01T00:00:00Z&to=2026-04-01T00:00:00Z&project_ids=${existing}`;
  const { projects } = await ask<ConsumedFrame>(query, pathBefore);
  expect(projects).toHaveLength(3);
  for (const { project_id, periods } of projects) {
    const frame = first(first(periods).consumption);
    const { project } = (await call<{ project: Record<string, number> }>('GET', `/projects/${project_id}`))
      .body;
    expect(frame).toMatchObject({
      timeframe_start: '2026-03-01T00:00:00Z',
      timeframe_end: '2026-04-01T00:00:00Z',
      synthetic_storage_size_bytes: expect.any(Number),
    });
    for (const field of ['active_time_seconds', 'compute_time_seconds', 'written_data_bytes'] as const) {
      // The last hour is told in part.
      expect(frame[field]).toBeLessThanOrEqual(project[field] ?? 0);
      expect(frame[field]).toBeGreaterThan((project[field] ?? 0) * 0.8);
    }
  }
});

test('the truth has every timeframe without lag and as far back as there is a history', async () => {
  const { control, tellTruth } = await openMetered({ projects: 2, historyDays: 20 });
  const { status, body } = await control<History<MeteredFrame>>(
    'GET',
    '/truth/consumption?granularity=hourly',
  );
  const created = (await tellTruth()).projects.map(project => project.project_id);
  expect([status, body.projects.map(({ project_id }) => project_id)]).toEqual([200, created]);
  const starts = body.projects.flatMap(({ periods }) =>
    periods.flatMap(({ consumption }) => consumption.map(({ timeframe_start }) => timeframe_start)),
  );
  expect(starts.toSorted()[0]?.slice(0, 7)).toBe('2026-02');
  expect(starts).toContain('2026-03-02T09:00:00Z');
  expect((await control('GET', '/truth/consumption?granularity=secondly')).status).toBe(400);
});

/** By project, metric and hour. */
function listHours({ projects }: History<MeteredFrame>): (readonly [key: string, value: number])[] {
  return projects.flatMap(({ project_id, periods }) =>
    periods.flatMap(({ consumption }) =>
      consumption.flatMap(({ timeframe_start, metrics }) =>
        metrics.map(
          ({ metric_name, value }) => [`${project_id} ${metric_name} ${timeframe_start}`, value] as const,
        ),
      ),
    ),
  );
}

test('a client that reads the last week now and then comes to the truth, over a change of plan and a deletion', async () => {
  const options = { projects: 3, historyDays: 1, includedBranches: 1, consumptionLagSeconds: 7200 };
  const service = await openMetered(options);
  const { ask, control, advance } = service;
  const kept = new Map<string, number>();
  const hourOf = async (hours: number) => {
    const now = Date.parse((await service.tellTruth()).now);
    return `${new Date(now + hours * 3_600_000).toISOString().slice(0, 13)}:00:00Z`;
  };
  const read = async () => {
    const range = `from=${await hourOf(-168)}&to=${await hourOf(1)}`;
    for (const [key, value] of listHours(await ask(`granularity=hourly&${range}&limit=100`))) {
      expect(value).toBeGreaterThanOrEqual(kept.get(key) ?? 0);
      kept.set(key, value);
    }
  };
  const [doomed] = await readTotals(service);
  const path = `/projects/${doomed?.project_id}`;
  await read();
  await control('POST', `${path}/consumption`, { private_network_transfer_bytes: 12_345_678 });
  await advance(5000);
  await read();
  await control('POST', '/plan', { plan: 'scale' });
  // As long an outage as the service keeps hours for.
  await advance(164 * 3600);
  await read();
  await advance(4321);
  await control('DELETE', path);
  await advance(100_000);
  await read();

  const untilHour = await hourOf(-3);
  const truth = listHours(
    await control<History<MeteredFrame>>('GET', '/truth/consumption?granularity=hourly').then(
      ({ body }) => body,
    ),
  );
  const isOver = ([key]: readonly [string, number]) => key.slice(-untilHour.length) < untilHour;
  const settled = truth.filter(isOver);
  expect(settled.length).toBeGreaterThan(1500);
  expect(new Map([...kept].filter(isOver).toSorted())).toEqual(new Map(settled.toSorted()));
});
