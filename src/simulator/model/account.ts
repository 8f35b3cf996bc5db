import type { KeyRing } from './api-key.ts';
import type { BranchBlueprint, ProjectBlueprint, SimulatedPlan } from './blueprint.ts';
import { createEndpoint, deleteEndpoint } from './endpoint-life.ts';
import { drawOrg, type LaterAccount } from './later/later-account.ts';
import { createLaterProject, drawQuota, type LaterProject } from './later/later-project.ts';
import { startMaintenance } from './maintenance.ts';
import { addBranchMeter } from './meter/project-meter.ts';
import { beginOperation, findOperation } from './operation.ts';
import {
  type Branch,
  liveEndpoints,
  type SimulatedEndpoint,
  type SimulatedOperation,
  type SimulatedProject,
} from './project.ts';
import { createRandom, hash } from './random.ts';
import { Refusal } from './refusal.ts';
import type { Timeline } from './timeline.ts';
import { startTraffic } from './traffic.ts';

/** Everything the simulated service knows. */
export interface SimulatedAccount {
  readonly seed: number;
  /** Later versions can change it. */
  plan: SimulatedPlan;
  readonly timeline: Timeline;
  /** By id, deleted ones included. */
  readonly projects: Map<string, SimulatedProject>;
  readonly keys: KeyRing;
  /** Otherwise a start fails now and then. */
  readonly hasSureStarts: boolean;
  /** Whether clients come at any hour of any day. */
  readonly aroundTheClock: boolean;
  /** Absent where the service keeps to the contract. */
  readonly later: LaterAccount | undefined;
}

/** Creates a project with its branches, an endpoint on each and the operations that make them. */
export function createProject(account: SimulatedAccount, blueprint: ProjectBlueprint): SimulatedProject {
  const { timeline, seed } = account;
  const { branches, ...given } = blueprint;
  const project: SimulatedProject = {
    ...given,
    createdAt: timeline.now,
    updatedAt: timeline.now,
    deletedAt: undefined,
    branches: [],
    endpoints: [],
    operations: [],
    cpuSetting: { seconds: 0, atQuarterCuSeconds: 0 },
    cpuSecondsBeforeReset: 0,
    timeline,
    random: createRandom(seed, given.id, 'control plane'),
    operationSalt: hash(seed, given.id, 'operations'),
    later: account.later && beginLater(account, account.later, given.id),
  };
  account.projects.set(project.id, project);
  for (const branch of branches) addBranch(account, project, branch);
  return project;
}

function beginLater({ seed, timeline }: SimulatedAccount, terms: LaterAccount, id: string): LaterProject {
  const quota = drawQuota(createRandom(seed, id, 'quota'));
  return createLaterProject({ id, createdAt: timeline.now }, drawOrg(terms, id), quota);
}

/** Creates a branch, by default with its endpoint: a create-branch request starts create_branch and start_compute. */
export function addBranch(
  account: SimulatedAccount,
  project: SimulatedProject,
  { id, name, endpointId, settings, profile, load }: BranchBlueprint,
  { withEndpoint = true } = {},
): Branch {
  const branch = { id, name };
  const action = project.branches.length === 0 ? 'create_timeline' : 'create_branch';
  project.branches.push(branch);
  if (project.later !== undefined) addBranchMeter(project.later.meter, id, account.timeline.now);
  beginOperation(project, { action, branchId: id, totalSeconds: project.random.integer(1, 2) });
  if (withEndpoint) {
    const { endpoint } = createEndpoint(project, branch, endpointId, settings, load);
    startTraffic(endpoint, profile, account);
    startMaintenance(endpoint, account.seed, { checksWake: profile === 'woken-by-checks' });
  }
  return branch;
}

/** Deletes a project with its endpoints; delete_tenant follows, which no client can see any more. */
export function deleteProject(project: SimulatedProject): void {
  const [main] = project.branches;
  project.deletedAt = project.timeline.now;
  if (project.later !== undefined) project.later.meter.endedAt = project.deletedAt;
  for (const endpoint of liveEndpoints(project)) deleteEndpoint(endpoint);
  if (main === undefined) return;
  beginOperation(project, { action: 'delete_tenant', branchId: main.id, waitSeconds: 1, totalSeconds: 5 });
}

/** The projects that exist, by id: neither creation nor deletion disturbs this order while a client is paging. */
export function liveProjects(account: SimulatedAccount): SimulatedProject[] {
  return [...account.projects.values()]
    .filter(project => project.deletedAt === undefined)
    .sort((left, right) => (left.id < right.id ? -1 : 1));
}

/** Throws a 404 `Refusal` if there is none. */
export function findProject(account: SimulatedAccount, id: string): SimulatedProject {
  const project = account.projects.get(id);
  if (project === undefined || project.deletedAt !== undefined) {
    throw new Refusal(404, `there is no project ${id}; GET /projects lists the ones that exist`);
  }
  return project;
}

/** Throws a 404 `Refusal` if the project has none of this id. */
export function findBranch(project: SimulatedProject, id: string): Branch {
  const branch = project.branches.find(candidate => candidate.id === id);
  if (branch === undefined) throw new Refusal(404, `project ${project.id} has no branch ${id}`);
  return branch;
}

/** Throws a 404 `Refusal` if the project has none of this id. */
export function findEndpoint(project: SimulatedProject, id: string): SimulatedEndpoint {
  const endpoint = liveEndpoints(project).find(candidate => candidate.id === id);
  if (endpoint === undefined) {
    throw new Refusal(
      404,
      `project ${project.id} has no endpoint ${id}; list its endpoints to see the ones that exist`,
    );
  }
  return endpoint;
}

/** Throws a 404 `Refusal` if the project has none of this id. */
export function requireOperation(project: SimulatedProject, id: string): SimulatedOperation {
  const operation = findOperation(project, id);
  if (operation === undefined) {
    throw new Refusal(404, `project ${project.id} has no operation ${id}; list its operations to see them`);
  }
  return operation;
}
