import { leastHistoryHours } from '../../cost/forecast/rolling-forecast.ts';
import { ScopeUsage } from '../../cost/forecast/scope-usage.ts';
import type { ReportHistory } from '../../history/usage/report-history.ts';
import { dayMs, hourMs } from '../../resources/duration.ts';
import { maxOf, minOf } from '../../resources/min-max.ts';
import type { HourlyUsage } from '../../resources/usage/hourly-usage.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';

const analyzedHours = 70 * 24;
const recentMs = 7 * dayMs;

/** Hours since 1970 that are known of some accounts, as many as a forecast looks at; `until` is the first that is not. */
export interface KnownHours {
  readonly first: number;
  readonly until: number;
}

/** @returns undefined where nothing is known. */
export function findKnownHours(
  { usage }: Pick<ReportHistory, 'usage'>,
  accounts: readonly string[],
  now: number,
): KnownHours | undefined {
  const known = accounts.map(account => ({
    fromAt: usage.knownFrom(account) ?? Number.POSITIVE_INFINITY,
    untilAt: Math.min(usage.knownUntil(account) ?? 0, now),
  }));
  const until = Math.floor(minOf(known.map(({ untilAt }) => untilAt)) / hourMs);
  const from = Math.floor(maxOf(known.map(({ fromAt }) => fromAt)) / hourMs);
  const first = Math.max(from, until - analyzedHours);
  return Number.isFinite(first) && until > first ? { first, until } : undefined;
}

/**
 * Whether one of some projects is known for as long as a forecast needs: of a project that is still to be imported, nothing is
 * from before its first reading.
 */
export function isLongKnown(
  { usage }: Pick<ReportHistory, 'usage'>,
  { until }: KnownHours,
  members: readonly UsageProject[],
): boolean {
  const neededAt = (until - leastHistoryHours) * hourMs;
  return members.some(({ project_ref }) => (usage.unattributedOf(project_ref)?.untilAt ?? 0) <= neededAt);
}

/** Arrays of numbers by hour that are used again for one project after the other: thousands of them take long to be collected. */
export interface HourScratch {
  readonly hours: Float64Array;
  readonly steady: Float64Array;
  readonly usedBefore: Float64Array;
}

export function makeScratch({ first, until }: KnownHours): HourScratch {
  const count = until - first;
  return {
    hours: new Float64Array(count),
    steady: new Float64Array(count),
    usedBefore: new Float64Array(count + 1),
  };
}

/**
 * The use of some projects by hour.
 *
 * @param scratch holds it until it is used again.
 */
export function gatherHours(
  { usage, hours }: Pick<ReportHistory, 'usage' | 'hours'>,
  known: KnownHours,
  members: readonly UsageProject[],
  scratch = makeScratch(known),
): HourlyUsage {
  const { first, until } = known;
  const use = new ScopeUsage(first * hourMs, until - first, members.length, scratch.steady);
  for (const project of members) {
    const bornAt = usage.unattributedOf(project.project_ref)?.untilAt ?? project.created_at;
    const born = bornAt === undefined ? {} : { created_at: bornAt };
    const read = hours.hours(project.project_ref, first, until - first, scratch.hours);
    use.add({ ...project, ...born }, read);
  }
  return use.hourly();
}

/** CU-milliseconds of each project in the last week before an instant, by its number. */
export function findRecentUse(
  { usage }: Pick<ReportHistory, 'usage'>,
  now: number,
): ReadonlyMap<number, number> {
  return new Map(
    usage.projects.map(({ project_ref }) => [
      project_ref,
      usage.usedUntil(project_ref, now) - usage.usedUntil(project_ref, now - recentMs),
    ]),
  );
}
