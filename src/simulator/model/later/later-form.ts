import type { SimulatedKey } from '../api-key.ts';
import { hasOperationEnded, progressAt } from '../operation.ts';
import type { SimulatedEndpoint, SimulatedOperation, SimulatedProject } from '../project.ts';
import { avalanche, hash } from '../random.ts';
import { formatSecond } from '../timestamp.ts';
import { type EndpointFields, showApiKey, showEndpoint, showOperation } from '../wire-form.ts';

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

/** A person with access to an account. */
interface Person {
  readonly id: string;
  readonly name: string;
  /** Address of a picture. */
  readonly image: string;
}

const names = ['Ada Novak', 'Björn Öztürk', 'Chidi Okafor', 'Dana Levi'] as const;

/** The same person for the same word. */
export function personOf(seed: number, word: string): Person {
  const index = hash(seed, 'person', word) % names.length;
  const digits = [1, 2, 3, 4].map(part => hash(seed, index, part).toString(16).padStart(8, '0')).join('');
  const id = `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20)}`;
  return { id, name: names[index] ?? names[0], image: `https://avatars.example/${index}.png` };
}
