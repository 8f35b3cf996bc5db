import type { Operation } from '../resources/operation.ts';
import type { WatchedProject } from './watched-project.ts';

/** How much the last rest counts against those before. */
const newestWeight = 0.3;

/**
 * Learns from operations when a project came to rest and how long it usually does.
 *
 * @param skewMs how far this host's clock is ahead of the service's.
 * @returns when it last left a rest that was known to have begun, of operations not learned from before.
 */
export function learnRests(
  watched: WatchedProject,
  operations: readonly Operation[],
  skewMs: number,
): number | undefined {
  let startedAt: number | undefined;
  for (const { action, at } of changesOf(operations, skewMs)) {
    if (!(at > watched.learnedAt) && !Number.isNaN(watched.learnedAt)) continue;
    watched.learnedAt = at;
    if (action === 'suspend_compute') watched.restedAt = at;
    else {
      const restMs = Math.max(1000, at - watched.restedAt);
      if (!Number.isNaN(restMs)) {
        const { usualRestMs } = watched;
        watched.usualRestMs = Number.isNaN(usualRestMs)
          ? restMs
          : usualRestMs * (restMs / usualRestMs) ** newestWeight;
      }
      watched.restedAt = Number.NaN;
      startedAt = at;
    }
  }
  return startedAt;
}

function changesOf(operations: readonly Operation[], skewMs: number) {
  const changes: { readonly action: string; readonly at: number }[] = [];
  for (const { action, status, updated_at } of operations) {
    if (action !== 'start_compute' && action !== 'suspend_compute') continue;
    if (status === 'finished' && updated_at !== undefined) changes.push({ action, at: updated_at + skewMs });
  }
  return changes.sort((a, b) => a.at - b.at);
}
