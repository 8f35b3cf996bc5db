import type { SimulatedAccount } from './account.ts';
import { cpuUsedSeconds, cpuUsedSecondsEver } from './cpu-usage.ts';
import { countUsage, stateSecondsOf } from './endpoint.ts';
import { describeLaterAccount, describeLaterProject } from './later/later-truth.ts';
import { progressAt } from './operation.ts';
import type { SimulatedEndpoint, SimulatedProject } from './project.ts';
import { formatSecond } from './timestamp.ts';

/** The counts of a client that missed nothing since the history began; deleted objects are kept. */
export function describeTruth(account: SimulatedAccount) {
  return {
    now: formatSecond(account.timeline.now),
    ...describeLaterAccount(account),
    projects: [...account.projects.values()].map(project => ({
      ...backfillProject(project),
      ...describeLaterProject(account, project),
    })),
  };
}

function backfillProject(project: SimulatedProject) {
  return {
    project_id: project.id,
    name: project.name,
    deleted: project.deletedAt !== undefined,
    created_at: formatSecond(project.createdAt),
    cpu_used_sec: cpuUsedSeconds(project),
    cpu_used_sec_ever: cpuUsedSecondsEver(project),
    branches: project.branches.map(({ id, name }) => ({ branch_id: id, name })),
    operations: countOperations(project),
    endpoints: project.endpoints.map(backfillEndpoint),
  };
}

/** How many operations there are of each action and status, and their failures_count added up. */
function countOperations(project: SimulatedProject) {
  const counts = new Map<string, { action: string; status: string; count: number; failures_count: number }>();
  for (const operation of project.operations) {
    const { action, failuresCount } = operation;
    const { status } = progressAt(operation, project.timeline.now);
    const key = JSON.stringify([action, status]);
    const row = counts.get(key) ?? { action, status, count: 0, failures_count: 0 };
    row.count += 1;
    row.failures_count += failuresCount;
    counts.set(key, row);
  }
  return [...counts.values()];
}

function backfillEndpoint(endpoint: SimulatedEndpoint) {
  countUsage(endpoint);
  return {
    endpoint_id: endpoint.id,
    branch_id: endpoint.branch.id,
    deleted: endpoint.deletedAt !== undefined,
    created_at: formatSecond(endpoint.createdAt),
    current_state: endpoint.state,
    pending_state: endpoint.pendingState ?? null,
    starts: endpoint.starts,
    suspends: endpoint.suspends,
    cu_seconds: endpoint.quarterCuSeconds / 4,
    state_seconds: stateSecondsOf(endpoint),
    suspend_timeout_seconds: endpoint.settings.suspendTimeoutSeconds,
  };
}
