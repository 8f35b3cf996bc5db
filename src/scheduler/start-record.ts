import type { Operation } from '../resources/operation.ts';
import type { WatchedProject } from './watched-project.ts';

/** How much the last rest counts against those before. */
const newestWeight = 0.3;

/**
 * Learns from operations when a project came to rest and how long it usually does.
 *
 * @param skewMs how far this host's clock is ahead of the service's.
 * @returns when it last started, of operations not learned from before.
 */
export function learnRests(
  watched: WatchedProject,
  operations: readonly Operation[],
  skewMs: number,
): number | undefined {
  const { learnedAt } = watched;
  let startedAt: number | undefined;
  for (const { action, updatedAt } of changesOf(operations)) {
    // By the service's clock: how far ours is ahead is another guess at every reading.
    if (updatedAt <= learnedAt) continue;
    watched.learnedAt = updatedAt;
    const at = updatedAt + skewMs;
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

function changesOf(operations: readonly Operation[]) {
  const changes: { readonly action: string; readonly updatedAt: number }[] = [];
  for (const { action, status, updated_at } of operations) {
    if (action !== 'start_compute' && action !== 'suspend_compute') continue;
    if (status === 'finished' && updated_at !== undefined) changes.push({ action, updatedAt: updated_at });
  }
  return changes.sort((a, b) => a.updatedAt - b.updatedAt);
}
