import { hourMs } from '../../resources/duration.ts';
import {
  type MeteredThing,
  type PriceBook,
  type ThingMetric,
  thingMetrics,
} from '../../resources/price-book.ts';
import type { MeteredLedger, UsageProject } from '../../resources/usage/ledger.ts';
import type { Period } from '../calendar/calendar.ts';
import { amountOfUse } from '../money/money.ts';
import { joinStretches, subtractStretches } from '../price/dated.ts';
import type { UsedUntil } from '../price/included-usage.ts';
import { type MeteredUnit, tariffOf, unitOf } from '../price/metered-tariff.ts';
import { priceSegments } from '../price/price-lookup.ts';
import { type CostLine, noUse } from './cost-line.ts';
import { showQuantity } from './counted-line.ts';
import type { DatedAssignment, PlanPart } from './plan-history.ts';
import { chargeFor, type PricedBand, priceBands } from './priced-band.ts';
import { type RatedPeriod, ratePeriod, rememberRated } from './rated-period.ts';

/** A part of a billing period in which a project has a plan. */
interface MeteredPart {
  readonly project: UsageProject;
  readonly assignment: DatedAssignment;
  readonly period: Period;
  readonly part: Period;
}

/** Something that a project was metered without a price: an amount in the units of the meter. */
export interface UnpricedAmount {
  readonly project: UsageProject;
  readonly metric: ThingMetric;
  readonly parts: number;
}

/** Rates what the meter of the service counts besides compute; each thing of a plan is rated once a billing period. */
export class MeteredRating {
  readonly #book: PriceBook;
  readonly #ledger: MeteredLedger;
  readonly #rate = rememberRated<MeteredThing>((...rated) => this.#rateAnew(...rated));

  constructor(book: PriceBook, ledger: MeteredLedger) {
    this.#book = book;
    this.#ledger = ledger;
  }

  /** Lines for each thing of the plan, one for each price, tier and exchange rate. What has no price has no line. */
  lines(metered: MeteredPart): CostLine[] {
    const { project, assignment, period, part } = metered;
    return (assignment.plan.metered ?? []).flatMap(thing => {
      const unit = unitOf(thing.metric, this.#book.meter);
      return priceBands(project.project_ref, this.#rate(assignment, period, thing), part)
        .filter(({ price }) => price !== undefined)
        .map(band => lineOf(metered, thing, unit, band));
    });
  }

  /** Amounts of a part of a project's time that have no price, by metric. */
  unpriced(project: UsageProject, { assignment, part }: PlanPart): UnpricedAmount[] {
    const things = assignment?.plan.metered ?? [];
    return thingMetrics.flatMap(metric => {
      const priced = things
        .filter(thing => thing.metric === metric)
        .flatMap(thing => this.#pricedTime(assignment, thing, part));
      const parts = subtractStretches(part, joinStretches(priced)).reduce((sum, { fromAt, untilAt }) => {
        const until = (at: number) => this.#ledger.meteredUntil(project.project_ref, metric, at);
        return sum + until(untilAt) - until(fromAt);
      }, 0);
      return parts === 0 ? [] : [{ project, metric, parts }];
    });
  }

  /** When what projects of a plan share of each thing was used up. */
  usedUpAt(assignment: DatedAssignment, period: Period): number[] {
    return (assignment.plan.metered ?? []).flatMap(thing => [
      ...this.#rate(assignment, period, thing).usedUpAt(),
    ]);
  }

  #pricedTime(assignment: DatedAssignment | undefined, thing: MeteredThing, part: Period): Period[] {
    if (assignment === undefined) return [];
    const tariff = tariffOf(assignment.plan, thing, unitOf(thing.metric, this.#book.meter));
    return priceSegments(this.#book, tariff, part).filter(({ tiers }) => tiers.length > 0);
  }

  #rateAnew(assignment: DatedAssignment, period: Period, thing: MeteredThing): RatedPeriod {
    const all: UsedUntil = (project_ref, at) => this.#ledger.meteredUntil(project_ref, thing.metric, at);
    const { includedAtOnce } = thing;
    const usedUntil = includedAtOnce === undefined ? all : excessOf(all, includedAtOnce, period);
    const tariff = tariffOf(assignment.plan, thing, unitOf(thing.metric, this.#book.meter));
    return ratePeriod(this.#book, assignment, period, usedUntil, tariff);
  }
}

function lineOf(
  { project, assignment: { plan } }: MeteredPart,
  { name }: MeteredThing,
  { name: unit, parts }: MeteredUnit,
  band: PricedBand,
): CostLine {
  const { fromAt, untilAt, tier, included, billed } = band;
  const show = (use: number) => showQuantity(amountOfUse(use, '1', parts));
  return {
    kind: 'metered',
    ...{ account: project.account, project, plan: plan.name, name },
    quantity: { value: show(billed), unit, ...(included > 0 && { included: show(included) }) },
    ...(tier !== undefined && { tier }),
    ...{ fromAt, untilAt, ...noUse },
    ...chargeFor(band, plan.currency, parts),
  };
}

/**
 * What projects used beyond so much in each hour, from the beginning of a billing period on: what one hour leaves is lost to
 * the others.
 *
 * @param perHour free in each hour, in whole parts.
 */
export function excessOf(usedUntil: UsedUntil, perHour: number, { fromAt, untilAt }: Period): UsedUntil {
  const sums = new Map<number, readonly number[]>();
  const sumUp = (project_ref: number): readonly number[] => {
    const found = [0];
    let before = usedUntil(project_ref, fromAt);
    let total = 0;
    for (let at = fromAt; at < untilAt; at += hourMs) {
      const after = usedUntil(project_ref, Math.min(at + hourMs, untilAt));
      total += Math.max(0, after - before - perHour);
      before = after;
      found.push(total);
    }
    return found;
  };
  return (project_ref, at) => {
    const totals = sums.get(project_ref) ?? sumUp(project_ref);
    sums.set(project_ref, totals);
    const hours = Math.max(0, Math.min(totals.length - 1, (at - fromAt) / hourMs));
    const [before = 0, after = 0] = [totals[Math.floor(hours)], totals[Math.ceil(hours)]];
    return before + Math.floor((after - before) * (hours % 1));
  };
}
