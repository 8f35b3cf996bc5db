import type { ReportHistory } from '../../history/usage/report-history.ts';
import { dayMs } from '../../resources/duration.ts';
import { KnownReadings, NumberSlab } from '../../resources/usage/known-reading.ts';
import type { EndpointLife, UsageLedger, UseBounds } from '../../resources/usage/ledger.ts';

/**
 * The use of projects and endpoints as the history knows it, read faster: at midnights of UTC from the daily roll-ups, where
 * there are any, and elsewhere from the samples.
 */
export class RolledLedger implements UsageLedger {
  readonly #history: ReportHistory;
  readonly #firstDay: number;
  readonly #days: number;
  readonly #slab = new NumberSlab();
  readonly #used = new Map<number, Float64Array>();
  readonly #compute = new Map<number, Float64Array>();
  /** Use at other instants, which are few: each is asked for by one row after the other. */
  readonly #between: KnownReadings;

  /** @param span most midnights of it are asked for: where they are few, each is read alone faster. */
  constructor(
    history: ReportHistory,
    { fromAt, untilAt }: { readonly fromAt: number; readonly untilAt: number },
  ) {
    this.#history = history;
    this.#between = new KnownReadings((project_ref, at) => history.usage.usedUntil(project_ref, at));
    this.#firstDay = Math.floor(fromAt / dayMs);
    this.#days = Math.floor(untilAt / dayMs) - this.#firstDay + 1;
  }

  get projects() {
    return this.#history.usage.projects;
  }

  get metered() {
    return this.#history.usage.metered;
  }

  knownUntil(account: string): number | undefined {
    return this.#history.usage.knownUntil(account);
  }

  knownFrom(account: string): number | undefined {
    return this.#history.usage.knownFrom(account);
  }

  boundsAt(project_ref: number, at: number): UseBounds {
    return this.#history.usage.boundsAt(project_ref, at);
  }

  endpointLives(): readonly EndpointLife[] {
    return this.#history.usage.endpointLives();
  }

  reconstructedUntil(project_ref: number, at: number): number {
    return this.#history.usage.reconstructedUntil(project_ref, at);
  }

  usedUntil(project_ref: number, at: number): number {
    const read = (totals: Float64Array) =>
      this.#history.rollUps.used(project_ref, this.#firstDay, this.#days, totals);
    const { usage } = this.#history;
    const total = this.#read(this.#used, project_ref, at, read);
    return total === undefined ? this.#between.get(project_ref, at) : usage.attributed(project_ref, total);
  }

  /** CU-milliseconds an endpoint used before an instant, the mean of the reconstructed bounds. */
  computeUntil(endpoint_ref: number, at: number): number {
    const read = (totals: Float64Array) =>
      this.#history.rollUps.compute(endpoint_ref, this.#firstDay, this.#days, totals);
    const known = this.#read(this.#compute, endpoint_ref, at, read);
    if (known !== undefined) return known;
    const { lower, upper } = this.#history.activity.computeUntil(endpoint_ref, at);
    return (lower + upper) / 2;
  }

  /** The total at a midnight that is rolled up; undefined at any other instant. */
  #read(
    known: Map<number, Float64Array>,
    ref: number,
    at: number,
    read: (totals: Float64Array) => Float64Array,
  ): number | undefined {
    if (at % dayMs !== 0) return undefined;
    let totals = known.get(ref);
    if (totals === undefined) {
      totals = read(this.#slab.take(this.#days));
      known.set(ref, totals);
    }
    const total = totals[at / dayMs - this.#firstDay];
    return total === undefined || Number.isNaN(total) ? undefined : total;
  }
}
