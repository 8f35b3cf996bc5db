import { countUsage } from './endpoint.ts';
import type { SimulatedProject } from './project.ts';

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
