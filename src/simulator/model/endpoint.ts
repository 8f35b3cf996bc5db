import { addSpan } from './meter/hour-series.ts';
import { countAwakeSpan } from './meter/project-meter.ts';
import type { EndpointSettings, EndpointState, SimulatedEndpoint, SimulatedProject } from './project.ts';
import { avalanche } from './random.ts';

export const defaultSettings: EndpointSettings = {
  minCu: 0.25,
  maxCu: 0.25,
  suspendTimeoutSeconds: 0,
  disabled: false,
  poolerEnabled: false,
  poolerMode: 'transaction',
  passwordlessAccess: true,
  pgSettings: {},
};

/** Seconds of inactivity after which it is suspended; infinite for never. */
export function suspendDelaySeconds({ suspendTimeoutSeconds }: EndpointSettings): number {
  if (suspendTimeoutSeconds === -1) return Number.POSITIVE_INFINITY;
  return suspendTimeoutSeconds === 0 ? 300 : suspendTimeoutSeconds;
}

/** Seconds after which the load, and with it the size of an autoscaling endpoint, changes. */
const loadSeconds = 600;

/** Adds the use since it was last counted. Call it before state, size or branch change and before reading. */
export function countUsage(endpoint: SimulatedEndpoint): void {
  const until = endpoint.deletedAt ?? endpoint.project.timeline.now;
  countAwake(endpoint.project);
  if (endpoint.state === 'active') {
    const { minCu, maxCu } = endpoint.settings;
    const branch = endpoint.project.later?.meter.branches.get(endpoint.branch.id);
    let from = endpoint.usageCountedUntil;
    while (from < until) {
      const to =
        minCu === maxCu ? until : Math.min(until, (Math.floor(from / loadSeconds) + 1) * loadSeconds);
      const quarterCu = quarterCuAt(endpoint, from);
      endpoint.quarterCuSeconds += quarterCu * (to - from);
      if (branch !== undefined) countAwakeSpan(branch, from, to, quarterCu);
      from = to;
    }
  }
  endpoint.usageCountedUntil = until;
}

/** Counts the time with any endpoint awake, for a service that meters it. */
function countAwake({ endpoints, later, timeline }: SimulatedProject): void {
  if (later === undefined) return;
  const { meter } = later;
  const isAwake = endpoints.some(({ state, deletedAt }) => state === 'active' && deletedAt === undefined);
  if (isAwake) addSpan(meter.activeSeconds, meter.activeCountedUntil, timeline.now, 1);
  meter.activeCountedUntil = timeline.now;
}

function quarterCuAt(
  { settings: { minCu, maxCu }, loadSalt, load }: SimulatedEndpoint,
  second: number,
): number {
  if (load === 'low') return minCu * 4;
  const steps = (maxCu - minCu) * 4;
  return minCu * 4 + (avalanche(loadSalt + Math.floor(second / loadSeconds)) % (steps + 1));
}

/** Seconds in each state so far, the present one up to now (up to its deletion if it is deleted). */
export function stateSecondsOf(endpoint: SimulatedEndpoint): Partial<Record<EndpointState, number>> {
  const present = (endpoint.deletedAt ?? endpoint.project.timeline.now) - endpoint.stateSince;
  const seconds = new Map(endpoint.stateSeconds);
  seconds.set(endpoint.state, (seconds.get(endpoint.state) ?? 0) + present);
  return Object.fromEntries(seconds);
}

/** When a client last used it; its creation if none ever did. */
export function lastActiveAt(endpoint: SimulatedEndpoint): number {
  return Math.min(
    endpoint.busyUntil ?? endpoint.createdAt,
    endpoint.deletedAt ?? endpoint.project.timeline.now,
  );
}

/**
 * `cpu_used_sec` as the service shows it now: CU seconds of all endpoints ever, since it was last set, rounded down.
 */
export function cpuUsedSeconds(project: SimulatedProject): number {
  const { seconds, atQuarterCuSeconds } = project.cpuSetting;
  return seconds + Math.floor((totalQuarterCuSeconds(project) - atQuarterCuSeconds) / 4);
}

/**
 * The sum as a client that saw every value makes it: the first counts whole, a higher one by its growth, a lower one is
 * a reset and counts whole.
 */
export function cpuUsedSecondsEver(project: SimulatedProject): number {
  return project.cpuSecondsBeforeReset + cpuUsedSeconds(project);
}

/** Sets `cpu_used_sec`, as a new billing period does. */
export function setCpuUsed(project: SimulatedProject, seconds: number): void {
  const shown = cpuUsedSeconds(project);
  if (seconds < shown) project.cpuSecondsBeforeReset += shown;
  project.cpuSetting = { seconds, atQuarterCuSeconds: totalQuarterCuSeconds(project) };
  project.updatedAt = project.timeline.now;
}

function totalQuarterCuSeconds(project: SimulatedProject): number {
  return project.endpoints.reduce((sum, endpoint) => {
    countUsage(endpoint);
    return sum + endpoint.quarterCuSeconds;
  }, 0);
}
