import type { Bounds, StoredRow } from './page/tree-page.ts';
import type { SalvageTable } from './salvage-table.ts';
import type { TableShape } from './table-shape.ts';

/** The time that rows are of which cannot be read: between those beside them, or else anywhere in what is known. */
export class LostPeriod {
  readonly #at: number;
  readonly #unitMs: number;
  #savedFrom = Number.POSITIVE_INFINITY;
  #savedUntil = Number.NEGATIVE_INFINITY;
  #from = Number.POSITIVE_INFINITY;
  #until = Number.NEGATIVE_INFINITY;
  #isAnywhere = false;

  constructor({ period }: SalvageTable, { columns }: TableShape) {
    this.#at = columns.findIndex(({ name }) => name === period?.column);
    this.#unitMs = period?.unitMs ?? 1;
  }

  noteSaved({ values }: StoredRow): void {
    const at = values[this.#at];
    if (typeof at !== 'number') return;
    if (at < this.#savedFrom) this.#savedFrom = at;
    if (at > this.#savedUntil) this.#savedUntil = at;
  }

  noteLost({ after = [], before = [] }: Bounds): void {
    const [from, until] = [after[1], before[1]];
    const isOfOne = this.#at === 1 && after[0] === before[0];
    if (!isOfOne || typeof from !== 'number' || typeof until !== 'number') {
      this.#isAnywhere = true;
      return;
    }
    this.#from = Math.min(this.#from, from);
    this.#until = Math.max(this.#until, until);
  }

  /** In epoch milliseconds. */
  find(): { readonly lostFromAt?: number; readonly lostUntilAt?: number } {
    const from = this.#isAnywhere ? Math.min(this.#from, this.#savedFrom) : this.#from;
    const until = this.#isAnywhere ? Math.max(this.#until, this.#savedUntil) : this.#until;
    if (this.#at < 0 || from > until) return {};
    return { lostFromAt: from * this.#unitMs, lostUntilAt: until * this.#unitMs };
  }
}
