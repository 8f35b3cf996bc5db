import type { AccountView } from '../../resources/account.ts';
import type { ApiKeyView } from '../../resources/api-key.ts';
import { collectors, optionalCollectors } from '../../resources/collector.ts';
import { dayMs } from '../../resources/duration.ts';
import type { EndpointView } from '../../resources/endpoint.ts';
import { type MeterAmounts, meterMetrics } from '../../resources/meter.ts';
import type { OperationTotals } from '../../resources/operation.ts';
import type { ProjectView } from '../../resources/project.ts';
import type { AccountUsage, ForecastBounds } from '../../resources/usage/view.ts';

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
      { state: 'idle', durationMs: dayMs },
    ],
  };
}

/** A project at rest, with everything that the service reports. */
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

/** Of each thing that the service meters a little. */
export const typicalMeter: MeterAmounts = Object.fromEntries(meterMetrics.map(metric => [metric, 1000]));

/** An account that is well, with nothing in it. */
export const typicalAccount: AccountView = {
  account,
  up: true,
  authOk: true,
  collectors: [...collectors, ...optionalCollectors].map(collector => ({
    collector,
    success: true,
    lastSuccessAt: createdAt,
    lastDurationMs: 250,
    errors: {},
  })),
  importsLeft: 0,
  implausible: {},
  cpuUsedSeconds: 0,
  operationDurations: [],
  projects: [],
  api_keys: [],
};

const bounds: ForecastBounds = { expected: 9000, low80: 8000, high80: 10_000, low95: 7000, high95: 11_000 };

/** An account's projects, as far as it decides what is worked out of their use. */
interface TypicalFleet {
  readonly projects: number;
  readonly isPriced: boolean;
  /** Whether something that is metered has a price. */
  readonly isMeterPriced?: boolean;
  readonly isMetered?: boolean;
}

/** The usage of an account with a number of projects, watched for months; in no group, and without a finding. */
export function typicalUsage({
  projects,
  isPriced,
  isMeterPriced = false,
  isMetered = false,
}: TypicalFleet): AccountUsage {
  const lineCosts = (['compute', 'storage', 'transfer'] as const).map(line => ({ line, cost: 4 }));
  const priced = {
    currency: 'EUR',
    cost: 12,
    costTotal: 24,
    unpricedComputeSeconds: 0,
    unpricedComputeSecondsTotal: 0,
  };
  return {
    account,
    ...(isPriced && priced),
    ...(isMeterPriced && { lineCosts }),
    ...(isMetered && {
      ledgers: { fromAt: createdAt, meteredComputeSeconds: 3600, reportedComputeSeconds: 3600, drifting: [] },
    }),
    knownUntilAt: createdAt,
    period: { fromAt: createdAt, untilAt: Date.UTC(2026, 1, 1) },
    computeSeconds: 7200,
    unattributedComputeSeconds: 0,
    reconstruction: {
      reportedComputeSeconds: 3600,
      lowerComputeSeconds: 3600,
      upperComputeSeconds: 3600,
    },
    forecast: {
      computeSeconds: bounds,
      ...(isPriced && { cost: bounds }),
      quality: { meanError: 0.05, runRateMeanError: 0.1, coverage80: 0.8 },
    },
    groups: [],
    projects: Array.from({ length: projects }, (_, index) => ({
      account,
      project_id: `project-${index + 1}`,
      ...(isPriced && { currency: 'EUR', cost: 1 }),
      ...(isMeterPriced && { lineCosts }),
    })),
    findings: [],
  };
}
