import { minuteMs } from '../../resources/duration.ts';

/** Starts that say how far the list is behind: enough for a median, few enough to follow a service that changes. */
const windowSize = 31;
const leastSamples = 5;
/** A start the list has not shown by then counts as one it shows so late. */
export const longestLagMs = 30 * minuteMs;

/** How far the list of projects is behind what happens, learned from starts whose instant is known. */
export class ListLag {
  readonly #samplesMs: number[] = [];
  #medianMs = 0;

  /** The median of the last starts; 0 until a few were seen. */
  get lagMs(): number {
    return this.#medianMs;
  }

  /**
   * Learns from a start at `startedAt` that the list did not show at `unseenAt` and showed at `seenAt`.
   * Within the time between two list polls nothing can be told apart: that is no lag.
   *
   * @param unseenAt undefined when nothing was listed before: then there is nothing to learn.
   */
  learn(startedAt: number, unseenAt: number | undefined, seenAt: number): void {
    if (unseenAt === undefined) return;
    this.#add(unseenAt <= startedAt ? 0 : (unseenAt + seenAt) / 2 - startedAt);
  }

  /** Learns from a start the list never showed. */
  learnUnseen(): void {
    this.#add(longestLagMs);
  }

  #add(sampleMs: number): void {
    this.#samplesMs.push(Math.min(sampleMs, longestLagMs));
    if (this.#samplesMs.length > windowSize) this.#samplesMs.shift();
    if (this.#samplesMs.length < leastSamples) return;
    const sorted = this.#samplesMs.toSorted((a, b) => a - b);
    this.#medianMs = sorted[sorted.length >> 1] ?? 0;
  }
}
