import { readEndpointRequest } from './endpoint-body.ts';
import { readText, required } from './field.ts';
import {
  findEndpoint,
  findProject,
  liveProjects,
  requireOperation,
  type SimulatedAccount,
} from './model/account.ts';
import { deleteEndpoint } from './model/endpoint-life.ts';
import { addEndpoint, updateEndpoint } from './model/endpoint-request.ts';
import { pageOperations, pageProjects } from './model/paging.ts';
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
  showProject,
  showRevokedKey,
} from './model/wire-form.ts';
import type { Call, Route, RouteAnswer } from './router.ts';

export interface ServiceOptions {
  /** How many projects a call without `limit` gets; absent for all of them, unpaged. */
  readonly pageProjects?: number | undefined;
  /** Shows `pending_state` in lists while there is one, as seen on live services. */
  readonly pendingInLists: boolean;
}

const largestProjectPage = 400;
const largestOperationPage = 1000;
const afterCreation: EndpointFields = { pendingState: 'always', lastActive: false };
const afterUpdate: EndpointFields = { pendingState: 'always', lastActive: true };
const afterDeletion: EndpointFields = { pendingState: 'never', lastActive: true };

/** The calls of the specification, on paths below `/api/v2`. */
export function serviceRoutes(account: SimulatedAccount, options: ServiceOptions): readonly Route[] {
  return [...keyRoutes(account), ...endpointRoutes(account, options), ...listRoutes(account, options)];
}

function keyRoutes({ keys }: SimulatedAccount): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/api_keys',
      answer({ body }) {
        const { id, secret } = keys.create(required(readText(body, 'key_name'), 'key_name'));
        return { status: 201, body: { id, key: secret } };
      },
    },
    { method: 'GET', path: '/api_keys', answer: () => ok(keys.list().map(showApiKey)) },
    {
      method: 'DELETE',
      path: '/api_keys/{key_id}',
      answer: call => ok(showRevokedKey(keys.revoke(readKeyId(call.param('key_id'))))),
    },
  ];
}

function endpointRoutes(account: SimulatedAccount, { pendingInLists }: ServiceOptions): readonly Route[] {
  const path = '/projects/{project_id}/endpoints';
  const inList: EndpointFields = {
    pendingState: pendingInLists ? 'during transitions' : 'never',
    lastActive: true,
  };
  return [
    { method: 'POST', path, answer: call => postEndpoint(account, call) },
    {
      method: 'GET',
      path,
      answer(call) {
        const endpoints = liveEndpoints(findProject(account, call.param('project_id')));
        return ok({ endpoints: endpoints.map(endpoint => showEndpoint(endpoint, inList)) });
      },
    },
    { method: 'PATCH', path: `${path}/{endpoint_id}`, answer: call => patchEndpoint(account, call) },
    {
      method: 'DELETE',
      path: `${path}/{endpoint_id}`,
      answer(call) {
        const endpoint = calledEndpoint(account, call);
        deleteEndpoint(endpoint);
        return ok({ endpoint: showEndpoint(endpoint, afterDeletion), operations: [] });
      },
    },
  ];
}

function postEndpoint(account: SimulatedAccount, call: Call): RouteAnswer {
  const project = findProject(account, call.param('project_id'));
  const { branchId, change } = readEndpointRequest(call.body);
  const { endpoint, operations } = addEndpoint(account, project, required(branchId, 'branch_id'), change);
  const body = { endpoint: showEndpoint(endpoint, afterCreation), operations: showAll(project, operations) };
  return { status: 201, body };
}

function patchEndpoint(account: SimulatedAccount, call: Call): RouteAnswer {
  const endpoint = calledEndpoint(account, call);
  const { branchId, change } = readEndpointRequest(call.body);
  if (branchId === undefined && Object.keys(change).length === 0) {
    throw new Refusal(400, 'endpoint must have branch_id or another attribute to change');
  }
  const { operations } = updateEndpoint(account, endpoint, branchId, change);
  return ok({
    endpoint: showEndpoint(endpoint, afterUpdate),
    operations: showAll(endpoint.project, operations),
  });
}

function calledEndpoint(account: SimulatedAccount, call: Call): SimulatedEndpoint {
  return findEndpoint(findProject(account, call.param('project_id')), call.param('endpoint_id'));
}

function listRoutes(account: SimulatedAccount, options: ServiceOptions): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/projects',
      answer({ query }) {
        const limit = readLimit(query, Number.POSITIVE_INFINITY) ?? options.pageProjects;
        const cursor = query.get('cursor') ?? undefined;
        const projects = liveProjects(account);
        if (limit === undefined && cursor === undefined) return ok({ projects: projects.map(showProject) });
        const page = pageProjects(
          projects,
          cursor,
          Math.min(limit ?? largestProjectPage, largestProjectPage),
        );
        return ok({ projects: page.items.map(showProject), ...showPagination(page.cursor) });
      },
    },
    {
      method: 'GET',
      path: '/projects/{project_id}/operations',
      answer(call) {
        const project = findProject(account, call.param('project_id'));
        const limit = readLimit(call.query, largestOperationPage);
        const page = pageOperations(project, call.query.get('cursor') ?? undefined, limit);
        return ok({ operations: showAll(project, page.items), ...showPagination(page.cursor) });
      },
    },
    {
      method: 'GET',
      path: '/projects/{project_id}/operations/{operation_id}',
      answer(call) {
        const project = findProject(account, call.param('project_id'));
        return ok({
          operation: showOperation(project, requireOperation(project, call.param('operation_id'))),
        });
      },
    },
  ];
}

function ok(body: unknown): RouteAnswer {
  return { status: 200, body };
}

function showAll(project: SimulatedProject, operations: readonly SimulatedOperation[]) {
  return operations.map(operation => showOperation(project, operation));
}

function showPagination(cursor: string | undefined) {
  return cursor === undefined ? {} : { pagination: { cursor } };
}

function readLimit(query: URLSearchParams, maximum: number): number | undefined {
  const text = query.get('limit');
  if (text === null) return undefined;
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= maximum) return limit;
  const range = Number.isFinite(maximum) ? `from 1 to ${maximum}` : 'from 1';
  throw new Refusal(400, `limit must be a whole number ${range}, not "${text}"`);
}

function readKeyId(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new Refusal(400, `the key id in the path must be an integer, not "${text}"`);
}
