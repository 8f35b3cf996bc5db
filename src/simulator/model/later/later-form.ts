import type { SimulatedKey } from '../api-key.ts';
import { hasOperationEnded, progressAt } from '../operation.ts';
import type { SimulatedEndpoint, SimulatedOperation, SimulatedProject } from '../project.ts';
import { avalanche, hash } from '../random.ts';
import { formatSecond } from '../timestamp.ts';
import { type EndpointFields, showApiKey, showEndpoint, showOperation } from '../wire-form.ts';
import { personOf } from './person.ts';

/** An endpoint as an item of a list or an answer about it. */
export function showLaterEndpoint(endpoint: SimulatedEndpoint, fields: EndpointFields) {
  const { settings, startedAt, suspendedAt } = endpoint;
  const hasName = hash(endpoint.id, 'name') % 2 === 0;
  return {
    ...showEndpoint(endpoint, fields),
    suspend_timeout_seconds: settings.suspendTimeoutSeconds,
    ...(startedAt !== undefined && { started_at: formatSecond(startedAt) }),
    ...(suspendedAt !== undefined && { suspended_at: formatSecond(suspendedAt) }),
    ...(hasName && { name: `${endpoint.branch.name} endpoint` }),
    creation_source: 'console',
    compute_release_version: '7890',
  };
}

/** An operation as an item of a list or an answer about it; one that has not ended has lasted up to now. */
export function showLaterOperation(project: SimulatedProject, operation: SimulatedOperation) {
  const { now } = project.timeline;
  const { status, updatedAt } = progressAt(operation, now);
  const createdAt = Math.floor(operation.createdAtMicros / 1_000_000);
  const hasEnded = hasOperationEnded(operation);
  const part = avalanche(project.operationSalt + operation.sequence) % 1000;
  const isStuck = !hasEnded && status === 'scheduling' && operation.runsAt === Number.POSITIVE_INFINITY;
  return {
    ...showOperation(project, operation),
    total_duration_ms: hasEnded ? (updatedAt - createdAt) * 1000 + part : (now - createdAt) * 1000,
    ...(status === 'failed' && { error: `${operation.action}: timed out after several attempts` }),
    ...(isStuck && { retry_at: formatSecond(nextRetryAt(createdAt, now)) }),
  };
}

/** A key as an item of the list of keys. */
export function showLaterApiKey(seed: number, key: SimulatedKey) {
  return { ...showApiKey(key), created_by: personOf(seed, key.name) };
}

/** What is stuck is tried again every five minutes. */
function nextRetryAt(createdAt: number, now: number): number {
  return createdAt + (Math.floor((now - createdAt) / 300) + 1) * 300;
}
