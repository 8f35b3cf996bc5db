import { findBranch, type SimulatedAccount } from './account.ts';
import { drawId, type SimulatedPlan } from './blueprint.ts';
import { countUsage, defaultSettings } from './endpoint.ts';
import { applyConfig, createEndpoint, reassign, settle } from './endpoint-life.ts';
import { startMaintenance } from './maintenance.ts';
import {
  type Branch,
  type EndpointSettings,
  liveEndpoints,
  type SimulatedEndpoint,
  type SimulatedOperation,
  type SimulatedProject,
} from './project.ts';
import { Refusal } from './refusal.ts';

interface Result {
  readonly endpoint: SimulatedEndpoint;
  readonly operations: readonly SimulatedOperation[];
}

/**
 * POST of an endpoint. Throws a `Refusal`: 404 no such branch, 409 the branch has an endpoint, 400 a broken size rule.
 */
export function addEndpoint(
  account: SimulatedAccount,
  project: SimulatedProject,
  branchId: string,
  change: EndpointChange,
): Result {
  const branch = findFreeBranch(project, branchId);
  const settings = initialSettings(change, account.plan);
  const result = createEndpoint(project, branch, `ep-${drawId(project.random)}`, settings);
  startMaintenance(result.endpoint, account.seed);
  return result;
}

/** PATCH of an endpoint: all of it or, with a `Refusal` as for `addEndpoint`, nothing. Its own branch is no change. */
export function updateEndpoint(
  account: SimulatedAccount,
  endpoint: SimulatedEndpoint,
  branchId: string | undefined,
  change: EndpointChange,
): Result {
  const isMove = branchId !== undefined && branchId !== endpoint.branch.id;
  const branch = isMove ? findFreeBranch(endpoint.project, branchId) : undefined;
  const settings = changedSettings(endpoint.settings, change, account.plan);
  const needsConfig = changesConfiguration(endpoint, change);
  if (needsConfig || settings.disabled !== endpoint.settings.disabled) {
    countUsage(endpoint);
    endpoint.settings = settings;
    endpoint.updatedAt = account.timeline.now;
  }
  const operations: SimulatedOperation[] = [];
  if (branch !== undefined) operations.push(...reassign(endpoint, branch));
  else if (needsConfig) operations.push(applyConfig(endpoint));
  operations.push(...settle(endpoint));
  return { endpoint, operations };
}

/** Turning it on or off is a change of state, not of configuration. */
function changesConfiguration(
  { settings }: SimulatedEndpoint,
  { disabled: _, ...change }: EndpointChange,
): boolean {
  return Object.entries(change).some(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(settings[key as keyof EndpointChange]),
  );
}

function findFreeBranch(project: SimulatedProject, branchId: string): Branch {
  const branch = findBranch(project, branchId);
  const occupant = liveEndpoints(project).find(endpoint => endpoint.branch === branch);
  if (occupant !== undefined) {
    throw new Refusal(
      409,
      `branch ${branchId} already has endpoint ${occupant.id}: a branch can have only one endpoint`,
    );
  }
  return branch;
}

/** The settings of an endpoint in a create or update request; absent where it does not mention them. */
export type EndpointChange = Partial<EndpointSettings>;

const maximumSuspendSeconds = 86_400;

/** Settings of a new endpoint; one size alone means a fixed size. Throws a `Refusal` that names the broken rule. */
function initialSettings(change: EndpointChange, plan: SimulatedPlan): EndpointSettings {
  const given = change.minCu ?? change.maxCu ?? defaultSettings.minCu;
  const settings = { ...defaultSettings, minCu: given, maxCu: given, ...change };
  checkPlan(defaultSettings, settings, plan);
  checkSizes(settings);
  checkSuspendTimeout(settings);
  return settings;
}

/** Settings after an update. Throws a `Refusal` that names the broken rule. */
function changedSettings(
  present: EndpointSettings,
  change: EndpointChange,
  plan: SimulatedPlan,
): EndpointSettings {
  const settings = { ...present, ...change };
  checkPlan(present, settings, plan);
  checkSizes(settings);
  checkSuspendTimeout(settings);
  if (isFixed(present) !== isFixed(settings)) {
    throw new Refusal(
      400,
      'switching an endpoint between fixed size and autoscaling is not supported: create another endpoint',
    );
  }
  return settings;
}

function isSameCompute(left: EndpointSettings, right: EndpointSettings): boolean {
  return (
    left.minCu === right.minCu &&
    left.maxCu === right.maxCu &&
    left.suspendTimeoutSeconds === right.suspendTimeoutSeconds
  );
}

function isFixed({ minCu, maxCu }: EndpointSettings): boolean {
  return minCu === maxCu;
}

function checkPlan(present: EndpointSettings, wanted: EndpointSettings, plan: SimulatedPlan): void {
  if (plan === 'paid' || isSameCompute(present, wanted)) return;
  throw new Refusal(400, 'changing compute size or auto-suspend is available to paid plans only');
}

function checkSizes({ minCu, maxCu }: EndpointSettings): void {
  for (const size of [minCu, maxCu]) {
    if (size < 0.25 || size > 7) {
      throw new Refusal(400, `a compute endpoint can have from 0.25 CU to 7 CU, not ${size} CU`);
    }
    if (!Number.isInteger(size * 4)) {
      throw new Refusal(400, `a compute size is a multiple of 0.25 CU, which ${size} CU is not`);
    }
  }
  if (minCu > maxCu) {
    throw new Refusal(
      400,
      `autoscaling_limit_min_cu (${minCu}) must not be larger than autoscaling_limit_max_cu (${maxCu})`,
    );
  }
  if (minCu !== maxCu && minCu < 1) {
    throw new Refusal(
      400,
      `autoscaling supports 1 CU to 7 CU only, so a minimum of ${minCu} CU needs the same maximum (a fixed size)`,
    );
  }
}

function checkSuspendTimeout({ suspendTimeoutSeconds: seconds }: EndpointSettings): void {
  if (Number.isInteger(seconds) && seconds >= -1 && seconds <= maximumSuspendSeconds) return;
  throw new Refusal(
    400,
    `suspend_timeout_seconds is a whole number of seconds up to ${maximumSuspendSeconds}, 0 for the default of 300, ` +
      `or -1 for never, not ${seconds}`,
  );
}
