import type { MeterMetric } from '../../resources/meter.ts';
import type { UsageLedger, UsageProject } from '../../resources/usage/ledger.ts';
import type { ForecastBounds } from '../../resources/usage/view.ts';
import type { ExpectedSpending, SpendingBounds } from '../budget/spending-forecast.ts';
import type { Calendar, Period } from '../calendar/calendar.ts';
import { amountNumber } from '../money/money.ts';
import { type CostKind, type CostLine, sumLines, sumLinesBy } from '../rating/cost-line.ts';
import type { Costing } from '../rating/costing.ts';
import type { Forecast } from './forecast.ts';
import { type GrowthBound, growthFactor } from './metered-growth.ts';
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
const nothing: ChargesToCome = { expected: 0, low80: 0, high80: 0, low95: 0, high95: 0, atEnd: 0 };

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
    const sum = (bound: keyof ForecastBounds) => {
      const lines = this.#chargeLines(begun, last.untilAt, bound).filter(isMeant);
      const total = (chosen: typeof lines) => amountNumber(sumLines(chosen).amount);
      return { all: total(lines), atEnd: total(lines.filter(({ kind }) => atEndKinds.has(kind))) };
    };
    const { all: expected, atEnd } = sum('expected');
    return {
      expected,
      atEnd,
      low80: sum('low80').all,
      high80: sum('high80').all,
      low95: sum('low95').all,
      high95: sum('high95').all,
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
    const at = (bound: GrowthBound) =>
      past.size === 0 || lines.length === 0
        ? expected
        : meteredCost(
            this.#growing(metric => growthFactor(past, metric, period.untilAt, bound)).usageLines(
              period,
              isMeant,
            ),
          );
    return { expected, low80: at('low80'), high80: at('high80'), low95: at('low95'), high95: at('high95') };
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

  #chargeLines(begun: Period, untilAt: number, bound: keyof ForecastBounds): readonly CostLine[] {
    const key = `${begun.fromAt} ${untilAt} ${bound}`;
    const { ledger, now, recentUse, costingOf } = this.#input;
    const known = this.#lines.get(key);
    if (known !== undefined) return known;
    const useOf = (account: string) => {
      const forecast = this.#forecast(account, untilAt);
      return forecast && { ...forecast, factor: factorOf(forecast, bound) };
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

function factorOf({ expected, within80, within95 }: Forecast, bound: keyof ForecastBounds): number {
  const totals = {
    expected,
    low80: within80.low,
    high80: within80.high,
    low95: within95.low,
    high95: within95.high,
  };
  return expected > 0 ? totals[bound] / expected : 0;
}

/**
 * Spending with the charges to come: what is charged once the billing period is over at its end, all others evenly.
 *
 * @param charged so far, which is part of what is spent.
 */
export function addCharges(
  { expected, bounds }: ExpectedSpending,
  charges: ChargesToCome,
  charged: number,
): ExpectedSpending {
  const evenly = (charges.expected - charges.atEnd - charged) / Math.max(1, expected.length);
  const last = expected.length - 1;
  const plus = (bound: keyof SpendingBounds) => bounds[bound] + charges[bound] - charged;
  return {
    expected: expected.map((stretch, index) => ({
      ...stretch,
      amount: stretch.amount + evenly + (index === last ? charges.atEnd : 0),
    })),
    bounds: { low80: plus('low80'), high80: plus('high80'), low95: plus('low95'), high95: plus('high95') },
  };
}

/** The rest to come of a cost, besides the part that is there already. */
export function lessSoFar(cost: ForecastBounds, soFar: number): ForecastBounds {
  return {
    expected: cost.expected - soFar,
    low80: cost.low80 - soFar,
    high80: cost.high80 - soFar,
    low95: cost.low95 - soFar,
    high95: cost.high95 - soFar,
  };
}

/** Charges and what is metered, with the bounds of both. */
export function withMetered(charges: ChargesToCome, metered: ForecastBounds): ChargesToCome {
  return { ...withCharges(metered, charges), atEnd: charges.atEnd };
}

/** The forecast of a whole period in money with its charges. */
export function withCharges(usage: ForecastBounds, charges: ChargesToCome): ForecastBounds {
  return {
    expected: usage.expected + charges.expected,
    low80: usage.low80 + charges.low80,
    high80: usage.high80 + charges.high80,
    low95: usage.low95 + charges.low95,
    high95: usage.high95 + charges.high95,
  };
}
