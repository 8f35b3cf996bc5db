import type { Collector } from '../resources/account.ts';

/** Remembers since when something could not be read; only of this run, so that a restart serves all it knows. */
export class Freshness {
  readonly #dropAfterMs: number;
  readonly #failingSince = new Map<Collector, Map<string, number>>();

  constructor(dropAfterMs: number) {
    this.#dropAfterMs = dropAfterMs;
  }

  /** @param project_id of what could not be read; empty for a list as a whole. */
  failed(collector: Collector, project_id: string, at: number): void {
    const failing = this.#failingSince.get(collector) ?? new Map<string, number>();
    if (!failing.has(project_id)) failing.set(project_id, at);
    this.#failingSince.set(collector, failing);
  }

  succeeded(collector: Collector, project_id: string): void {
    this.#failingSince.get(collector)?.delete(project_id);
  }

  forget(project_id: string): void {
    for (const failing of this.#failingSince.values()) failing.delete(project_id);
  }

  /** Whether nothing of the collector is failing. */
  isWell(collector: Collector): boolean {
    return (this.#failingSince.get(collector)?.size ?? 0) === 0;
  }

  /** Whether it could not be read for so long that its series must go ("collect.drop_after"). */
  isLost(collector: Collector, project_id: string, now: number): boolean {
    const since = this.#failingSince.get(collector)?.get(project_id);
    return since !== undefined && now - since >= this.#dropAfterMs;
  }
}
