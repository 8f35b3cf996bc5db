import {
  declareItem,
  type ItemOf,
  later,
  laterInstant,
  laterSuspendTimeout,
  specified,
  vital,
} from './declared-field.ts';
import { bit, bitIfSet, declareFor, endpointLabels, seconds } from './family.ts';
import { asFlag, asIdentifier, asInstant, asNumber, asText, asUseInstant, asWord } from './field.ts';
import type { ListDefinition } from './list-definition.ts';

/** States the specification and its console name; others pass through as they come. */
export const knownStates = ['init', 'active', 'idle', 'stopped'] as const;

export const endpointItem = declareItem('endpoint_id', {
  branch_id: specified('branch_id', asIdentifier),
  region_id: specified('region_id', asText, { isShared: true }),
  type: specified('type', asText, { isShared: true }),
  host: specified('host', asText),
  proxy_host: specified('proxy_host', asText, { isShared: true }),
  pooler_mode: specified('pooler_mode', asText, { isShared: true }),
  current_state: specified('current_state', asWord, { isShared: true }),
  pending_state: specified('pending_state', asWord, { isShared: true }),
  autoscaling_limit_min_cu: vital('autoscaling_limit_min_cu', asNumber),
  autoscaling_limit_max_cu: vital('autoscaling_limit_max_cu', asNumber),
  disabled: specified('disabled', asFlag),
  pooler_enabled: specified('pooler_enabled', asFlag),
  passwordless_access: specified('passwordless_access', asFlag),
  last_active: vital('last_active', asUseInstant),
  created_at: vital('created_at', asInstant),
  updated_at: vital('updated_at', asInstant),
  suspend_timeout_seconds: later('suspend_timeout_seconds', laterSuspendTimeout, { remembers: 'changes' }),
  // The state ledger is kept with these at every poll.
  started_at: later('started_at', laterInstant, { isColumn: true }),
  suspended_at: later('suspended_at', laterInstant, { isColumn: true }),
});

/** A compute endpoint as the list of a project's endpoints reports it; instants in epoch milliseconds. */
export type Endpoint = ItemOf<typeof endpointItem>;

export const endpointList: ListDefinition<Endpoint> = {
  route: '/projects/{project_id}/endpoints',
  itemsKey: 'endpoints',
  decode: endpointItem.decode,
  identify: endpoint => endpoint.endpoint_id,
};

const restingStates: ReadonlySet<string> = new Set(['init', 'idle', 'stopped']);

/** Whether an endpoint in this state uses no compute. */
export function isResting(state: string): boolean {
  return restingStates.has(state);
}

/** Whether an endpoint may use compute, as it was read. */
export function isAwake({ current_state }: Endpoint): boolean {
  return current_state !== undefined && !isResting(current_state);
}

/** An endpoint with its remembered history. */
export interface EndpointView extends Endpoint {
  readonly account: string;
  readonly project_id: string;
  /**
   * Finished start_compute and suspend_compute operations; absent until the operations were read back to their
   * beginning.
   */
  readonly starts?: number;
  readonly suspends?: number;
  /** Milliseconds spent in each state since the ledger of the endpoint begins; absent before it does. */
  readonly stateDurations?: readonly { readonly state: string; readonly durationMs: number }[];
}

const { gauge, gaugeBy, counter, counterBy } = declareFor<EndpointView>()(endpointLabels);

export const endpointFamilies = {
  info: gaugeBy(
    'dbpm_endpoint_info',
    'A compute endpoint, with its branch and where clients connect to it.',
    ['branch_id', 'region_id', 'type', 'host', 'proxy_host', 'pooler_mode'],
    (endpoint, emit) =>
      emit(
        1,
        endpoint.branch_id ?? '',
        endpoint.region_id ?? '',
        endpoint.type ?? '',
        endpoint.host ?? '',
        endpoint.proxy_host ?? '',
        endpoint.pooler_mode ?? '',
      ),
  ),
  state: gaugeBy(
    'dbpm_endpoint_state',
    'Whether the endpoint is in this state; exactly one is 1 (polled).',
    ['state'],
    ({ current_state }, emit) => {
      if (current_state === undefined) return;
      for (const state of new Set([...knownStates, current_state])) {
        emit(Number(state === current_state), state);
      }
    },
    {
      whenCompact: {
        sample({ current_state }, emit) {
          if (current_state !== undefined) emit(1, current_state);
        },
      },
    },
  ),
  pendingState: gaugeBy(
    'dbpm_endpoint_pending_state',
    'The state the endpoint is changing to, while one is reported (polled).',
    ['state'],
    ({ pending_state }, emit) => {
      if (pending_state !== undefined) emit(1, pending_state);
    },
  ),
  stateSeconds: counterBy(
    'dbpm_endpoint_state_seconds_total',
    'Time the endpoint spent in each state, from its operations and the states that were read (polled).',
    ['state'],
    ({ stateDurations }, emit) => {
      if (stateDurations === undefined) return;
      const born = new Map<string, number>(knownStates.map(state => [state, 0]));
      for (const { state, durationMs } of stateDurations) born.set(state, durationMs);
      for (const [state, durationMs] of born) emit(durationMs / 1000, state);
    },
    {
      fedBy: ['operations'],
      whenCompact: {
        sample({ stateDurations }, emit) {
          if (stateDurations === undefined) return;
          const total = (isMeant: (state: string) => boolean) =>
            stateDurations.reduce((sum, { state, durationMs }) => sum + (isMeant(state) ? durationMs : 0), 0);
          emit(total(state => state === 'active') / 1000, 'active');
          emit(total(state => state !== 'active') / 1000, 'other');
        },
      },
    },
  ),
  starts: counter(
    'dbpm_endpoint_starts_total',
    'Finished start_compute operations of the endpoint, each counted once (polled).',
    endpoint => endpoint.starts,
    { fedBy: ['operations'] },
  ),
  suspends: counter(
    'dbpm_endpoint_suspends_total',
    'Finished suspend_compute operations of the endpoint, each counted once (polled).',
    endpoint => endpoint.suspends,
    { fedBy: ['operations'], whenCompact: 'omit' },
  ),
  disabled: gauge(
    'dbpm_endpoint_disabled',
    'Whether connections to the endpoint are disabled (polled).',
    endpoint => bit(endpoint.disabled),
    { whenCompact: { sample: ({ disabled }, emit) => emit(bitIfSet(disabled)) } },
  ),
  poolerEnabled: gauge(
    'dbpm_endpoint_pooler_enabled',
    'Whether connection pooling is enabled on the endpoint (polled).',
    endpoint => bit(endpoint.pooler_enabled),
    { whenCompact: 'omit' },
  ),
  passwordlessAccess: gauge(
    'dbpm_endpoint_passwordless_access',
    'Whether the endpoint accepts passwordless access (polled).',
    endpoint => bit(endpoint.passwordless_access),
    { whenCompact: 'omit' },
  ),
  autoscalingLimitMinCu: gauge(
    'dbpm_endpoint_autoscaling_limit_min_cu',
    'Minimum compute size of the endpoint in compute units of 1 vCPU with 4 GB of RAM (polled).',
    endpoint => endpoint.autoscaling_limit_min_cu,
    { whenCompact: 'omit' },
  ),
  autoscalingLimitMaxCu: gauge(
    'dbpm_endpoint_autoscaling_limit_max_cu',
    'Maximum compute size of the endpoint in compute units of 1 vCPU with 4 GB of RAM (polled).',
    endpoint => endpoint.autoscaling_limit_max_cu,
  ),
  suspendTimeout: gauge(
    'dbpm_endpoint_suspend_timeout_seconds',
    'Auto-suspend delay of the endpoint as reported: 0 is the default of its plan, -1 never (polled).',
    endpoint => endpoint.suspend_timeout_seconds,
    { isOptional: true },
  ),
  lastActiveTimestamp: gauge(
    'dbpm_endpoint_last_active_timestamp_seconds',
    'When the endpoint was last active; absent if never (polled).',
    endpoint => seconds(endpoint.last_active),
  ),
  createdTimestamp: gauge(
    'dbpm_endpoint_created_timestamp_seconds',
    'When the endpoint was created.',
    endpoint => seconds(endpoint.created_at),
  ),
  updatedTimestamp: gauge(
    'dbpm_endpoint_updated_timestamp_seconds',
    'When the service last updated the endpoint (polled).',
    endpoint => seconds(endpoint.updated_at),
    { whenCompact: 'omit' },
  ),
};
