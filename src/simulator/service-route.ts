import { consumptionRoutes } from './consumption-route.ts';
import { findEndpoint, findProject, requireOperation, type SimulatedAccount } from './model/account.ts';
import type { SimulatedKey } from './model/api-key.ts';
import { deleteEndpoint } from './model/endpoint-life.ts';
import { addEndpoint, type EndpointChange, updateEndpoint } from './model/endpoint-request.ts';
import { showLaterApiKey, showLaterEndpoint, showLaterOperation } from './model/later/later-form.ts';
import { pageOperations } from './model/paging.ts';
import {
  liveEndpoints,
  type SimulatedEndpoint,
  type SimulatedOperation,
  type SimulatedProject,
} from './model/project.ts';
import { Refusal } from './model/refusal.ts';
import {
  type EndpointFields,
  showApiKey,
  showEndpoint,
  showOperation,
  showRevokedKey,
} from './model/wire-form.ts';
import { contractProjectRoutes, laterProjectRoutes } from './project-route.ts';
import { readLimit, showPagination } from './query.ts';
import { type BodyFields, readFlag, readNumber, readObject, readText, required } from './request-body.ts';
import { type Call, get, post, type Route, remove } from './router.ts';

interface ServiceOptions {
  /** How many projects a call without `limit` gets; absent for all of them, unpaged. */
  readonly pageProjects?: number | undefined;
  /** Shows `pending_state` in lists while there is one, as seen on live services. */
  readonly pendingInLists: boolean;
  /** Throws a `Refusal` when the account has asked for consumption too often. */
  readonly limitConsumption: () => void;
}

const largestOperationPage = 1000;
const afterCreation: EndpointFields = { pendingState: 'always', lastActive: false };
const afterUpdate: EndpointFields = { pendingState: 'always', lastActive: true };
const afterDeletion: EndpointFields = { pendingState: 'never', lastActive: true };

/** The calls of the specification, on paths below `/api/v2`. */
export function serviceRoutes(account: SimulatedAccount, options: ServiceOptions): readonly Route[] {
  const form = answerFormOf(account);
  const projectRoutes = account.later === undefined ? contractProjectRoutes : laterProjectRoutes;
  return [
    ...keyRoutes(account, form),
    ...endpointRoutes(account, form, options),
    ...projectRoutes(account, options.pageProjects),
    ...operationRoutes(account, form),
    ...consumptionRoutes(account, options.limitConsumption),
  ];
}

function keyRoutes({ keys }: SimulatedAccount, form: AnswerForm): readonly Route[] {
  return [
    post('/api_keys', { status: form.keyCreated }, ({ body }) => {
      const { id, secret } = keys.create(required(readText(body, 'key_name'), 'key_name'));
      return { id, key: secret };
    }),
    get('/api_keys', () => keys.list().map(form.apiKey)),
    remove('/api_keys/{key_id}', call => showRevokedKey(keys.revoke(readKeyId(call.param('key_id'))))),
  ];
}

function endpointRoutes(
  account: SimulatedAccount,
  form: AnswerForm,
  { pendingInLists }: ServiceOptions,
): readonly Route[] {
  const path = '/projects/{project_id}/endpoints';
  const inList: EndpointFields = {
    pendingState: pendingInLists ? 'during transitions' : 'never',
    lastActive: true,
  };
  return [
    post(path, { status: 201 }, call => postEndpoint(account, form, call)),
    get(path, call => {
      const endpoints = liveEndpoints(findProject(account, call.param('project_id')));
      return { endpoints: endpoints.map(endpoint => form.endpoint(endpoint, inList)) };
    }),
    { method: 'PATCH', path: `${path}/{endpoint_id}`, answer: call => patchEndpoint(account, form, call) },
    remove(`${path}/{endpoint_id}`, call => {
      const endpoint = calledEndpoint(account, call);
      deleteEndpoint(endpoint);
      return { endpoint: form.endpoint(endpoint, afterDeletion), operations: [] };
    }),
  ];
}

function postEndpoint(account: SimulatedAccount, form: AnswerForm, call: Call) {
  const project = findProject(account, call.param('project_id'));
  const { branchId, change } = readEndpointRequest(call.body);
  const { endpoint, operations } = addEndpoint(account, project, required(branchId, 'branch_id'), change);
  return {
    endpoint: form.endpoint(endpoint, afterCreation),
    operations: showAll(form, project, operations),
  };
}

function patchEndpoint(account: SimulatedAccount, form: AnswerForm, call: Call) {
  const endpoint = calledEndpoint(account, call);
  const { branchId, change } = readEndpointRequest(call.body);
  if (branchId === undefined && Object.keys(change).length === 0) {
    throw new Refusal(400, 'endpoint must have branch_id or another attribute to change');
  }
  const { operations } = updateEndpoint(account, endpoint, branchId, change);
  return {
    endpoint: form.endpoint(endpoint, afterUpdate),
    operations: showAll(form, endpoint.project, operations),
  };
}

function calledEndpoint(account: SimulatedAccount, call: Call): SimulatedEndpoint {
  return findEndpoint(findProject(account, call.param('project_id')), call.param('endpoint_id'));
}

function operationRoutes(account: SimulatedAccount, form: AnswerForm): readonly Route[] {
  return [
    get('/projects/{project_id}/operations', call => {
      const project = findProject(account, call.param('project_id'));
      const limit = readLimit(call.query, largestOperationPage);
      const page = pageOperations(project, call.query.get('cursor') ?? undefined, limit);
      return { operations: showAll(form, project, page.items), ...showPagination(page.cursor) };
    }),
    get('/projects/{project_id}/operations/{operation_id}', call => {
      const project = findProject(account, call.param('project_id'));
      return {
        operation: form.operation(project, requireOperation(project, call.param('operation_id'))),
      };
    }),
  ];
}

function showAll(form: AnswerForm, project: SimulatedProject, operations: readonly SimulatedOperation[]) {
  return operations.map(operation => form.operation(project, operation));
}

function readKeyId(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new Refusal(400, `the key id in the path must be an integer, not "${text}"`);
}

/** How what all versions of the service have looks in the answers of one of them. */
interface AnswerForm {
  readonly endpoint: (endpoint: SimulatedEndpoint, fields: EndpointFields) => unknown;
  readonly operation: (project: SimulatedProject, operation: SimulatedOperation) => unknown;
  readonly apiKey: (key: SimulatedKey) => unknown;
  /** The status of the answer to the creation of a key. */
  readonly keyCreated: number;
}

function answerFormOf({ later, seed }: SimulatedAccount): AnswerForm {
  if (later === undefined) {
    return { endpoint: showEndpoint, operation: showOperation, apiKey: showApiKey, keyCreated: 201 };
  }
  return {
    endpoint: showLaterEndpoint,
    operation: showLaterOperation,
    apiKey: key => showLaterApiKey(seed, key),
    keyCreated: 200,
  };
}

interface EndpointRequest {
  readonly branchId: string | undefined;
  readonly change: EndpointChange;
}

/**
 * Reads `{ endpoint: … }` of a create or update. The specification does not show how attributes other than branch_id
 * and type are called: they have the names of the response fields here. Throws a 400 `Refusal`.
 */
function readEndpointRequest(body: BodyFields): EndpointRequest {
  const endpoint = required(readObject(body, 'endpoint'), 'endpoint');
  const type = readText(endpoint, 'type');
  if (type !== undefined && type !== 'read_write') {
    throw new Refusal(400, `type must be read_write, the only one that is supported, not ${type}`);
  }
  const settings = readObject(endpoint, 'settings');
  const change = {
    minCu: readNumber(endpoint, 'autoscaling_limit_min_cu'),
    maxCu: readNumber(endpoint, 'autoscaling_limit_max_cu'),
    suspendTimeoutSeconds: readNumber(endpoint, 'suspend_timeout_seconds'),
    disabled: readFlag(endpoint, 'disabled'),
    poolerEnabled: readFlag(endpoint, 'pooler_enabled'),
    poolerMode: readText(endpoint, 'pooler_mode'),
    passwordlessAccess: readFlag(endpoint, 'passwordless_access'),
    pgSettings: settings && readObject(settings, 'pg_settings'),
  };
  return { branchId: readText(endpoint, 'branch_id'), change: withoutAbsent(change) };
}

function withoutAbsent(
  change: { [K in keyof EndpointChange]: EndpointChange[K] | undefined },
): EndpointChange {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}
