import { type Faults, faultFields } from './faults.ts';
import { readFlag, readNumber, readText, required } from './field.ts';
import { laterControlRoutes } from './later-control.ts';
import {
  addBranch,
  createProject,
  deleteProject,
  findEndpoint,
  findProject,
  liveProjects,
  type SimulatedAccount,
} from './model/account.ts';
import { drawBranch, drawProject } from './model/blueprint.ts';
import { setCpuUsed } from './model/cpu-usage.ts';
import { connect } from './model/endpoint-life.ts';
import { liveEndpoints, type SimulatedProject } from './model/project.ts';
import { Refusal } from './model/refusal.ts';
import { formatSecond } from './model/timestamp.ts';
import { type Profile, profiles } from './model/traffic.ts';
import { describeTruth } from './model/truth.ts';
import { type EndpointFields, showEndpoint, showOperation, showProject } from './model/wire-form.ts';
import { operationControlRoutes } from './operation-control.ts';
import type { BodyFields } from './request-body.ts';
import type { Route } from './router.ts';

/** The parts of the simulator that the control calls act on. */
export interface Controls {
  readonly account: SimulatedAccount;
  readonly faults: Faults;
  /** Moves the virtual clock forward. */
  readonly advance: (seconds: number) => void;
}

const day = 86_400;

/** Leaves room to count on from it in whole numbers that JSON can carry. */
const largestCpuSeconds = 2 ** 52;

const allFields: EndpointFields = { pendingState: 'always', lastActive: true };

/** The calls that steer the simulated service, on paths below `/_sim`. */
export function controlRoutes(controls: Controls): readonly Route[] {
  const { account } = controls;
  return [
    ...worldRoutes(controls),
    ...projectRoutes(account),
    ...branchRoutes(account),
    ...operationControlRoutes(account),
    ...laterControlRoutes(account),
  ];
}

function worldRoutes({ account, faults, advance }: Controls): readonly Route[] {
  return [
    { method: 'GET', path: '/truth', answer: () => ({ status: 200, body: describeTruth(account) }) },
    { method: 'GET', path: '/faults', answer: () => ({ status: 200, body: { faults: faults.list() } }) },
    {
      method: 'POST',
      path: '/faults',
      fields: faultFields,
      answer: ({ body }) => ({ status: 201, body: faults.add(body) }),
    },
    {
      method: 'DELETE',
      path: '/faults',
      answer() {
        faults.clear();
        return { status: 200, body: { faults: [] } };
      },
    },
    {
      method: 'POST',
      path: '/advance',
      fields: ['seconds'],
      answer({ body }) {
        advance(required(readNumber(body, 'seconds', { minimum: 0, maximum: 366 * day }), 'seconds'));
        return { status: 200, body: { now: formatSecond(account.timeline.now) } };
      },
    },
  ];
}

function projectRoutes(account: SimulatedAccount): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/projects',
      fields: ['name', 'branches', 'profile'],
      answer: ({ body }) => ({ status: 201, body: showWhole(addProject(account, body)) }),
    },
    {
      method: 'DELETE',
      path: '/projects/{id}',
      answer(call) {
        const project = findProject(account, call.param('id'));
        deleteProject(project);
        return { status: 200, body: showProject(project) };
      },
    },
    {
      method: 'POST',
      path: '/projects/{id}/cpu',
      fields: ['cpu_used_sec'],
      answer(call) {
        const project = findProject(account, call.param('id'));
        const seconds = readNumber(call.body, 'cpu_used_sec', {
          minimum: 0,
          maximum: largestCpuSeconds,
          whole: true,
        });
        setCpuUsed(project, required(seconds, 'cpu_used_sec'));
        return { status: 200, body: showProject(project) };
      },
    },
  ];
}

function branchRoutes(account: SimulatedAccount): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/projects/{id}/branches',
      fields: ['name', 'endpoint'],
      answer(call) {
        const project = findProject(account, call.param('id'));
        const name = readText(call.body, 'name') ?? `branch-${project.branches.length + 1}`;
        const blueprint = drawBranch(project.random, name, 'quiet', account.plan);
        const withEndpoint = readFlag(call.body, 'endpoint') ?? true;
        return { status: 201, body: addBranch(account, project, blueprint, { withEndpoint }) };
      },
    },
    {
      method: 'POST',
      path: '/endpoints/{id}/connect',
      fields: ['seconds'],
      answer(call) {
        const endpoint = findAnyEndpoint(account, call.param('id'));
        const seconds = readNumber(call.body, 'seconds', { minimum: 0, maximum: 366 * day, whole: true });
        if (endpoint.settings.disabled) {
          throw new Refusal(400, `endpoint ${endpoint.id} is disabled: PATCH disabled to false first`);
        }
        connect(endpoint, required(seconds, 'seconds'));
        return { status: 200, body: showEndpoint(endpoint, allFields) };
      },
    },
  ];
}

/** A project whose endpoints have no clients but those that connect through `/_sim`, unless a profile is asked for. */
function addProject(account: SimulatedAccount, body: BodyFields): SimulatedProject {
  const name = readText(body, 'name');
  const branches = readNumber(body, 'branches', { minimum: 1, maximum: 100, whole: true });
  const profile = readText(body, 'profile') ?? 'quiet';
  if (!isProfile(profile)) {
    throw new Refusal(400, `profile must be one of ${profiles.join(', ')}, not ${profile}`);
  }
  const given = { branches: branches ?? 1, profile, ...(name && { name }) };
  return createProject(
    account,
    drawProject(account.seed, 'added', account.projects.size, account.plan, given),
  );
}

function showWhole(project: SimulatedProject) {
  return {
    ...showProject(project),
    branches: project.branches,
    endpoints: liveEndpoints(project).map(endpoint => showEndpoint(endpoint, allFields)),
    operations: project.operations.map(operation => showOperation(project, operation)),
  };
}

function isProfile(word: string): word is Profile {
  return (profiles as readonly string[]).includes(word);
}

function findAnyEndpoint(account: SimulatedAccount, id: string) {
  const project = liveProjects(account).find(({ endpoints }) =>
    endpoints.some(endpoint => endpoint.id === id),
  );
  if (project === undefined) throw new Refusal(404, `there is no endpoint ${id}`);
  return findEndpoint(project, id);
}
