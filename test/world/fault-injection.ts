import type { Random } from '../../src/simulator/model/random.ts';
import { liveProjects, pickFrom } from './driver.ts';
import type { World } from './world.ts';

const lists = ['GET /projects', 'GET /projects/*/endpoints', 'GET /projects/*/operations'] as const;
const calls = [...lists, 'GET /projects/*/operations/*', 'GET /api_keys', 'GET *'] as const;

const answers = [
  { status: 429, headers: { 'retry-after': '1' } },
  { status: 429 },
  { status: 500, body: '<html><h1>Internal Server Error</h1></html>' },
  { status: 524, body: '<html><h1>A timeout occurred</h1></html>' },
  { status: 503, headers: { 'retry-after': '1' } },
  { status: 423, body: '{"request_id":"1","code":"","message":"operations are running"}' },
  { status: 401, body: '{"message":"unauthorized"}' },
  { status: 404, body: '{"message":"not found"}' },
  { status: 200, body: '{"projects": [' },
  { close: true },
  { close: true, body: '{"projects":[],"endpoints":[],"operations":[]}' },
  { delay_ms: 400 },
  { delay_ms: 1500 },
] as const;

/** Has the next few calls of a kind go wrong. @returns how many. */
export async function injectFault(world: World, random: Random): Promise<number> {
  const times = random.integer(1, 4);
  await world.call('POST', '/faults', { match: random.pick(calls), ...random.pick(answers), times });
  return times;
}

/**
 * Has lists answered whole but odd: items twice, a part missing and said to be unavailable, all missing, an item that
 * cannot be read. The world must stand still until they were read, or what they say would be outdated: a replica that
 * lags hours behind is not what is tried here.
 *
 * @returns how many answers.
 */
export async function injectOddLists(world: World, random: Random): Promise<number> {
  const project = pickFrom(random, await liveProjects(world));
  if (project === undefined) return 0;
  const root = world.base_url;
  const below = `/projects/${project.project_id}`;
  const { projects } = (await world.call('GET', `${root}projects`)) as { projects: readonly Item[] };
  const { endpoints } = (await world.call('GET', `${root}${below.slice(1)}/endpoints`)) as {
    endpoints: readonly Item[];
  };
  const page = (await world.call('GET', `${root}${below.slice(1)}/operations?limit=50`)) as {
    operations: readonly Item[];
  };
  const half = Math.floor(projects.length / 2);
  const shown = projects.slice(0, half);
  const unavailable_project_ids = projects.slice(half).map(({ id }) => id);
  const odd = [
    ['/projects', { projects: shown, unavailable_project_ids }],
    ['/projects', { projects: [...shown, { id: null, name: 7 }] }],
    ['/projects', { projects: [...projects, ...shown] }],
    ['/projects', { projects: [] }],
    [`${below}/endpoints`, { endpoints: [...endpoints, ...endpoints] }],
    [`${below}/operations`, { ...page, operations: [...page.operations, ...page.operations] }],
  ] as const;
  const first = random.integer(0, odd.length - 1);
  const chosen = [...odd.slice(first), ...odd.slice(0, first)].slice(0, 4);
  for (const [path, body] of chosen) {
    await world.call('POST', '/faults', { match: `GET ${path}`, body: JSON.stringify(body), times: 1 });
  }
  return chosen.length;
}

interface Item {
  readonly id: string;
}
