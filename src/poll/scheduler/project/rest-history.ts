import { toOwnClock } from '../../../resources/clock-skew.ts';
import type { Operation } from '../../../resources/operation.ts';

/** How much the last rest counts against those before. */
const newestWeight = 0.3;
const shortestRestMs = 1000;

/** An operation that started or suspended the computes of a project. */
interface ComputeChange {
  readonly action: 'start_compute' | 'suspend_compute';
  /** Epoch milliseconds by the service's clock. */
  readonly updatedAt: number;
}

/** The starts and suspends that are over, oldest first. */
export function findComputeChanges(operations: readonly Operation[]): readonly ComputeChange[] {
  const changes: ComputeChange[] = [];
  for (const { action, status, updated_at } of operations) {
    if (action !== 'start_compute' && action !== 'suspend_compute') continue;
    if (status === 'finished' && updated_at !== undefined) changes.push({ action, updatedAt: updated_at });
  }
  return changes.sort((a, b) => a.updatedAt - b.updatedAt);
}

/** Since when a project is at rest and how long it usually is, learned from its operations; undefined while unknown. */
export class RestHistory {
  /** The last change learned from, by the service's clock. */
  #learnedAt: number | undefined;
  #restedAt: number | undefined;
  #usualRestMs: number | undefined;

  /** Epoch milliseconds by this host's clock; undefined while it runs, too. */
  get restedAt(): number | undefined {
    return this.#restedAt;
  }

  /** Milliseconds. */
  get usualRestMs(): number | undefined {
    return this.#usualRestMs;
  }

  /**
   * @param changes oldest first.
   * @param skewMs the service's clock minus ours.
   * @returns when it last started, of changes not learned from before; by this host's clock.
   */
  learn(changes: readonly ComputeChange[], skewMs: number): number | undefined {
    const learnedAt = this.#learnedAt;
    let startedAt: number | undefined;
    for (const { action, updatedAt } of changes) {
      // By the service's clock: how far ours is ahead is another guess at every poll.
      if (learnedAt !== undefined && updatedAt <= learnedAt) continue;
      this.#learnedAt = updatedAt;
      const at = toOwnClock(updatedAt, skewMs);
      if (action === 'suspend_compute') this.#restedAt = at;
      else {
        this.#endRest(at);
        startedAt = at;
      }
    }
    return startedAt;
  }

  #endRest(at: number): void {
    if (this.#restedAt !== undefined) {
      const restMs = Math.max(shortestRestMs, at - this.#restedAt);
      const usualMs = this.#usualRestMs;
      this.#usualRestMs = usualMs === undefined ? restMs : usualMs * (restMs / usualMs) ** newestWeight;
    }
    this.#restedAt = undefined;
  }
}
