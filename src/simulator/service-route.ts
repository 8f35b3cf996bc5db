import { type AnswerForm, answerFormOf } from './answer-form.ts';
import { consumptionRoutes } from './consumption-route.ts';
import { readEndpointRequest } from './endpoint-body.ts';
import { readText, required } from './field.ts';
import { findEndpoint, findProject, requireOperation, type SimulatedAccount } from './model/account.ts';
import { deleteEndpoint } from './model/endpoint-life.ts';
import { addEndpoint, updateEndpoint } from './model/endpoint-request.ts';
import { pageOperations } from './model/paging.ts';
import {
  liveEndpoints,
  type SimulatedEndpoint,
  type SimulatedOperation,
  type SimulatedProject,
} from './model/project.ts';
import { Refusal } from './model/refusal.ts';
import { type EndpointFields, showRevokedKey } from './model/wire-form.ts';
import { contractProjectRoutes, laterProjectRoutes } from './project-route.ts';
import { readLimit, showPagination } from './query.ts';
import type { Call, Route, RouteAnswer } from './router.ts';

export interface ServiceOptions {
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
    {
      method: 'POST',
      path: '/api_keys',
      answer({ body }) {
        const { id, secret } = keys.create(required(readText(body, 'key_name'), 'key_name'));
        return { status: form.keyCreated, body: { id, key: secret } };
      },
    },
    { method: 'GET', path: '/api_keys', answer: () => ok(keys.list().map(form.apiKey)) },
    {
      method: 'DELETE',
      path: '/api_keys/{key_id}',
      answer: call => ok(showRevokedKey(keys.revoke(readKeyId(call.param('key_id'))))),
    },
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
    { method: 'POST', path, answer: call => postEndpoint(account, form, call) },
    {
      method: 'GET',
      path,
      answer(call) {
        const endpoints = liveEndpoints(findProject(account, call.param('project_id')));
        return ok({ endpoints: endpoints.map(endpoint => form.endpoint(endpoint, inList)) });
      },
    },
    { method: 'PATCH', path: `${path}/{endpoint_id}`, answer: call => patchEndpoint(account, form, call) },
    {
      method: 'DELETE',
      path: `${path}/{endpoint_id}`,
      answer(call) {
        const endpoint = calledEndpoint(account, call);
        deleteEndpoint(endpoint);
        return ok({ endpoint: form.endpoint(endpoint, afterDeletion), operations: [] });
      },
    },
  ];
}

function postEndpoint(account: SimulatedAccount, form: AnswerForm, call: Call): RouteAnswer {
  const project = findProject(account, call.param('project_id'));
  const { branchId, change } = readEndpointRequest(call.body);
  const { endpoint, operations } = addEndpoint(account, project, required(branchId, 'branch_id'), change);
  const body = {
    endpoint: form.endpoint(endpoint, afterCreation),
    operations: showAll(form, project, operations),
  };
  return { status: 201, body };
}

function patchEndpoint(account: SimulatedAccount, form: AnswerForm, call: Call): RouteAnswer {
  const endpoint = calledEndpoint(account, call);
  const { branchId, change } = readEndpointRequest(call.body);
  if (branchId === undefined && Object.keys(change).length === 0) {
    throw new Refusal(400, 'endpoint must have branch_id or another attribute to change');
  }
  const { operations } = updateEndpoint(account, endpoint, branchId, change);
  return ok({
    endpoint: form.endpoint(endpoint, afterUpdate),
    operations: showAll(form, endpoint.project, operations),
  });
}

function calledEndpoint(account: SimulatedAccount, call: Call): SimulatedEndpoint {
  return findEndpoint(findProject(account, call.param('project_id')), call.param('endpoint_id'));
}

function operationRoutes(account: SimulatedAccount, form: AnswerForm): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/projects/{project_id}/operations',
      answer(call) {
        const project = findProject(account, call.param('project_id'));
        const limit = readLimit(call.query, largestOperationPage);
        const page = pageOperations(project, call.query.get('cursor') ?? undefined, limit);
        return ok({ operations: showAll(form, project, page.items), ...showPagination(page.cursor) });
      },
    },
    {
      method: 'GET',
      path: '/projects/{project_id}/operations/{operation_id}',
      answer(call) {
        const project = findProject(account, call.param('project_id'));
        return ok({
          operation: form.operation(project, requireOperation(project, call.param('operation_id'))),
        });
      },
    },
  ];
}

function ok(body: unknown): RouteAnswer {
  return { status: 200, body };
}

function showAll(form: AnswerForm, project: SimulatedProject, operations: readonly SimulatedOperation[]) {
  return operations.map(operation => form.operation(project, operation));
}

function readKeyId(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new Refusal(400, `the key id in the path must be an integer, not "${text}"`);
}
