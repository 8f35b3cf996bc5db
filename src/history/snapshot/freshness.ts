import type { Collector } from '../../resources/collector.ts';
import { minOf } from '../../resources/min-max.ts';

interface Failing {
  readonly since: number;
  readonly refused: boolean;
  /** Every reading since then succeeded and could not be written. */
  readonly unwritten: boolean;
}

export interface FailedRead {
  readonly collector: Collector;
  /** Empty for a list as a whole. */
  readonly project_id: string;
  /** When the attempt began, by this host's clock. */
  readonly at: number;
  /** The service answered 401. */
  readonly refused?: boolean;
  /** It was read, but could not be written. */
  readonly unwritten?: boolean;
}

/**
 * Remembers since when something could not be read and written; only of this run, so that a restart serves all it
 * knows. What is noted within a transaction can be taken back with it.
 */
export class Freshness {
  readonly #dropAfterMs: number;
  readonly #failing = new Map<Collector, Map<string, Failing>>();
  readonly #recovered = new Set<string>();
  /** The failing entry before each change since the last `settle`, newest last. */
  readonly #undo: (readonly [Collector, string, Failing | undefined])[] = [];

  constructor(dropAfterMs: number) {
    this.#dropAfterMs = dropAfterMs;
  }

  failed({ collector, project_id, at, refused = false, unwritten = false }: FailedRead): void {
    const before = this.#failing.get(collector)?.get(project_id);
    this.#set(collector, project_id, {
      since: before?.since ?? at,
      refused,
      unwritten: unwritten && (before?.unwritten ?? true),
    });
  }

  succeeded(collector: Collector, project_id: string): void {
    if (this.#set(collector, project_id, undefined)) this.#recovered.add(project_id);
  }

  /** A list of projects ended: of those known it read what it listed, and failed to read the rest unless it is complete. */
  listed(
    known: Iterable<string>,
    listed: ReadonlySet<string>,
    { complete, readAt }: { readonly complete: boolean; readonly readAt: number },
  ): void {
    // Nothing was failing and all was read: there is nothing to note of any of thousands of projects.
    if (complete && this.isWell('projects')) return;
    for (const project_id of known) {
      if (listed.has(project_id)) this.succeeded('projects', project_id);
      else if (!complete) this.failed({ collector: 'projects', project_id, at: readAt });
    }
  }

  /** It is as it was when it was last written: what fails for another reason goes on failing. */
  confirmed(collector: Collector, project_id: string): void {
    if (this.#failing.get(collector)?.get(project_id)?.unwritten) this.succeeded(collector, project_id);
  }

  forget(project_id: string): void {
    for (const collector of this.#failing.keys()) this.#set(collector, project_id, undefined);
  }

  /** A place to come back to with `takeBack`, until the next `settle`. */
  mark(): number {
    return this.#undo.length;
  }

  /** Takes back what was noted since a mark: the transaction it was noted in was not written. */
  takeBack(mark: number): void {
    for (const [collector, project_id, before] of this.#undo.splice(mark).reverse()) {
      this.#put(collector, project_id, before);
    }
  }

  /** Keeps what was noted until now: it is written. */
  settle(): void {
    this.#undo.length = 0;
  }

  /** Projects that may be shown otherwise than when this was last asked: failing ones, and ones that recovered. */
  takeUnsettled(): ReadonlySet<string> {
    const unsettled = new Set(this.#recovered);
    this.#recovered.clear();
    for (const failing of this.#failing.values()) {
      for (const project_id of failing.keys()) unsettled.add(project_id);
    }
    return unsettled;
  }

  /** Whether the last attempt at it failed, or could not be written. */
  isFailing(collector: Collector, project_id: string): boolean {
    return this.#failing.get(collector)?.has(project_id) ?? false;
  }

  /** Whether nothing of the collector is failing. */
  isWell(collector: Collector): boolean {
    return (this.#failing.get(collector)?.size ?? 0) === 0;
  }

  /** The projects of the collector that are failing, and since when the first of them is; undefined while none is. */
  failingProjects(collector: Collector): { readonly count: number; readonly since: number } | undefined {
    const failing = [...(this.#failing.get(collector) ?? [])].filter(([project_id]) => project_id !== '');
    if (failing.length === 0) return undefined;
    return { count: failing.length, since: minOf(failing.map(([, { since }]) => since)) };
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

  /** @returns whether it was failing before. */
  #set(collector: Collector, project_id: string, failing: Failing | undefined): boolean {
    const before = this.#failing.get(collector)?.get(project_id);
    if (before === undefined && failing === undefined) return false;
    this.#undo.push([collector, project_id, before]);
    this.#put(collector, project_id, failing);
    return before !== undefined;
  }

  #put(collector: Collector, project_id: string, failing: Failing | undefined): void {
    const ofCollector = this.#failing.get(collector) ?? new Map<string, Failing>();
    this.#failing.set(collector, ofCollector);
    if (failing === undefined) ofCollector.delete(project_id);
    else ofCollector.set(project_id, failing);
  }
}
