interface Entry {
  readonly key: string;
  readonly at: number;
  readonly amount: number;
}

/** What entries of a key come to before an instant. */
export class RunningTotals {
  readonly #entries: ReadonlyMap<string, readonly Entry[]>;

  constructor(entries: readonly Entry[]) {
    const totals = new Map<string, Entry[]>();
    for (const entry of entries.toSorted((a, b) => a.at - b.at)) {
      const own = totals.get(entry.key) ?? [];
      totals.set(entry.key, own);
      own.push({ ...entry, amount: (own.at(-1)?.amount ?? 0) + entry.amount });
    }
    this.#entries = totals;
  }

  until(key: string, until: number): number {
    const own = this.#entries.get(key) ?? [];
    let [before, after] = [0, own.length];
    while (before < after) {
      const middle = (before + after) >> 1;
      if ((own[middle]?.at ?? 0) < until) before = middle + 1;
      else after = middle;
    }
    return own[before - 1]?.amount ?? 0;
  }
}
