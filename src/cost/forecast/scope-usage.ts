import { dayMs } from '../../resources/duration.ts';
import type { GoneUsage, HourlyUsage, YoungUsage } from '../../resources/usage/hourly-usage.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';

/** With more projects than this, young and gone ones are added up by the days they came and went. */
const mostApart = 500;

/** Adds up the usage of the projects of one scope by hour, in the form that forecasts take. */
export class ScopeUsage {
  readonly #firstHourAt: number;
  readonly #isApart: boolean;
  readonly #steady: Float64Array;
  readonly #young = new Map<string, YoungUsage>();
  readonly #gone = new Map<string, GoneUsage>();

  /**
   * @param hours how many there are from `firstHourAt` on.
   * @param projects how many there may be.
   * @param steady holds the sum of projects that were there all the time.
   */
  constructor(
    firstHourAt: number,
    hours: number,
    projects: number,
    steady: Float64Array = new Float64Array(hours),
  ) {
    this.#firstHourAt = firstHourAt;
    this.#isApart = projects <= mostApart;
    this.#steady = steady.fill(0);
  }

  /** @param hours from the first hour on. */
  add(project: UsageProject, hours: Float64Array): void {
    const { project_ref, created_at: bornAt = this.#firstHourAt, gone_at } = project;
    const dayOf = (at: number | undefined) => (at === undefined ? '' : Math.floor(at / dayMs));
    const key = this.#isApart ? String(project_ref) : `${dayOf(bornAt)} ${dayOf(gone_at)}`;
    if (gone_at !== undefined) join(this.#gone, key, { bornAt, goneAt: gone_at, hours });
    else if (bornAt > this.#firstHourAt) join(this.#young, key, { bornAt, hours });
    else addInto(this.#steady, hours);
  }

  hourly(): HourlyUsage {
    return {
      firstHourAt: this.#firstHourAt,
      steady: this.#steady,
      young: [...this.#young.values()],
      gone: [...this.#gone.values()],
    };
  }
}

function join<Use extends YoungUsage>(uses: Map<string, Use>, key: string, use: Use): void {
  const known = uses.get(key);
  if (known === undefined) uses.set(key, { ...use, hours: Float64Array.from(use.hours) });
  else addInto(known.hours, use.hours);
}

function addInto(sum: Float64Array, added: Float64Array): void {
  for (let hour = 0; hour < sum.length; hour += 1) sum[hour] = (sum[hour] ?? 0) + (added[hour] ?? 0);
}
