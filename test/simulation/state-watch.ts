/** How long changes took to show, in milliseconds, least first. */
interface Delays {
  readonly starts: readonly number[];
  readonly stops: readonly number[];
}

/** Compares the page with the truth at many instants: what is wrong at each, and how long each change took to show. */
export class StateWatch {
  readonly #pending = new Map<string, { readonly awake: boolean; readonly since: number }>();
  readonly #delays = { starts: [] as number[], stops: [] as number[] };
  #before: ReadonlyMap<string, boolean> = new Map();
  #lookedAt = Number.NaN;
  #looks = 0;
  #wrong = 0;
  #awake = 0;
  /** Changes that were undone before they showed. */
  missed = 0;

  /**
   * Takes a look at which endpoints were awake at `at`, and what the page showed at `shownAt`. A change counts from
   * the last look that did not see it, so that no delay is taken for shorter than it is.
   */
  look(truth: ReadonlyMap<string, boolean>, at: number, shown: ReadonlySet<string>, shownAt: number): void {
    for (const [endpoint_id, awake] of truth) {
      const before = this.#before.get(endpoint_id);
      if (before !== undefined && before !== awake) {
        if (this.#pending.has(endpoint_id)) this.missed += 1;
        this.#pending.set(endpoint_id, { awake, since: this.#lookedAt });
      }
      if (awake) this.#awake += 1;
      if (shown.has(endpoint_id) !== awake) this.#wrong += 1;
      else this.#settle(endpoint_id, shownAt);
    }
    this.#looks += truth.size;
    this.#before = truth;
    this.#lookedAt = at;
  }

  /** Part of the endpoints the page shows in a state they are not in, over all looks. */
  get wrongShare(): number {
    return this.#wrong / this.#looks;
  }

  get awakeShare(): number {
    return this.#awake / this.#looks;
  }

  get delaysMs(): Delays {
    const { starts, stops } = this.#delays;
    return { starts: starts.toSorted((a, b) => a - b), stops: stops.toSorted((a, b) => a - b) };
  }

  #settle(endpoint_id: string, shownAt: number): void {
    const change = this.#pending.get(endpoint_id);
    if (change === undefined) return;
    this.#pending.delete(endpoint_id);
    this.#delays[change.awake ? 'starts' : 'stops'].push(shownAt - change.since);
  }
}
