import type { Random } from '../../src/simulator/model/random.ts';
import type { TrueProject } from '../support/truth.ts';
import { addresses, createKey, type RoamingKey, useKey } from './roaming-key.ts';
import type { World } from './world.ts';

const endStatuses = ['finished', 'failed', 'error', 'cancelled', 'skipped'] as const;
const openStatuses = ['scheduling', 'running', 'cancelling'] as const;
/** No start or suspend: the simulator records these without their effect, which would be a lie about a state. */
const actions = ['apply_config', 'check_availability', 'create_branch', 'tenant_migrate'] as const;
const mostProjects = 18;
const mostEndpoints = 4;

/** What a driver acts on, and what it left open in the world. */
interface Driver {
  readonly world: World;
  readonly random: Random;
  openOperations: { readonly project_id: string; readonly id: string; failures_count: number }[];
  readonly spareKeys: RoamingKey[];
}

type Change = (driver: Driver, project: TrueProject) => Promise<void>;

/**
 * What happens to a world while it is watched; what is listed twice is done twice as often. No endpoint is disabled: the
 * specification shows no operation that leads to `stopped`, so how long one was there that came and went between two
 * readings, nobody who polls can know.
 */
const changes = [
  advance,
  advance,
  advance,
  connect,
  connect,
  addEndedOperation,
  addEndedOperation,
  addOpenOperation,
  changeOpenOperation,
  changeOpenOperation,
  addProject,
  changeKeys,
  useSpareKey,
  addEndpoint,
  moveEndpoint,
  deleteEndpoint,
] as const satisfies readonly Change[];

/** @returns a function that does one random thing to the world. */
export function createDriver(world: World, random: Random): () => Promise<void> {
  const driver: Driver = { world, random, openOperations: [], spareKeys: [] };
  return async () => {
    const project = pickFrom(random, await liveProjects(world));
    if (project !== undefined) await random.pick(changes)(driver, project);
  };
}

export async function liveProjects(world: World): Promise<readonly TrueProject[]> {
  return (await world.truth()).projects.filter(({ deleted }) => !deleted);
}

export function pickFrom<Item>(random: Random, items: readonly Item[]): Item | undefined {
  return items[random.integer(0, items.length - 1)];
}

async function advance({ world, random }: Driver): Promise<void> {
  const seconds = Math.round(4 * 3600 * random.fraction() ** 4);
  await world.call('POST', '/advance', { seconds });
}

async function connect({ world, random }: Driver, project: TrueProject): Promise<void> {
  const endpoint = pickFrom(random, liveEndpoints(project));
  if (endpoint === undefined) return;
  await world.call('POST', `/endpoints/${endpoint.endpoint_id}/connect`, { seconds: random.integer(1, 900) });
}

async function addEndedOperation({ world, random }: Driver, { project_id }: TrueProject): Promise<void> {
  const failures_count = random.pick([0, 0, 1, 3]);
  const status = random.pick(endStatuses);
  await world.call('POST', '/operations', {
    project_id,
    action: random.pick(actions),
    status,
    failures_count,
  });
}

async function addOpenOperation(
  { world, random, openOperations }: Driver,
  { project_id }: TrueProject,
): Promise<void> {
  const failures_count = random.pick([0, 0, 1]);
  const status = random.pick(openStatuses);
  const action = random.pick(actions);
  const answer = await world.call('POST', '/operations', { project_id, action, status, failures_count });
  openOperations.push({ project_id, id: (answer as { id: string }).id, failures_count });
}

/** Ends an operation that was left open, or lets an attempt of it fail. */
async function changeOpenOperation(driver: Driver): Promise<void> {
  const { world, random } = driver;
  const liveIds = new Set((await liveProjects(world)).map(({ project_id }) => project_id));
  driver.openOperations = driver.openOperations.filter(({ project_id }) => liveIds.has(project_id));
  const operation = pickFrom(random, driver.openOperations);
  if (operation === undefined) return;
  operation.failures_count += random.integer(0, 2);
  const isEnd = random.chance(0.8);
  if (isEnd) driver.openOperations = driver.openOperations.filter(other => other !== operation);
  const status = isEnd ? random.pick(endStatuses) : 'running';
  await world.call('POST', `/operations/${operation.id}`, {
    status,
    failures_count: operation.failures_count,
  });
}

async function addProject({ world, random }: Driver): Promise<void> {
  if ((await liveProjects(world)).length >= mostProjects) return;
  const profile = random.pick(['bursty', 'five-minute-cron', 'quiet']);
  const name = `made while watched ${random.integer(1, 999)}`;
  await world.call('POST', '/projects', { name, branches: random.integer(1, 3), profile });
}

async function changeKeys({ world, spareKeys }: Driver): Promise<void> {
  const oldest = spareKeys.length < 3 ? undefined : spareKeys.shift();
  if (oldest === undefined) spareKeys.push(await createKey(world));
  else await world.call('DELETE', `${world.base_url}api_keys/${oldest.id}`);
}

async function useSpareKey({ world, random, spareKeys }: Driver): Promise<void> {
  const key = pickFrom(random, spareKeys);
  if (key !== undefined) await useKey(world, key, random.pick(addresses));
}

async function addEndpoint({ world }: Driver, project: TrueProject): Promise<void> {
  if (liveEndpoints(project).length >= mostEndpoints) return;
  const endpoint = { branch_id: await addBranch(world, project), type: 'read_write' };
  await world.call('POST', endpointsUrl(world, project), { endpoint });
}

async function moveEndpoint({ world, random }: Driver, project: TrueProject): Promise<void> {
  const moved = pickFrom(random, liveEndpoints(project));
  if (moved === undefined) return;
  const endpoint = { branch_id: await addBranch(world, project) };
  await world.call('PATCH', `${endpointsUrl(world, project)}/${moved.endpoint_id}`, { endpoint });
}

async function deleteEndpoint({ world, random }: Driver, project: TrueProject): Promise<void> {
  const live = liveEndpoints(project);
  const deleted = pickFrom(random, live);
  if (deleted === undefined || live.length < 3) return;
  await world.call('DELETE', `${endpointsUrl(world, project)}/${deleted.endpoint_id}`);
}

async function addBranch(world: World, { project_id }: TrueProject): Promise<string> {
  const answer = await world.call('POST', `/projects/${project_id}/branches`, { endpoint: false });
  return (answer as { id: string }).id;
}

function endpointsUrl({ base_url }: World, { project_id }: TrueProject): string {
  return `${base_url}projects/${project_id}/endpoints`;
}

function liveEndpoints({ endpoints }: TrueProject) {
  return endpoints.filter(({ deleted }) => !deleted);
}
