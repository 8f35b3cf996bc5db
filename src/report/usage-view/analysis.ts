import type { ReviewCase } from '../../cost/finding/finding-review.ts';
import { findAnomaly } from '../../cost/forecast/anomaly.ts';
import { backtest } from '../../cost/forecast/backtest.ts';
import { findMeteredAnomalies, type MeterHabit } from '../../cost/forecast/metered-anomaly.ts';
import { type MeteredPast, rollMeter } from '../../cost/forecast/metered-past.ts';
import {
  type HourClock,
  type RollingForecasts,
  rollForecasts,
} from '../../cost/forecast/rolling-forecast.ts';
import { ScopeUsage } from '../../cost/forecast/scope-usage.ts';
import { slotsOfHours } from '../../cost/forecast/week-slot.ts';
import type { UsageHistory } from '../../history/usage/usage-history.ts';
import { dayMs, hourMs } from '../../resources/duration.ts';
import { compact } from '../../resources/field.ts';
import type { MeterAmounts } from '../../resources/meter.ts';
import { maxOf, minOf } from '../../resources/min-max.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { AccountFindings, ForecastQuality } from '../../resources/usage/view.ts';
import { lookForFindings } from './account-finding.ts';

/** An account with the time its use is known for, in epoch milliseconds. */
export interface AccountSpan {
  readonly account: string;
  readonly knownFromAt: number;
  readonly knownUntilAt: number;
}

/** Projects whose use is forecast together: an account, or what counts against a budget. */
interface ForecastScope {
  readonly name: string;
  /** Accounts that its projects are looked for in. */
  readonly accounts: readonly string[];
  readonly isMeant: (project: UsageProject) => boolean;
  /** Whether its forecasts are tested against what came. */
  readonly isTested: boolean;
}

/** Forecasts, anomalies and findings over the usage history: slow to work out, and much the same for an hour. */
export interface UsageAnalysis {
  /** Forecasts by scope; absent while nothing is known of it. */
  readonly forecasts: ReadonlyMap<string, RollingForecasts>;
  /** Metered amounts day by day, by scope; none where there is no meter. */
  readonly meteredPasts: ReadonlyMap<string, MeteredPast>;
  /** How far forecasts of a month were off, by scope. */
  readonly qualities: ReadonlyMap<string, ForecastQuality>;
  /** Compute seconds beyond the habit of a project, by `project_ref`; projects with an anomaly alone. */
  readonly anomalies: ReadonlyMap<number, number>;
  /** Bytes and branches beyond the habit of a project, likewise; by metric. */
  readonly meteredAnomalies: ReadonlyMap<number, MeterAmounts>;
  /** By account, of each that was analyzed. Empty where none are looked for. */
  readonly findings: ReadonlyMap<string, AccountFindings>;
  /** CU-milliseconds used in the last week, by `project_ref`. */
  readonly recentUse: ReadonlyMap<number, number>;
}

interface AnalysisOptions {
  readonly clock: HourClock;
  readonly anomalyComputeSeconds: number;
  readonly meterHabit: MeterHabit;
  readonly scopes: readonly ForecastScope[];
  /** By which findings are looked for; absent where they are not. */
  readonly review?: Pick<ReviewCase, 'rules' | 'prices' | 'reviewed'>;
}

const analyzedHours = 70 * 24;
const recentMs = 7 * dayMs;
const daysOfMonth = 30;

/** Hours of UTC since 1970. */
export interface HourSpan {
  readonly first: number;
  readonly count: number;
}

interface GatheringOptions extends Pick<AnalysisOptions, 'clock' | 'anomalyComputeSeconds'> {
  readonly scopes: readonly (ForecastScope & { readonly span: HourSpan; readonly use: ScopeUsage })[];
}

interface AnalyzedProject {
  readonly project_ref: number;
  /** CU-milliseconds used in the last week. */
  readonly recent: number;
  /** Compute seconds beyond its habit; undefined where there is no anomaly. */
  readonly anomalySeconds: number | undefined;
}

/**
 * Analyzes everything that is known of some accounts. It takes seconds for a large fleet.
 *
 * @param accounts the accounts something is known of, each until its own last list poll.
 */
export function analyzeUsage(
  history: UsageHistory,
  accounts: readonly AccountSpan[],
  options: AnalysisOptions,
): UsageAnalysis {
  const { usage } = history;
  const known = new Map(accounts.map(account => [account.account, account]));
  const gatherings = options.scopes.flatMap(scope => {
    const members = scope.accounts.flatMap(account => known.get(account) ?? []);
    if (members.length === 0) return [];
    const span = spanOf(members);
    const use = new ScopeUsage(span.first * hourMs, span.count, usage.projects.length);
    return [{ ...scope, span, use }];
  });
  const byAccount = Map.groupBy(usage.projects, project => project.account);
  const analyzed = [...byAccount].flatMap(([account, projects]) => {
    const own = known.get(account);
    const scopes = gatherings.filter(scope => scope.accounts.includes(account));
    return own === undefined ? [] : [...gatherUse(history, own, projects, { ...options, scopes })];
  });
  const anomalies = new Map(
    analyzed.flatMap(({ project_ref, anomalySeconds }) =>
      anomalySeconds === undefined ? [] : [[project_ref, anomalySeconds] as const],
    ),
  );
  const recentUse = new Map(analyzed.map(({ project_ref, recent }) => [project_ref, recent]));
  const forecasts = new Map(
    gatherings.map(({ name, use }) => [name, rollForecasts(use.hourly(), options.clock)]),
  );
  const { review } = options;
  const findings = new Map(
    accounts.map(own => {
      const projects = byAccount.get(own.account) ?? [];
      return [own.account, review ? lookForFindings(history, own, projects, review) : {}] as const;
    }),
  );
  const { metered } = usage;
  const meteredAnomalies = new Map(
    accounts.flatMap(own => {
      const projects = byAccount.get(own.account)?.filter(({ gone_at }) => gone_at === undefined) ?? [];
      return metered === undefined
        ? []
        : [...findMeteredAnomalies(metered, own, projects, options.meterHabit)];
    }),
  );
  const meteredPasts = rollMeters(usage, gatherings);
  const qualities = testForecasts(
    forecasts,
    gatherings.filter(({ isTested }) => isTested),
  );
  return { meteredPasts, forecasts, qualities, anomalies, meteredAnomalies, findings, recentUse };
}

/** The metered past of each scope. */
function rollMeters(
  { metered, projects }: UsageHistory['usage'],
  scopes: readonly ForecastScope[],
): ReadonlyMap<string, MeteredPast> {
  if (metered === undefined) return new Map();
  const all = [...projects, ...metered.others];
  return new Map(
    scopes.map(({ name, accounts, isMeant }) => [
      name,
      rollMeter(
        metered,
        all.filter(project => accounts.includes(project.account) && isMeant(project)),
      ),
    ]),
  );
}

/** Adds the use of an account's projects to the scopes they are in, and compares each with its habit. */
function* gatherUse(
  { hours: hourly, usage }: UsageHistory,
  { knownFromAt, knownUntilAt }: AccountSpan,
  projects: readonly UsageProject[],
  { scopes, clock: { slotOf }, anomalyComputeSeconds }: GatheringOptions,
): Generator<AnalyzedProject> {
  const own = spanOf([{ knownFromAt, knownUntilAt }]);
  const slots = slotsOfHours(own.first * hourMs, own.count, slotOf);
  // A scope of several accounts may end, and so begin, earlier than this account alone.
  const earliest = Math.min(own.first, minOf(scopes.map(({ span }) => span.first)));
  const all = new Float64Array(own.first + own.count - earliest);
  const cut = ({ first, count }: HourSpan) => all.subarray(first - earliest, first - earliest + count);
  for (const project of projects) {
    const { project_ref, gone_at } = project;
    // The use before its first reading may be left out: then it has no habit from before.
    const bornAt = usage.unattributedOf(project_ref)?.untilAt ?? project.created_at;
    if (gone_at !== undefined && gone_at <= earliest * hourMs) continue;
    hourly.hours(project_ref, earliest, all.length, all);
    for (const { isMeant, span, use } of scopes) {
      if (isMeant(project)) use.add({ ...project, ...compact({ created_at: bornAt }) }, cut(span));
    }
    const from = Math.max(0, Math.floor((bornAt ?? 0) / hourMs) - own.first);
    const habit = { amounts: cut(own), slots, from, until: own.count };
    const recent = recentUseOf(usage, project_ref, knownUntilAt);
    const anomalySeconds = gone_at === undefined ? findAnomaly(habit, anomalyComputeSeconds) : undefined;
    yield { project_ref, recent, anomalySeconds };
  }
}

/** CU-milliseconds that a project used in the last week before an instant. */
export function recentUseOf(usage: UsageHistory['usage'], project_ref: number, at: number): number {
  return usage.usedUntil(project_ref, at) - usage.usedUntil(project_ref, at - recentMs);
}

/** The whole hours that are known of all these accounts, as many as are analyzed. */
export function spanOf(accounts: readonly Omit<AccountSpan, 'account'>[]): HourSpan {
  const until = Math.floor(minOf(accounts.map(({ knownUntilAt }) => knownUntilAt)) / hourMs);
  const from = Math.floor(maxOf(accounts.map(({ knownFromAt }) => knownFromAt)) / hourMs);
  const first = Math.max(from, until - analyzedHours);
  return { first, count: Math.max(0, until - first) };
}

function testForecasts(
  forecasts: ReadonlyMap<string, RollingForecasts>,
  scopes: readonly ForecastScope[],
): ReadonlyMap<string, ForecastQuality> {
  return new Map(
    scopes.flatMap(({ name }) => {
      const forecast = forecasts.get(name);
      const quality = forecast && backtest(forecast, daysOfMonth);
      if (quality === undefined) return [];
      const { meanError, runRateMeanError, coverage80 } = quality;
      return [[name, { meanError, runRateMeanError, coverage80 }] as const];
    }),
  );
}
