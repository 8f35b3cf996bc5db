import { billingCalendar } from '../../cost/calendar/billing-calendar.ts';
import type { Period } from '../../cost/calendar/calendar.ts';
import { expectUse } from '../../cost/forecast/forecast.ts';
import { meteredCost } from '../../cost/forecast/projected-meter.ts';
import { addUpHours, type HourPlaces, placeHours } from '../../cost/forecast/rolling-forecast.ts';
import { expectCost } from '../../cost/forecast/scope-forecast.ts';
import { PriceEstimator } from '../../cost/forecast/scope-price.ts';
import { zoneSlotOf } from '../../cost/forecast/week-slot.ts';
import { amountNumber } from '../../cost/money/money.ts';
import { type CostLine, sumLines } from '../../cost/rating/cost-line.ts';
import { hourMs } from '../../resources/duration.ts';
import type { PriceBook } from '../../resources/price-book.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { ReportSubject } from '../content.ts';
import { type ForecastPeriod, projectMetered } from './member-forecast.ts';
import {
  findKnownHours,
  findRecentUse,
  gatherHours,
  type HourScratch,
  isLongKnown,
  type KnownHours,
  makeScratch,
} from './member-use.ts';

type LinesByProject = ReadonlyMap<number | undefined, readonly CostLine[]>;

/** Whatever is the same for all projects whose accounts are known equally far. */
interface Basis {
  readonly scratch: HourScratch;
  readonly places: HourPlaces;
  /** From where use is known to the end of the period. */
  readonly toCome: Period;
  readonly used: LinesByProject;
  /** Absent without a price book. */
  readonly money?: {
    readonly prices: PriceEstimator;
    /** Lines of the whole period. */
    readonly metered: LinesByProject;
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
  readonly #subject: Pick<ReportSubject, 'history' | 'request' | 'groups'>;
  readonly #period: ForecastPeriod;
  readonly #known = new Map<string, KnownHours | undefined>();
  readonly #bases = new Map<string, Basis>();

  constructor(subject: Pick<ReportSubject, 'history' | 'request' | 'groups'>, period: ForecastPeriod) {
    this.#subject = subject;
    this.#period = period;
  }

  /** @returns undefined where too little is known. */
  expect(project: UsageProject): ProjectForecast | undefined {
    const known = this.#knownOf(project.account);
    if (known === undefined || !isLongKnown(this.#subject.history, known, [project])) return undefined;
    const { scratch, places, toCome, used, money } = this.#basisOf(known);
    const use = gatherHours(this.#subject.history, known, [project], scratch);
    const usedBefore = addUpHours(use, scratch.usedBefore);
    const hours = expectUse({ use, ...places, usedBefore }, toCome.untilAt);
    if (hours === undefined) return undefined;
    const lines = used.get(project.project_ref) ?? [];
    const { usedCuMs, amount } = sumLines(lines);
    const compute = usedCuMs / 1000 + hours.reduce((sum, seconds) => sum + seconds, 0);
    if (money === undefined) return { compute };
    const computed = expectCost(amountNumber(amount), toCome, hours, money.prices.ofProject(project));
    const metered = meteredCost(money.metered.get(project.project_ref) ?? []) - meteredCost(lines);
    return { compute, cost: computed + metered };
  }

  #knownOf(account: string): KnownHours | undefined {
    const { history, request } = this.#subject;
    if (!this.#known.has(account)) this.#known.set(account, findKnownHours(history, [account], request.now));
    return this.#known.get(account);
  }

  #basisOf(known: KnownHours): Basis {
    const key = `${known.first} ${known.until}`;
    const basis = this.#bases.get(key) ?? this.#makeBasis(known);
    this.#bases.set(key, basis);
    return basis;
  }

  #makeBasis(known: KnownHours): Basis {
    const { first, until } = known;
    const { whole, costing, book } = this.#period;
    const { timezone } = this.#subject.request.span;
    const now = until * hourMs;
    return {
      scratch: makeScratch(known),
      places: placeHours(first * hourMs, until - first, zoneSlotOf(timezone)),
      toCome: { fromAt: now, untilAt: whole.untilAt },
      used: byProject(costing.usageLines({ fromAt: whole.fromAt, untilAt: Math.max(now, whole.fromAt) })),
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
    const metered = projectMetered(this.#subject, book, { now, recentUse }).meteredLines(whole);
    return { prices: new PriceEstimator(estimate), metered: byProject(metered) };
  }
}

function byProject(lines: readonly CostLine[]): LinesByProject {
  return Map.groupBy(lines, ({ project }) => project?.project_ref);
}
