import { type Faults, faultFields } from './faults.ts';
import { laterControlRoutes } from './later-control.ts';
import {
  addBranch,
  createProject,
  deleteProject,
  findBranch,
  findEndpoint,
  findProject,
  liveProjects,
  requireOperation,
  type SimulatedAccount,
} from './model/account.ts';
import { drawBranch, drawProject } from './model/blueprint.ts';
import { setCpuUsed } from './model/endpoint.ts';
import { connect } from './model/endpoint-life.ts';
import { changeOperation, findOperation, hasOperationEnded, recordOperation } from './model/operation.ts';
import { liveEndpoints, type SimulatedProject } from './model/project.ts';
import { Refusal } from './model/refusal.ts';
import { formatSecond } from './model/timestamp.ts';
import { type Profile, profiles } from './model/traffic.ts';
import { describeTruth } from './model/truth.ts';
import { type EndpointFields, showEndpoint, showOperation, showProject } from './model/wire-form.ts';
import { type BodyFields, readFlag, readNumber, readText, required } from './request-body.ts';
import { get, post, type Route, remove } from './router.ts';

/** The parts of the simulator that the control calls act on. */
interface Controls {
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
    get('/truth', () => describeTruth(account)),
    get('/faults', () => ({ faults: faults.list() })),
    post('/faults', { status: 201, fields: faultFields }, ({ body }) => faults.add(body)),
    remove('/faults', () => {
      faults.clear();
      return { faults: [] };
    }),
    post('/advance', { fields: ['seconds'] }, ({ body }) => {
      advance(required(readNumber(body, 'seconds', { minimum: 0, maximum: 366 * day }), 'seconds'));
      return { now: formatSecond(account.timeline.now) };
    }),
  ];
}

function projectRoutes(account: SimulatedAccount): readonly Route[] {
  return [
    post('/projects', { status: 201, fields: ['name', 'branches', 'profile'] }, ({ body }) =>
      showWhole(addProject(account, body)),
    ),
    remove('/projects/{id}', call => {
      const project = findProject(account, call.param('id'));
      deleteProject(project);
      return showProject(project);
    }),
    post('/projects/{id}/cpu', { fields: ['cpu_used_sec'] }, call => {
      const project = findProject(account, call.param('id'));
      const seconds = readNumber(call.body, 'cpu_used_sec', {
        minimum: 0,
        maximum: largestCpuSeconds,
        whole: true,
      });
      setCpuUsed(project, required(seconds, 'cpu_used_sec'));
      return showProject(project);
    }),
  ];
}

function branchRoutes(account: SimulatedAccount): readonly Route[] {
  return [
    post('/projects/{id}/branches', { status: 201, fields: ['name', 'endpoint'] }, call => {
      const project = findProject(account, call.param('id'));
      const name = readText(call.body, 'name') ?? `branch-${project.branches.length + 1}`;
      const blueprint = drawBranch(project.random, name, 'quiet', account.plan);
      const withEndpoint = readFlag(call.body, 'endpoint') ?? true;
      return addBranch(account, project, blueprint, { withEndpoint });
    }),
    post('/endpoints/{id}/connect', { fields: ['seconds'] }, call => {
      const endpoint = findAnyEndpoint(account, call.param('id'));
      const seconds = readNumber(call.body, 'seconds', { minimum: 0, maximum: 366 * day, whole: true });
      if (endpoint.settings.disabled) {
        throw new Refusal(400, `endpoint ${endpoint.id} is disabled: PATCH disabled to false first`);
      }
      connect(endpoint, required(seconds, 'seconds'));
      return showEndpoint(endpoint, allFields);
    }),
  ];
}

/** A project whose endpoints have only clients that connect through `/_sim`, unless a profile is asked for. */
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

/** The control calls by which operations appear and end. */
function operationControlRoutes(account: SimulatedAccount): readonly Route[] {
  return [
    post(
      '/operations',
      {
        status: 201,
        fields: ['project_id', 'endpoint_id', 'branch_id', 'action', 'status', 'failures_count'],
      },
      ({ body }) => addOperation(account, body),
    ),
    post('/operations/{id}', { fields: ['status', 'failures_count'] }, call => {
      const id = call.param('id');
      const project = liveProjects(account).find(candidate => findOperation(candidate, id) !== undefined);
      if (project === undefined) throw new Refusal(404, `there is no operation ${id}`);
      const operation = requireOperation(project, id);
      if (hasOperationEnded(operation))
        throw new Refusal(400, `operation ${id} has ended: it is ${operation.status}`);
      const failures = readFailures(call.body) ?? operation.failuresCount;
      changeOperation(project, operation, required(readText(call.body, 'status'), 'status'), failures);
      return showOperation(project, operation);
    }),
  ];
}

/** Words are open sets, as seen on live services: any action and status is taken. It is a record without an effect. */
function addOperation(account: SimulatedAccount, body: BodyFields) {
  const project = findProject(account, required(readText(body, 'project_id'), 'project_id'));
  const endpointId = readText(body, 'endpoint_id');
  const endpoint = endpointId === undefined ? undefined : findEndpoint(project, endpointId);
  const branchId = readText(body, 'branch_id');
  const branch =
    branchId === undefined ? (endpoint?.branch ?? project.branches[0]) : findBranch(project, branchId);
  const operation = recordOperation(project, {
    action: required(readText(body, 'action'), 'action'),
    branchId: branch?.id ?? '',
    status: readText(body, 'status') ?? 'finished',
    runsAt: Number.POSITIVE_INFINITY,
    failuresCount: readFailures(body) ?? 0,
    ...(endpoint && { endpoint }),
  });
  return showOperation(project, operation);
}

function readFailures(body: BodyFields): number | undefined {
  return readNumber(body, 'failures_count', { minimum: 0, whole: true });
}
