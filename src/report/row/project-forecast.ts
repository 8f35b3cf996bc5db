import { billingCalendar } from '../../cost/calendar/billing-calendar.ts';
import type { Period } from '../../cost/calendar/calendar.ts';
import { expectUse } from '../../cost/forecast/forecast.ts';
import {
  addUpHours,
  type HourPlaces,
  hourClockOf,
  placeHours,
} from '../../cost/forecast/rolling-forecast.ts';
import { expectCost, hoursWithin } from '../../cost/forecast/scope-forecast.ts';
import { PriceEstimator } from '../../cost/forecast/scope-price.ts';
import { amountNumber } from '../../cost/money/money.ts';
import { type CostLine, CostTally } from '../../cost/rating/cost-line.ts';
import { hourMs } from '../../resources/duration.ts';
import type { PriceBook } from '../../resources/price-book.ts';
import { sumOf } from '../../resources/sum.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { PricedSubject } from '../content.ts';
import type { HourSpan } from '../usage-view/analysis.ts';
import { type ForecastPeriod, projectMetered } from './member-forecast.ts';
import {
  endOf,
  findKnownHours,
  findRecentUse,
  gatherHours,
  type HourScratch,
  isLongKnown,
  knownUntilOf,
  makeScratch,
} from './member-use.ts';

/** What a project used so far in a period. */
interface UsedSoFar {
  readonly cuMs: number;
  /** In the display currency, of compute and of metered things. */
  readonly cost: number;
  /** Of metered things alone. */
  readonly meteredCost: number;
}

const nothing: UsedSoFar = { cuMs: 0, cost: 0, meteredCost: 0 };

/** Whatever is the same for all projects whose accounts are known equally long. */
interface Basis {
  readonly scratch: HourScratch;
  readonly places: HourPlaces;
  /** The hours that are forecast. */
  readonly toCome: Period;
  /** From where use is known to the end of the period. */
  readonly rest: Period;
  /** By `project_ref`. */
  readonly used: ReadonlyMap<number, UsedSoFar>;
  /** Absent without a price book. */
  readonly money?: {
    readonly prices: PriceEstimator;
    /** Of the whole period, by `project_ref`. */
    readonly metered: ReadonlyMap<number, number>;
  };
}

/** What a project is expected to use and cost in a whole period. */
export interface ProjectForecast {
  /** Compute seconds. */
  readonly compute: number;
  /** Compute, and what is metered; absent without a price book. */
  readonly cost?: number;
}

/**
 * Forecasts each project of a fleet in an open period: as `forecastMembers` has it of that project, without bounds, which take
 * most of the time.
 */
export class ProjectForecasts {
  readonly #subject: PricedSubject;
  readonly #period: ForecastPeriod;
  readonly #known = new Map<string, HourSpan | undefined>();
  readonly #bases = new Map<string, Basis>();

  constructor(subject: PricedSubject, period: ForecastPeriod) {
    this.#subject = subject;
    this.#period = period;
  }

  /** @returns undefined where too little is known. */
  expect(project: UsageProject): ProjectForecast | undefined {
    const known = this.#knownOf(project.account);
    if (known === undefined || !isLongKnown(this.#subject.history, known, [project])) return undefined;
    const { scratch, places, toCome, rest, used, money } = this.#basisOf(known, project.account);
    const use = gatherHours(this.#subject.history, known, [project], scratch);
    const usedBefore = addUpHours(use, scratch.usedBefore);
    const expected = expectUse({ use, ...places, usedBefore }, toCome.untilAt);
    if (expected === undefined) return undefined;
    const hours = hoursWithin(toCome, expected, rest);
    const { cuMs, cost, meteredCost } = used.get(project.project_ref) ?? nothing;
    const compute = cuMs / 1000 + sumOf(hours);
    if (money === undefined) return { compute };
    const computed = expectCost(toCome, hours, money.prices.ofProject(project));
    const metered = (money.metered.get(project.project_ref) ?? 0) - meteredCost;
    return { compute, cost: cost + computed + metered };
  }

  #knownOf(account: string): HourSpan | undefined {
    const { history, request } = this.#subject;
    if (!this.#known.has(account)) this.#known.set(account, findKnownHours(history, [account], request.now));
    return this.#known.get(account);
  }

  #basisOf(known: HourSpan, account: string): Basis {
    const { history, request } = this.#subject;
    const now = knownUntilOf(history, [account], request.now);
    const key = `${known.first} ${known.count} ${now}`;
    const basis = this.#bases.get(key) ?? this.#makeBasis(known, now);
    this.#bases.set(key, basis);
    return basis;
  }

  #makeBasis(known: HourSpan, now: number): Basis {
    const { first, count } = known;
    const { whole, costing, book } = this.#period;
    const { timezone } = this.#subject.request.config.usage;
    const rest = { fromAt: Math.max(now, whole.fromAt), untilAt: whole.untilAt };
    return {
      scratch: makeScratch(known),
      places: placeHours(first * hourMs, count, hourClockOf(timezone)),
      toCome: { fromAt: endOf(known), untilAt: whole.untilAt },
      rest,
      used: sumByProject(costing.usageLines({ fromAt: whole.fromAt, untilAt: rest.fromAt })),
      ...(book && { money: this.#makeMoney(book, now) }),
    };
  }

  #makeMoney(book: PriceBook, now: number): NonNullable<Basis['money']> {
    const { history } = this.#subject;
    const { whole, costing } = this.#period;
    const recentUse = findRecentUse(history, now);
    const billing = billingCalendar(book.billingPeriod);
    const assignments = costing.assignmentsAt(now);
    const estimate = { book, ledger: history.usage, assignments, recentUse, billing, now };
    const metered = projectMetered(this.#subject, book, { now, recentUse }).meteredByProject(whole);
    return { prices: new PriceEstimator(estimate), metered };
  }
}

function sumByProject(lines: Iterable<CostLine>): ReadonlyMap<number, UsedSoFar> {
  const tallies = new Map<number, { readonly all: CostTally; readonly metered: CostTally }>();
  for (const line of lines) {
    const { project_ref = 0 } = line.project ?? {};
    const found = tallies.get(project_ref) ?? { all: new CostTally(), metered: new CostTally() };
    tallies.set(project_ref, found);
    found.all.add(line);
    if (line.kind === 'metered') found.metered.add(line);
  }
  return new Map(
    [...tallies].map(([project_ref, { all, metered }]) => {
      const { usedCuMs, amount } = all.sum();
      const meteredCost = amountNumber(metered.sum().amount);
      return [project_ref, { cuMs: usedCuMs, cost: amountNumber(amount), meteredCost }];
    }),
  );
}
