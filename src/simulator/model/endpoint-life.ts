import { countUsage, suspendDelaySeconds } from './endpoint.ts';
import { beginOperation, type OperationOrder } from './operation.ts';
import type {
  Branch,
  EndpointState,
  SimulatedEndpoint,
  SimulatedOperation,
  SimulatedProject,
} from './project.ts';
import { hash } from './random.ts';

/** Creates an endpoint: `init`, pending `active`, with its start_compute running. */
export function createEndpoint(
  project: SimulatedProject,
  branch: Branch,
  id: string,
  settings: SimulatedEndpoint['settings'],
  load: SimulatedEndpoint['load'] = 'varying',
): { endpoint: SimulatedEndpoint; operations: SimulatedOperation[] } {
  const { now } = project.timeline;
  const endpoint: SimulatedEndpoint = {
    id,
    project,
    branch,
    settings,
    state: 'init',
    pendingState: undefined,
    transition: undefined,
    stateSince: now,
    startedAt: undefined,
    suspendedAt: undefined,
    stateSeconds: new Map(),
    busyUntil: undefined,
    waitingSeconds: undefined,
    inactivityCheckAt: undefined,
    createdAt: now,
    updatedAt: now,
    deletedAt: undefined,
    starts: 0,
    suspends: 0,
    quarterCuSeconds: 0,
    usageCountedUntil: now,
    loadSalt: hash(id),
    load,
  };
  project.endpoints.push(endpoint);
  const start = changeState(endpoint, 'active', {
    action: 'start_compute',
    totalSeconds: project.random.integer(2, 5),
  });
  return { endpoint, operations: [start] };
}

/** A client connects and stays `seconds`, counted from when the endpoint is active. A disabled one does not wake. */
export function connect(
  endpoint: SimulatedEndpoint,
  seconds: number,
  order: Partial<OperationOrder> = {},
): void {
  if (endpoint.settings.disabled || endpoint.deletedAt !== undefined || isQuotaReached(endpoint)) return;
  if (endpoint.state === 'active' && endpoint.pendingState === undefined) {
    endpoint.busyUntil = Math.max(endpoint.busyUntil ?? 0, endpoint.project.timeline.now + seconds);
    watchInactivity(endpoint);
    return;
  }
  endpoint.waitingSeconds = Math.max(endpoint.waitingSeconds ?? 0, seconds);
  if (endpoint.pendingState === undefined) wake(endpoint, order);
}

/** Brings an endpoint, once nothing else is going on with it, to where its settings and clients want it. */
export function settle(endpoint: SimulatedEndpoint): SimulatedOperation[] {
  if (endpoint.deletedAt !== undefined || endpoint.pendingState !== undefined) return [];
  const { state, settings } = endpoint;
  const { random } = endpoint.project;
  if (settings.disabled && state !== 'stopped') {
    endpoint.waitingSeconds = undefined;
    const action = state === 'active' ? 'suspend_compute' : 'apply_config';
    return [changeState(endpoint, 'stopped', { action, totalSeconds: random.integer(1, 2) })];
  }
  if (!settings.disabled && state === 'stopped') {
    return [changeState(endpoint, 'idle', { action: 'apply_config', totalSeconds: random.integer(1, 2) })];
  }
  if (isQuotaReached(endpoint)) return suspend(endpoint);
  if (endpoint.waitingSeconds !== undefined) return [wake(endpoint, {})];
  watchInactivity(endpoint);
  return [];
}

/** Suspends an endpoint in spite of its clients; one that is on its way to another state gets there first. */
export function suspend(endpoint: SimulatedEndpoint): SimulatedOperation[] {
  endpoint.waitingSeconds = undefined;
  if (endpoint.state !== 'active' || endpoint.pendingState !== undefined) return [];
  const totalSeconds = endpoint.project.random.integer(1, 3);
  return [changeState(endpoint, 'idle', { action: 'suspend_compute', totalSeconds })];
}

function isQuotaReached({ project }: SimulatedEndpoint): boolean {
  return project.later?.quotaReachedAt !== undefined;
}

/** Applies a configuration without leaving the present state. */
export function applyConfig(endpoint: SimulatedEndpoint): SimulatedOperation {
  return beginOperation(endpoint.project, {
    action: 'apply_config',
    branchId: endpoint.branch.id,
    endpoint,
    totalSeconds: endpoint.project.random.integer(1, 2),
  });
}

/**
 * Moves an endpoint to another branch at once. An idle one gets apply_config (running) and suspend_compute (scheduling)
 * and stays idle, as specified, also while an earlier such move is not finished. Any other gets apply_config alone and
 * keeps its clients, and so does an idle one that is on its way to another state.
 */
export function reassign(endpoint: SimulatedEndpoint, branch: Branch): SimulatedOperation[] {
  const { state, pendingState = state } = endpoint;
  const isResting = state === 'idle' && pendingState === 'idle';
  countUsage(endpoint);
  endpoint.branch = branch;
  endpoint.updatedAt = endpoint.project.timeline.now;
  const operations = [applyConfig(endpoint)];
  if (isResting) {
    const order = { action: 'suspend_compute', waitSeconds: 2, totalSeconds: 3 } as const;
    operations.push(changeState(endpoint, 'idle', order));
  }
  return operations;
}

/** Ends it for good; what the control plane has begun with it runs out without effect. */
export function deleteEndpoint(endpoint: SimulatedEndpoint): void {
  countUsage(endpoint);
  endpoint.deletedAt = endpoint.project.timeline.now;
  endpoint.updatedAt = endpoint.deletedAt;
}

/** Has it suspended once it was unused for its auto-suspend delay. */
function watchInactivity(endpoint: SimulatedEndpoint): void {
  const dueAt = (endpoint.busyUntil ?? 0) + suspendDelaySeconds(endpoint.settings);
  if (endpoint.state !== 'active' || !Number.isFinite(dueAt)) return;
  // A check that comes earlier finds the endpoint busy and makes the next appointment itself.
  if (endpoint.inactivityCheckAt !== undefined && endpoint.inactivityCheckAt <= dueAt) return;
  const { timeline } = endpoint.project;
  const checkAt = Math.max(dueAt, timeline.now + 1);
  endpoint.inactivityCheckAt = checkAt;
  timeline.schedule(checkAt, () => {
    if (endpoint.inactivityCheckAt !== checkAt) return;
    endpoint.inactivityCheckAt = undefined;
    suspendIfInactive(endpoint);
  });
}

function suspendIfInactive(endpoint: SimulatedEndpoint): void {
  if (endpoint.state !== 'active' || endpoint.pendingState !== undefined) return;
  if (endpoint.deletedAt !== undefined) return;
  const { timeline, random } = endpoint.project;
  const dueAt = (endpoint.busyUntil ?? 0) + suspendDelaySeconds(endpoint.settings);
  if (dueAt > timeline.now) {
    watchInactivity(endpoint);
    return;
  }
  changeState(endpoint, 'idle', {
    action: 'suspend_compute',
    totalSeconds: random.integer(1, 3),
    failuresCount: random.chance(0.004) ? random.integer(1, 2) : 0,
  });
}

function wake(endpoint: SimulatedEndpoint, order: Partial<OperationOrder>): SimulatedOperation {
  const totalSeconds = endpoint.project.random.integer(2, 4);
  return changeState(endpoint, 'active', { waitSeconds: 1, totalSeconds, ...order, action: 'start_compute' });
}

/** Starts the operation that takes the endpoint to `target`; the state flips when it has finished, not before. */
function changeState(
  endpoint: SimulatedEndpoint,
  target: EndpointState,
  order: Omit<OperationOrder, 'branchId' | 'endpoint' | 'onEnd'>,
): SimulatedOperation {
  endpoint.pendingState = target;
  const operation = beginOperation(endpoint.project, {
    ...order,
    branchId: endpoint.branch.id,
    endpoint,
    onEnd: succeeded => {
      if (endpoint.deletedAt !== undefined || endpoint.transition !== operation) return;
      endpoint.transition = undefined;
      endpoint.pendingState = undefined;
      if (succeeded) enterState(endpoint, target);
      // The clients of a start that failed have got an error and gone.
      else if (target === 'active') endpoint.waitingSeconds = undefined;
      settle(endpoint);
    },
  });
  endpoint.transition = operation;
  return operation;
}

function enterState(endpoint: SimulatedEndpoint, state: EndpointState): void {
  const { now } = endpoint.project.timeline;
  countUsage(endpoint);
  const { stateSeconds } = endpoint;
  stateSeconds.set(endpoint.state, (stateSeconds.get(endpoint.state) ?? 0) + now - endpoint.stateSince);
  if (endpoint.state === 'active' && state !== 'active') endpoint.suspendedAt = now;
  if (state === 'active') endpoint.startedAt = now;
  endpoint.state = state;
  endpoint.stateSince = now;
  endpoint.updatedAt = now;
  if (state !== 'active') return;
  endpoint.busyUntil = now + (endpoint.waitingSeconds ?? 0);
  endpoint.waitingSeconds = undefined;
}
