import { findBranch, type SimulatedAccount } from './account.ts';
import { drawId } from './blueprint.ts';
import { changedSettings, type EndpointChange, initialSettings } from './compute-rule.ts';
import { countUsage } from './endpoint.ts';
import { applyConfig, createEndpoint, reassign, settle } from './endpoint-life.ts';
import { startMaintenance } from './maintenance.ts';
import {
  type Branch,
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
