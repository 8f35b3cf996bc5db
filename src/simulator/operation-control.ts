import { readNumber, readText, required } from './field.ts';
import {
  findBranch,
  findEndpoint,
  findProject,
  liveProjects,
  requireOperation,
  type SimulatedAccount,
} from './model/account.ts';
import { changeOperation, findOperation, hasOperationEnded, recordOperation } from './model/operation.ts';
import { Refusal } from './model/refusal.ts';
import { showOperation } from './model/wire-form.ts';
import type { BodyFields } from './request-body.ts';
import type { Route } from './router.ts';

/** The control calls by which operations appear and end. */
export function operationControlRoutes(account: SimulatedAccount): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/operations',
      fields: ['project_id', 'endpoint_id', 'branch_id', 'action', 'status', 'failures_count'],
      answer: ({ body }) => ({ status: 201, body: addOperation(account, body) }),
    },
    {
      method: 'POST',
      path: '/operations/{id}',
      fields: ['status', 'failures_count'],
      answer(call) {
        const id = call.param('id');
        const project = liveProjects(account).find(candidate => findOperation(candidate, id) !== undefined);
        if (project === undefined) throw new Refusal(404, `there is no operation ${id}`);
        const operation = requireOperation(project, id);
        if (hasOperationEnded(operation))
          throw new Refusal(400, `operation ${id} has ended: it is ${operation.status}`);
        const failures = readFailures(call.body) ?? operation.failuresCount;
        changeOperation(project, operation, required(readText(call.body, 'status'), 'status'), failures);
        return { status: 200, body: showOperation(project, operation) };
      },
    },
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
