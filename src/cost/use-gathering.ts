import type { GoneUse, HourlyUse, YoungUse } from '../resources/hourly-use.ts';
import type { UsageProject } from '../resources/usage-ledger.ts';
import { hourMs } from './week-slot.ts';

/** More young or gone projects than this are taken together by the day they came. */
const mostApart = 500;
const dayMs = 24 * hourMs;

/** Adds up what the projects of one scope used by the hour, as forecasts want it. */
export class UseGathering {
  readonly #firstHourAt: number;
  readonly #settled: Float64Array;
  #young: YoungUse[] = [];
  #gone: GoneUse[] = [];

  /** @param hours how many there are from `firstHourAt` on. */
  constructor(firstHourAt: number, hours: number) {
    this.#firstHourAt = firstHourAt;
    this.#settled = new Float64Array(hours);
  }

  /** @param hours is kept. */
  add({ created_at = this.#firstHourAt, gone_at }: UsageProject, hours: Float64Array): void {
    if (gone_at !== undefined) this.#gone.push({ bornAt: created_at, goneAt: gone_at, hours });
    else if (created_at > this.#firstHourAt) this.#young.push({ bornAt: created_at, hours });
    else addInto(this.#settled, hours);
  }

  gathered(): HourlyUse {
    return {
      firstHourAt: this.#firstHourAt,
      settled: this.#settled,
      young: this.#young.length > mostApart ? joinByDay(this.#young, () => '') : this.#young,
      gone:
        this.#gone.length > mostApart
          ? joinByDay(this.#gone, ({ goneAt }) => String(Math.floor(goneAt / dayMs)))
          : this.#gone,
    };
  }
}

/** Each has as many hours as the others. */
function joinByDay<Use extends YoungUse>(uses: readonly Use[], endOf: (use: Use) => string): Use[] {
  const days = Map.groupBy(uses, use => `${Math.floor(use.bornAt / dayMs)} ${endOf(use)}`);
  return [...days.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const hours = Float64Array.from(first.hours);
    for (const other of others) addInto(hours, other.hours);
    return [{ ...first, hours }];
  });
}

function addInto(sum: Float64Array, added: Float64Array): void {
  for (let hour = 0; hour < sum.length; hour += 1) sum[hour] = (sum[hour] ?? 0) + (added[hour] ?? 0);
}
