import { compareWithHabit } from './cost/anomaly.ts';
import { backtest } from './cost/backtest.ts';
import { findFindings } from './cost/finding/finding-list.ts';
import { forecastPast, type PastForecasts } from './cost/past-forecast.ts';
import { UseGathering } from './cost/use-gathering.ts';
import { hourMs, type SlotOf, slotsOfHours } from './cost/week-slot.ts';
import type { UsageHistory } from './history/usage-history.ts';
import type { Finding } from './resources/finding.ts';
import type { UsageProject } from './resources/usage-ledger.ts';
import type { ForecastQuality } from './resources/usage-view.ts';

/** Projects whose use is forecast together: an account, or what counts against a budget. */
export interface ForecastScope {
  readonly name: string;
  readonly isMeant: (project: UsageProject) => boolean;
}

/** What takes long to work out, and changes little within an hour. */
export interface UsageSurvey {
  /** By scope; absent while nothing is known of it. */
  readonly pasts: ReadonlyMap<string, PastForecasts>;
  /** How good forecasts of a month were, by scope. */
  readonly qualities: ReadonlyMap<string, ForecastQuality>;
  /** Compute seconds beyond its habit, of projects that used unusually much, by number. */
  readonly excesses: ReadonlyMap<number, number>;
  readonly findings: readonly Finding[];
  /** CU-milliseconds of the last week, by project. */
  readonly recentUse: ReadonlyMap<number, number>;
}

export interface SurveyOptions {
  readonly slotOf: SlotOf;
  readonly anomalyComputeSeconds: number;
  readonly scopes: readonly ForecastScope[];
  /** Those whose forecasts are looked back on. */
  readonly judged: ReadonlySet<string>;
}

const lookBackHours = 70 * 24;
const recentMs = 7 * 24 * hourMs;
const findingMs = 28 * 24 * hourMs;
const daysOfMonth = 30;

/** Looks through everything that is known until `untilAt`. */
export function surveyUsage(
  history: UsageHistory,
  knownFromAt: number,
  untilAt: number,
  options: SurveyOptions,
): UsageSurvey {
  const { usage } = history;
  const lastHour = Math.floor(untilAt / hourMs);
  const firstHour = Math.max(lastHour - lookBackHours, Math.floor(knownFromAt / hourMs));
  const count = Math.max(0, lastHour - firstHour);
  const firstHourAt = firstHour * hourMs;
  const slots = slotsOfHours(firstHourAt, count, options.slotOf);
  const gatherings = options.scopes.map(scope => ({
    ...scope,
    use: new UseGathering(firstHourAt, count, usage.projects.length),
  }));
  const excesses = new Map<number, number>();
  const recentUse = new Map<number, number>();
  for (const project of usage.projects) {
    const { project_ref, gone_at } = project;
    if (gone_at !== undefined && gone_at <= firstHourAt) continue;
    const hours = history.hours.hours(project_ref, firstHour, count);
    for (const { isMeant, use } of gatherings) if (isMeant(project)) use.add(project, hours);
    recentUse.set(
      project_ref,
      usage.usedUntil(project_ref, untilAt) - usage.usedUntil(project_ref, untilAt - recentMs),
    );
    const from = Math.max(0, Math.floor(((project.created_at ?? 0) - firstHourAt) / hourMs));
    const excess = excessOf({ hours, slots, from, until: count }, options.anomalyComputeSeconds);
    if (gone_at === undefined && excess !== undefined) excesses.set(project_ref, excess);
  }
  const pasts = new Map(
    gatherings.map(({ name, use }) => [name, forecastPast(use.gathered(), options.slotOf)]),
  );
  const findings = usage.projects
    .filter(({ gone_at }) => gone_at === undefined)
    .flatMap(project => history.endpointPasts.endpoints(project, untilAt - findingMs))
    .flatMap(past => findFindings(past));
  return { pasts, qualities: judge(pasts, options.judged), excesses, findings, recentUse };
}

function excessOf(
  project: Parameters<typeof compareWithHabit>[0],
  minimumSeconds: number,
): number | undefined {
  const anomalies = compareWithHabit(project, minimumSeconds).filter(({ isAnomaly }) => isAnomaly);
  return anomalies.length === 0
    ? undefined
    : Math.max(...anomalies.map(({ excessSeconds }) => excessSeconds));
}

function judge(
  pasts: ReadonlyMap<string, PastForecasts>,
  judged: ReadonlySet<string>,
): ReadonlyMap<string, ForecastQuality> {
  return new Map(
    [...pasts].flatMap(([name, past]) => {
      const tested = judged.has(name) ? backtest(past, daysOfMonth) : undefined;
      if (tested === undefined) return [];
      const { meanError, runRateMeanError, coverage80 } = tested;
      return [[name, { meanError, runRateMeanError, coverage80 }] as const];
    }),
  );
}
