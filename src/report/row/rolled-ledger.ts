import type { ReportHistory } from '../../history/usage/report-history.ts';
import { dayMs } from '../../history/usage/roll-up-grid.ts';
import type { UsageLedger } from '../../resources/usage/ledger.ts';

/** The same readings as those of the history, all midnights at once from the roll-ups where they are. */
export class RolledLedger implements UsageLedger {
  readonly #past: ReportHistory;
  readonly #firstDay: number;
  readonly #days: number;
  readonly #used = new Map<number, Float64Array>();
  readonly #compute = new Map<number, Float64Array>();

  constructor(
    past: ReportHistory,
    { fromAt, untilAt }: { readonly fromAt: number; readonly untilAt: number },
  ) {
    this.#past = past;
    this.#firstDay = Math.floor(fromAt / dayMs);
    this.#days = Math.floor(untilAt / dayMs) - this.#firstDay + 1;
  }

  get projects() {
    return this.#past.usage.projects;
  }

  knownUntil(account: string): number | undefined {
    return this.#past.usage.knownUntil(account);
  }

  knownFrom(account: string): number | undefined {
    return this.#past.usage.knownFrom(account);
  }

  usedUntil(project_ref: number, at: number): number {
    const read = () => this.#past.rollUps.used(project_ref, this.#firstDay, this.#days);
    return this.#read(this.#used, project_ref, at, read) ?? this.#past.usage.usedUntil(project_ref, at);
  }

  /** The mean of the bounds of what an endpoint used before an instant, in CU-milliseconds. */
  computeUntil(endpoint_ref: number, at: number): number {
    const read = () => this.#past.rollUps.compute(endpoint_ref, this.#firstDay, this.#days);
    const known = this.#read(this.#compute, endpoint_ref, at, read);
    if (known !== undefined) return known;
    const { lower, upper } = this.#past.activity.computeUntil(endpoint_ref, at);
    return (lower + upper) / 2;
  }

  /** Undefined where only a reading of its own tells. */
  #read(
    known: Map<number, Float64Array>,
    ref: number,
    at: number,
    read: () => Float64Array,
  ): number | undefined {
    if (at % dayMs !== 0) return undefined;
    const totals = known.get(ref) ?? read();
    known.set(ref, totals);
    const total = totals[at / dayMs - this.#firstDay];
    return total === undefined || Number.isNaN(total) ? undefined : total;
  }
}
