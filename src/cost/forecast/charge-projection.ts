import type { MeterMetric } from '../../resources/meter.ts';
import type { UsageLedger, UsageProject } from '../../resources/usage/ledger.ts';
import type { ForecastBounds } from '../../resources/usage/view.ts';
import type { ExpectedSpending } from '../budget/spending-forecast.ts';
import type { Calendar, Period } from '../calendar/calendar.ts';
import { amountNumber } from '../money/money.ts';
import { type CostKind, type CostLine, sumLines, sumLinesBy } from '../rating/cost-line.ts';
import type { Costing } from '../rating/costing.ts';
import { addBounds, type Bound, mapBounds, pairBounds, shiftBounds } from './bound.ts';
import { type Forecast, factorAt } from './forecast.ts';
import { growthFactor } from './metered-growth.ts';
import type { MeteredPast } from './metered-past.ts';
import { type LedgerProjection, projectLedger } from './projected-ledger.ts';
import { meteredCost } from './projected-meter.ts';

interface ChargeProjectionInput extends Pick<LedgerProjection, 'ledger' | 'now' | 'recentUse'> {
  readonly billing: Calendar;
  /** Rates a ledger by the price book. */
  readonly costingOf: (ledger: UsageLedger) => Costing;
  /** The use of an account up to an instant; undefined while too little is known. */
  readonly forecastOf: (account: string, untilAt: number) => Forecast | undefined;
}

/**
 * What accounts are expected to be charged besides usage, in the display currency. A bound is the charges at that bound of
 * the use: more use may mean less of them, where it fills up a minimum.
 */
interface ChargesToCome extends ForecastBounds {
  /** The part of what is expected that is charged once the billing period is over. */
  readonly atEnd: number;
}

const atEndKinds: ReadonlySet<CostKind> = new Set(['minimum', 'rounding']);
const nothing: ChargesToCome = { ...mapBounds(() => 0), atEnd: 0 };

/**
 * Charges as they will be: base fees, free lines and counted things at their level of now, minimums, allowances, credits
 * and taxes by the use that is expected. The charges of each period are kept, and not the costing of a whole fleet behind them.
 */
export class ChargeProjection {
  readonly #input: ChargeProjectionInput;
  readonly #lines = new Map<string, readonly CostLine[]>();
  readonly #metered = new Map<string, readonly CostLine[]>();
  readonly #forecasts = new Map<string, Forecast | undefined>();

  constructor(input: ChargeProjectionInput) {
    this.#input = input;
  }

  /**
   * The charges of the billing periods that begin within a stretch, once they are over.
   *
   * @param isMeant whether a charge counts; those of accounts without a forecast do not.
   */
  charges(begun: Period, isMeant: (line: CostLine) => boolean): ChargesToCome {
    const last = this.#input.billing(begun.untilAt - 1);
    if (last.fromAt < begun.fromAt) return nothing;
    const linesAt = (bound: Bound) => this.#chargeLines(begun, last.untilAt, bound).filter(isMeant);
    const sum = (lines: readonly CostLine[]) => amountNumber(sumLines(lines).amount);
    return {
      ...mapBounds(bound => sum(linesAt(bound))),
      atEnd: sum(linesAt('expected').filter(({ kind }) => atEndKinds.has(kind))),
    };
  }

  /**
   * The cost of metered things in a period, once it is over: they go on as they lately were, with the allowances that are left.
   * At a bound all of them are more, or less, than expected.
   *
   * @param isMeant whether a project counts.
   * @param past that of these projects; without it nothing is known of bounds.
   */
  metered(
    period: Period,
    isMeant: (project: UsageProject) => boolean,
    past: MeteredPast = new Map(),
  ): ForecastBounds {
    const lines = this.meteredLines(period);
    const expected = meteredCost(lines, isMeant);
    return mapBounds(bound => {
      if (bound === 'expected' || past.size === 0 || lines.length === 0) return expected;
      const costing = this.#growing(metric => growthFactor(past, metric, period.untilAt, bound));
      return meteredCost(costing.usageLines(period, isMeant));
    });
  }

  /** The lines of metered things in a period, as they are expected to be once it is over. */
  meteredLines(period: Period): readonly CostLine[] {
    const key = `${period.fromAt} ${period.untilAt}`;
    const lines = this.#metered.get(key) ?? [...this.#expectedMetered(period)];
    this.#metered.set(key, lines);
    return lines;
  }

  /** The cost of metered things by `project_ref`, as `metered` expects it. */
  meteredByProject(period: Period): ReadonlyMap<number, number> {
    const sums = sumLinesBy(this.#expectedMetered(period), ({ project }) => project?.project_ref ?? 0);
    return new Map([...sums].map(([project_ref, { amount }]) => [project_ref, amountNumber(amount)]));
  }

  *#expectedMetered(period: Period): Generator<CostLine> {
    if (this.#input.ledger.metered === undefined) return;
    for (const line of this.#growing(() => 1).usageLines(period)) if (line.kind === 'metered') yield line;
  }

  #growing(growthOf: (metric: MeterMetric) => number): Costing {
    const { ledger, now, recentUse, costingOf } = this.#input;
    return costingOf(projectLedger({ ledger, now, recentUse, useOf: () => undefined, growthOf }));
  }

  #chargeLines(begun: Period, untilAt: number, bound: Bound): readonly CostLine[] {
    const key = `${begun.fromAt} ${untilAt} ${bound}`;
    const { ledger, now, recentUse, costingOf } = this.#input;
    const known = this.#lines.get(key);
    if (known !== undefined) return known;
    const useOf = (account: string) => {
      const forecast = this.#forecast(account, untilAt);
      return forecast && { ...forecast, factor: factorAt(forecast, bound) };
    };
    const isForecast = (account: string) => this.#forecast(account, untilAt) !== undefined;
    const costing = costingOf(projectLedger({ ledger, now, recentUse, useOf }));
    const made = costing.chargeLines(begun, untilAt, isForecast);
    this.#lines.set(key, made);
    return made;
  }

  #forecast(account: string, untilAt: number): Forecast | undefined {
    const key = `${untilAt} ${account}`;
    if (!this.#forecasts.has(key)) this.#forecasts.set(key, this.#input.forecastOf(account, untilAt));
    return this.#forecasts.get(key);
  }
}

/**
 * Spending with the charges to come: what is charged once the billing period is over at its end, all others evenly.
 *
 * @param charged so far, which is part of what is spent.
 */
export function addCharges(
  { stretches, total }: ExpectedSpending,
  charges: ChargesToCome,
  charged: number,
): ExpectedSpending {
  const evenly = (charges.expected - charges.atEnd - charged) / Math.max(1, stretches.length);
  const last = stretches.length - 1;
  return {
    stretches: stretches.map((stretch, index) => ({
      ...stretch,
      amount: stretch.amount + evenly + (index === last ? charges.atEnd : 0),
    })),
    total: shiftBounds(addBounds(total, charges), -charged),
  };
}

/** Charges and what is metered, each at the same bound. */
export function withMetered(charges: ChargesToCome, metered: ForecastBounds): ChargesToCome {
  return { ...pairBounds(metered, charges), atEnd: charges.atEnd };
}
