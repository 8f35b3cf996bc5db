import type { AccountView } from '../../src/resources/account.ts';
import type { EndpointView } from '../../src/resources/endpoint.ts';
import type { ProjectView } from '../../src/resources/project.ts';

const createdAt = Date.UTC(2026, 0, 1);

/** An endpoint with every field there is. */
export const sampleEndpoint: EndpointView = {
  account: 'main',
  project_id: 'shop',
  endpoint_id: 'ep-1',
  branch_id: 'br-1',
  region_id: 'eu-1',
  type: 'read_write',
  host: 'ep-1.example.test',
  proxy_host: 'eu-1.example.test',
  pooler_mode: 'transaction',
  current_state: 'idle',
  pending_state: 'active',
  autoscaling_limit_min_cu: 0.25,
  autoscaling_limit_max_cu: 4,
  disabled: false,
  pooler_enabled: true,
  passwordless_access: false,
  last_active: createdAt + 60_000,
  created_at: createdAt,
  updated_at: createdAt + 61_500,
  starts: 3,
  suspends: 2,
  stateDurations: [
    { state: 'active', durationMs: 90_500 },
    { state: 'idle', durationMs: 3_600_000 },
  ],
};

/** A project with every field there is and one endpoint. */
export const sampleProject: ProjectView = {
  account: 'main',
  project_id: 'shop',
  project_name: 'Shop "one"',
  platform_id: 'cloud',
  region_id: 'eu-1',
  provisioner: 'vm',
  pg_version: '16',
  proxy_host: 'eu-1.example.test',
  locked: false,
  cpu_used_sec: 120,
  branch_logical_size_limit: 3072,
  created_at: createdAt,
  updated_at: createdAt + 1000,
  cpuUsedSeconds: 5120,
  cpuUsedResets: 1,
  lastRefreshAt: createdAt + 90_250,
  endpoints: [sampleEndpoint],
  operations: {
    ended: [
      { action: 'start_compute', status: 'finished', count: 3, lastEndedAt: createdAt + 2000 },
      { action: 'apply_config', status: 'failed', count: 1, lastEndedAt: createdAt + 3000 },
    ],
    attemptFailures: [{ action: 'apply_config', count: 4 }],
    inProgress: [{ action: 'start_compute', status: 'running', count: 1 }],
    oldestInProgressAt: createdAt + 4000,
  },
};

/** An account with everything that can be known. */
export const sampleView: AccountView = {
  account: 'main',
  up: true,
  authOk: true,
  collectors: [
    {
      collector: 'projects',
      success: true,
      lastSuccessAt: createdAt + 90_000,
      lastDurationMs: 125,
      errors: { timeout: 2 },
    },
    { collector: 'endpoints', errors: {} },
    { collector: 'operations', success: false, lastDurationMs: 40, errors: { locked: 1 } },
    { collector: 'api_keys', success: true, lastSuccessAt: createdAt, lastDurationMs: 1, errors: {} },
  ],
  cpuUsedSeconds: 9000,
  operationDurations: [
    {
      action: 'start_compute',
      seconds: { cumulativeCounts: [1, 2, 3, 3, 3, 3, 3, 3, 3, 3], count: 3, sum: 6.5 },
    },
  ],
  projects: [sampleProject],
  api_keys: [
    {
      account: 'main',
      key_id: '7',
      key_name: 'ci',
      created_at: createdAt,
      last_used_at: createdAt + 5000,
      idleSinceAt: createdAt + 5000,
      stale: false,
      sourceAddressChanges: 2,
    },
  ],
};
