import { leastHistoryHours } from '../../cost/forecast/rolling-forecast.ts';
import { ScopeUsage } from '../../cost/forecast/scope-usage.ts';
import type { ReportHistory } from '../../history/usage/report-history.ts';
import { hourMs } from '../../resources/duration.ts';
import { maxOf } from '../../resources/min-max.ts';
import type { HourlyUsage } from '../../resources/usage/hourly-usage.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import { type HourSpan, recentUseOf, spanOf } from '../usage-view/analysis.ts';

/** @returns undefined where nothing is known. */
export function findKnownHours(
  { usage }: Pick<ReportHistory, 'usage'>,
  accounts: readonly string[],
  now: number,
): HourSpan | undefined {
  const span = spanOf(
    accounts.map(account => ({
      knownFromAt: usage.knownFrom(account) ?? Number.POSITIVE_INFINITY,
      knownUntilAt: Math.min(usage.knownUntil(account) ?? 0, now),
    })),
  );
  return Number.isFinite(span.first) && span.count > 0 ? span : undefined;
}

/** The end of the last whole hour that is known. */
export function endOf({ first, count }: HourSpan): number {
  return (first + count) * hourMs;
}

/** Until when the use of some accounts is known: within an hour that is not over, as a rule. */
export function knownUntilOf(
  { usage }: Pick<ReportHistory, 'usage'>,
  accounts: readonly string[],
  now: number,
): number {
  return Math.min(maxOf(accounts.map(account => usage.knownUntil(account) ?? 0)), now);
}

/**
 * Whether one of some projects is known for as long as a forecast needs: of a project that is still to be imported, nothing is
 * from before its first reading.
 */
export function isLongKnown(
  { usage }: Pick<ReportHistory, 'usage'>,
  known: HourSpan,
  members: readonly UsageProject[],
): boolean {
  const neededAt = endOf(known) - leastHistoryHours * hourMs;
  return members.some(({ project_ref }) => (usage.unattributedOf(project_ref)?.untilAt ?? 0) <= neededAt);
}

/** Arrays of numbers by hour that are used again for one project after the other: thousands of them take long to be collected. */
export interface HourScratch {
  readonly hours: Float64Array;
  readonly steady: Float64Array;
  readonly usedBefore: Float64Array;
}

export function makeScratch({ count }: HourSpan): HourScratch {
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
  known: HourSpan,
  members: readonly UsageProject[],
  scratch = makeScratch(known),
): HourlyUsage {
  const { first, count } = known;
  const use = new ScopeUsage(first * hourMs, count, members.length, scratch.steady);
  for (const project of members) {
    const bornAt = usage.unattributedOf(project.project_ref)?.untilAt ?? project.created_at;
    const born = bornAt === undefined ? {} : { created_at: bornAt };
    const read = hours.hours(project.project_ref, first, count, scratch.hours);
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
    usage.projects.map(({ project_ref }) => [project_ref, recentUseOf(usage, project_ref, now)]),
  );
}
