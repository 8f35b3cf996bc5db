import { dayMs, type Span } from '../../resources/duration.ts';
import type { EndpointHistory, RememberedEndpoint } from '../../resources/endpoint-history.ts';
import {
  type DoneFinding,
  type Finding,
  type FindingKind,
  figureOf,
  type Saving,
} from '../../resources/finding.ts';
import { computeHourMs } from '../../resources/usage/ledger.ts';
import { dateOf } from '../../resources/utc-date.ts';
import { isWake, lengthMs } from './awake-time.ts';
import { type FindingOptions, findFindings, isTooLittle, leastHours } from './finding-list.ts';
import { sayCount, sayDuration } from './phrase.ts';
import { findRecurrence } from './recurrence.ts';
import { roundHours } from './spared-use.ts';
import { suspendDelayOf } from './suspend-delay.ts';
import { checkWakes } from './woken-by-checks.ts';

/** Kinds whose cause is a setting that the history shows. */
const settingKinds: readonly FindingKind[] = ['idle_tail', 'longer_than_needed', 'floor_size'];
const monthDays = 30;
/** A cause is gone once it is missing for this many times its usual distance. */
const goneDistances = 3;

/**
 * Findings that were there, whose cause is gone, and what that saves: the use of whole weeks before it was gone less
 * that of whole weeks since. Several that were done at once share it as they had claimed it.
 */
export function findDone(endpoint: RememberedEndpoint, options: FindingOptions): DoneFinding[] {
  const mostHours = ((endpoint.mostADay?.() ?? Number.POSITIVE_INFINITY) * monthDays) / computeHourMs;
  if (isTooLittle(mostHours, options)) return [];
  const drop = findUseDrop(endpoint);
  if (drop === undefined) return [];
  const before = endpoint.past(drop.before);
  const months = lengthMs(before) / (monthDays * dayMs);
  const { minimumComputeHours = leastHours } = options;
  const found = findFindings(before, { ...options, minimumComputeHours: months * minimumComputeHours });
  if (found.length === 0) return [];
  const after = endpoint.past(drop.after);
  const { goneAt } = endpoint;
  const isGone = goneAt !== undefined && goneAt <= drop.after.fromAt;
  const left = isGone
    ? []
    : findFindings(after, { ...options, minimumComputeHours: 0, isIgnored: () => false });
  const done = found.filter(
    finding => isGone || (isCauseGone(finding, before, after) && !isStillTrue(finding, left)),
  );
  const shares = shareByClaim(done);
  const savedHours = ((drop.beforeADay - drop.afterADay) * monthDays) / computeHourMs;
  return done.map(
    ({ account, project_id, endpoint_id, project_name, branch_id, kind, ...finding }, index) => ({
      ...{ account, project_id, endpoint_id, kind },
      ...(project_name !== undefined && { project_name }),
      ...(branch_id !== undefined && { branch_id }),
      doneAt: isGone && goneAt >= drop.before.untilAt ? goneAt : drop.at,
      measuredFromAt: drop.after.fromAt,
      ...(finding.hoursPerMonth && { claimedHoursPerMonth: inMonth(finding.hoursPerMonth, months) }),
      computeHoursPerMonth: roundHours(savedHours * (shares[index] ?? 0)),
      evidence: `${sayDrop(drop)} Before: ${finding.evidence}`,
    }),
  );
}

/** The part of each in what was done at once: as they had claimed it, or the same for each where none had claimed anything. */
function shareByClaim(done: readonly Finding[]): number[] {
  const claims = done.map(({ hoursPerMonth }) => hoursPerMonth && figureOf(hoursPerMonth));
  const total = claims.reduce<number>((sum, claim = 0) => sum + claim, 0);
  return claims.map((claim = 0) => (total === 0 ? 1 / claims.length : claim / total));
}

/** What was claimed of some months, for one of them. */
function inMonth({ likely, most }: Saving, months: number): Saving {
  return {
    ...(likely !== undefined && { likely: roundHours(likely / months) }),
    most: roundHours(most / months),
  };
}

/** A setting that was changed half the way is a finding again, of the rest. */
function isStillTrue({ kind }: Finding, left: readonly Finding[]): boolean {
  return !settingKinds.includes(kind) && left.some(other => other.kind === kind);
}

/** Whether what the finding rests on is over, and not just out of sight or less than before. */
function isCauseGone(finding: Finding, before: EndpointHistory, after: EndpointHistory): boolean {
  switch (finding.kind) {
    case 'idle_tail':
    case 'longer_than_needed':
      return isDelayShorter(finding, after);
    case 'woken_on_period': {
      const wakes = after.awake.filter(span => isWake(after, span)).map(({ fromAt }) => fromAt);
      const { periodMs = 0 } = finding;
      const isOver = findRecurrence(wakes)?.periodMs !== periodMs;
      return (isOver && lengthMs(after) >= goneDistances * periodMs) || isDelayShorter(finding, after);
    }
    case 'woken_by_checks': {
      const distanceMs = lengthMs(before) / Math.max(1, checkWakes(before).length);
      return checkWakes(after).length === 0 && lengthMs(after) >= goneDistances * distanceMs;
    }
    case 'floor_size':
      return (after.minCu ?? Number.POSITIVE_INFINITY) < (before.minCu ?? 0);
    case 'never_suspends':
    case 'awake_unused':
      return true;
  }
}

function isDelayShorter({ delayMs = 0 }: Finding, after: EndpointHistory): boolean {
  const nowMs = suspendDelayOf(after);
  return nowMs !== undefined && nowMs < 0.9 * delayMs;
}

function sayDrop({ before, after, beforeADay, afterADay }: UseDrop): string {
  const hours = (cuMs: number) => sayCount(cuMs / computeHourMs, 'compute hour');
  return `It used ${hours(beforeADay)} a day ${sayDays(before)}, and ${hours(afterADay)} a day ${sayDays(after)}.`;
}

/** Such as `in the 14 days from 2026-11-08 to 2026-11-22`. */
function sayDays(span: Span): string {
  const [first, end] = [span.fromAt, span.untilAt].map(dateOf);
  return `in the ${sayDuration(lengthMs(span))} from ${first} to ${end}`;
}

/** Days of use that are needed to look for findings that were done. */
export const doneWindowMs = 70 * dayMs;

/** Use that fell from one day to the next and stayed so. */
interface UseDrop {
  /** Epoch milliseconds; the change came within a day of it. */
  readonly at: number;
  /** Whole weeks, without the day of the change. */
  readonly before: Span;
  readonly after: Span;
  /** CU-milliseconds a day. */
  readonly beforeADay: number;
  readonly afterADay: number;
}

/** Days of each side that are compared at least and at most; the one next to the change is none of them. */
const leastDays = 7;
const mostDays = 28;
/** Smaller drops come by themselves. */
const leastDrop = 0.1;

/** Finds the day on which use fell most; undefined where it did not fall, or one side of it is too short. */
export function findUseDrop({
  known: { fromAt, untilAt },
  usedAtSteps,
}: Pick<RememberedEndpoint, 'known' | 'usedAtSteps'>): UseDrop | undefined {
  const count = Math.floor((untilAt - fromAt) / dayMs);
  if (count < 2 * (leastDays + 1)) return undefined;
  const totals = usedAtSteps({ fromAt: untilAt - count * dayMs, stepMs: dayMs, count: count + 1 });
  const meanOf = (from: number, until: number) =>
    ((totals[until] ?? 0) - (totals[from] ?? 0)) / Math.max(1, until - from);
  let best = { day: 0, contrast: 0 };
  // Whole weeks: weekends count the same on both sides.
  for (let day = leastDays; day <= count - leastDays; day += 1) {
    const [before, after] = [wholeWeeks(day), wholeWeeks(count - day)];
    const fall = meanOf(day - before, day) - meanOf(day, day + after);
    const contrast = fall * Math.sqrt((before * after) / (before + after));
    if (contrast > best.contrast) best = { day, contrast };
  }
  const { day } = best;
  if (best.contrast === 0 || Math.min(day, count - day) <= leastDays) return undefined;
  const before = wholeWeeks(day - 1);
  const after = wholeWeeks(count - day - 1);
  const beforeADay = meanOf(day - 1 - before, day - 1);
  const afterADay = meanOf(day + 1, day + 1 + after);
  if (afterADay > (1 - leastDrop) * beforeADay) return undefined;
  const at = untilAt - (count - day) * dayMs;
  return {
    at,
    before: { fromAt: at - (before + 1) * dayMs, untilAt: at - dayMs },
    after: { fromAt: at + dayMs, untilAt: at + (after + 1) * dayMs },
    beforeADay,
    afterADay,
  };
}

function wholeWeeks(days: number): number {
  return Math.min(mostDays, Math.floor(days / 7) * 7);
}
