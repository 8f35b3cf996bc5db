import type { Collector } from '../../resources/collector.ts';

interface Failing {
  readonly since: number;
  readonly refused: boolean;
}

/** Remembers since when something could not be read; only of this run, so that a restart serves all it knows. */
export class Freshness {
  readonly #dropAfterMs: number;
  readonly #failing = new Map<Collector, Map<string, Failing>>();
  readonly #recovered = new Set<string>();

  constructor(dropAfterMs: number) {
    this.#dropAfterMs = dropAfterMs;
  }

  /**
   * @param project_id of what could not be read; empty for a list as a whole.
   * @param at when the attempt began.
   * @param refused whether the service answered 401.
   */
  failed(collector: Collector, project_id: string, at: number, refused = false): void {
    const failing = this.#failing.get(collector) ?? new Map<string, Failing>();
    failing.set(project_id, { since: failing.get(project_id)?.since ?? at, refused });
    this.#failing.set(collector, failing);
  }

  succeeded(collector: Collector, project_id: string): void {
    if (this.#failing.get(collector)?.delete(project_id)) this.#recovered.add(project_id);
  }

  forget(project_id: string): void {
    for (const failing of this.#failing.values()) failing.delete(project_id);
  }

  /** What may be shown otherwise than when this was last asked: whatever fails, and what recovered since. */
  takeUnsettled(): ReadonlySet<string> {
    const unsettled = new Set(this.#recovered);
    this.#recovered.clear();
    for (const failing of this.#failing.values()) {
      for (const project_id of failing.keys()) unsettled.add(project_id);
    }
    return unsettled;
  }

  /** Whether nothing of the collector is failing. */
  isWell(collector: Collector): boolean {
    return (this.#failing.get(collector)?.size ?? 0) === 0;
  }

  /** Whether the service refuses the key for anything of the collector. */
  isRefused(collector: Collector): boolean {
    return [...(this.#failing.get(collector)?.values() ?? [])].some(({ refused }) => refused);
  }

  /** Whether it could not be read for so long that its series must go ("collect.drop_after"). */
  isLost(collector: Collector, project_id: string, now: number): boolean {
    const since = this.#failing.get(collector)?.get(project_id)?.since;
    return since !== undefined && now - since >= this.#dropAfterMs;
  }

  /** Whether it was read recently enough to be shown although what names it is lost. */
  isRecent(readAt: number | undefined, now: number): boolean {
    return readAt !== undefined && now - readAt < this.#dropAfterMs;
  }
}
