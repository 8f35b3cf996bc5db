import type { SimulatedKey } from './api-key.ts';
import { cpuUsedSeconds, lastActiveAt } from './endpoint.ts';
import { operationId, progressAt } from './operation.ts';
import type { SimulatedEndpoint, SimulatedOperation, SimulatedProject } from './project.ts';
import { formatSecond } from './timestamp.ts';

/** A project as an item of the list of projects. */
export function showProject(project: SimulatedProject) {
  return {
    id: project.id,
    name: project.name,
    platform_id: project.platformId,
    region_id: project.regionId,
    provisioner: 'k8s-pod',
    pg_version: project.pgVersion,
    locked: false,
    cpu_used_sec: cpuUsedSeconds(project),
    branch_logical_size_limit: 204_800,
    proxy_host: proxyHost(project),
    created_at: formatSecond(project.createdAt),
    updated_at: formatSecond(project.updatedAt),
  };
}

/** The fields of an endpoint that an answer has: "present in … absent in …" of the specification's table. */
export interface EndpointFields {
  readonly pendingState: 'always' | 'during transitions' | 'never';
  readonly lastActive: boolean;
}

/** An endpoint as an item of a list or an answer about it. */
export function showEndpoint(endpoint: SimulatedEndpoint, fields: EndpointFields) {
  const { project, settings, state, pendingState } = endpoint;
  const showsPending =
    fields.pendingState === 'always' ||
    (fields.pendingState === 'during transitions' && pendingState !== undefined);
  return {
    id: endpoint.id,
    host: `${endpoint.id}.${proxyHost(project)}`,
    project_id: project.id,
    branch_id: endpoint.branch.id,
    region_id: project.regionId,
    type: 'read_write',
    autoscaling_limit_min_cu: settings.minCu,
    autoscaling_limit_max_cu: settings.maxCu,
    current_state: state,
    ...(showsPending && { pending_state: pendingState ?? state }),
    settings: { pg_settings: settings.pgSettings },
    pooler_enabled: settings.poolerEnabled,
    pooler_mode: settings.poolerMode,
    disabled: settings.disabled,
    passwordless_access: settings.passwordlessAccess,
    ...(fields.lastActive && { last_active: formatSecond(lastActiveAt(endpoint)) }),
    created_at: formatSecond(endpoint.createdAt),
    updated_at: formatSecond(endpoint.updatedAt),
    proxy_host: proxyHost(project),
  };
}

/** An operation as an item of a list or an answer about it. */
export function showOperation(project: SimulatedProject, operation: SimulatedOperation) {
  const { status, updatedAt } = progressAt(operation, project.timeline.now);
  return {
    id: operationId(project, operation),
    project_id: project.id,
    branch_id: operation.branchId,
    ...(operation.endpoint && { endpoint_id: operation.endpoint.id }),
    action: operation.action,
    status,
    failures_count: operation.failuresCount,
    created_at: formatSecond(Math.floor(operation.createdAtMicros / 1_000_000)),
    updated_at: formatSecond(updatedAt),
  };
}

/** A key as an item of the list of keys; the secret is never in it. */
export function showApiKey(key: SimulatedKey) {
  return { id: key.id, name: key.name, created_at: formatSecond(key.createdAt), ...showUse(key) };
}

/** A key as the answer to its revocation. */
export function showRevokedKey(key: SimulatedKey) {
  return { id: key.id, name: key.name, revoked: true, ...showUse(key) };
}

function showUse({ lastUsedAt, lastUsedFromAddr }: SimulatedKey) {
  return {
    last_used_at: lastUsedAt === undefined ? null : formatSecond(lastUsedAt),
    last_used_from_addr: lastUsedFromAddr,
  };
}

function proxyHost({ regionId }: SimulatedProject): string {
  return `${regionId}.db.example`;
}
