import type { AccountView } from './account.ts';
import type { ApiKeyView } from './api-key.ts';
import { collectors } from './collector.ts';
import type { EndpointView } from './endpoint.ts';
import type { OperationTotals } from './operation.ts';
import type { ProjectView } from './project.ts';

const account = 'main';
const createdAt = Date.UTC(2026, 0, 1);

/** Operations of a project that has been in use for a while: starts, suspends, checks, and one failure. */
const operations: OperationTotals = {
  ended: [
    { action: 'create_timeline', status: 'finished', count: 1, lastEndedAt: createdAt },
    { action: 'start_compute', status: 'finished', count: 40, lastEndedAt: createdAt },
    { action: 'suspend_compute', status: 'finished', count: 40, lastEndedAt: createdAt },
    { action: 'check_availability', status: 'finished', count: 12, lastEndedAt: createdAt },
    { action: 'apply_config', status: 'failed', count: 1, lastEndedAt: createdAt },
  ],
  attemptFailures: [{ action: 'apply_config', count: 3 }],
  inProgress: [],
};

function typicalEndpoint(project_id: string, number: number): EndpointView {
  return {
    account,
    project_id,
    endpoint_id: `endpoint-${number}`,
    branch_id: 'main',
    type: 'read_write',
    current_state: 'idle',
    autoscaling_limit_min_cu: 0.25,
    autoscaling_limit_max_cu: 2,
    disabled: false,
    pooler_enabled: false,
    passwordless_access: true,
    last_active: createdAt,
    created_at: createdAt,
    updated_at: createdAt,
    starts: 40,
    suspends: 40,
    stateDurations: [
      { state: 'active', durationMs: 7_200_000 },
      { state: 'idle', durationMs: 86_400_000 },
    ],
  };
}

/** A project of which the service reports everything, at rest. */
export function typicalProject(endpoints: number): ProjectView {
  const project_id = 'project';
  return {
    account,
    project_id,
    project_name: 'project',
    locked: false,
    cpu_used_sec: 7200,
    branch_logical_size_limit: 3072,
    created_at: createdAt,
    updated_at: createdAt,
    cpuUsedSeconds: 14_400,
    cpuUsedResets: 1,
    lastRefreshAt: createdAt,
    endpoints: Array.from({ length: endpoints }, (_, index) => typicalEndpoint(project_id, index + 1)),
    operations,
  };
}

export const typicalKey: ApiKeyView = {
  account,
  key_id: '1',
  key_name: 'key',
  created_at: createdAt,
  last_used_at: createdAt,
  idleSinceAt: createdAt,
  stale: false,
  sourceAddressChanges: 0,
};

/** An account that is well, with nothing in it. */
export const typicalAccount: AccountView = {
  account,
  up: true,
  authOk: true,
  collectors: collectors.map(collector => ({
    collector,
    success: true,
    lastSuccessAt: createdAt,
    lastDurationMs: 250,
    errors: {},
  })),
  cpuUsedSeconds: 0,
  operationDurations: [],
  projects: [],
  api_keys: [],
};
