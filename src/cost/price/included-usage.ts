import Big from 'big.js';
import { hourMs } from '../../resources/duration.ts';
import type { DecimalText } from '../../resources/price-book.ts';
import { computeHourMs, type UsageProject } from '../../resources/usage/ledger.ts';
import type { Period } from '../calendar/calendar.ts';
import { largestRemainder } from '../money/largest-remainder.ts';
import type { PlanAssignment } from './plan-assignment.ts';

/** CU-milliseconds of a project, by its number, that were used at a price since the period began. */
export type PricedUse = (project_ref: number, at: number) => number;

/**
 * The allowance of each project of a plan assignment: how much it may use in a billing period before it is billed, in
 * CU-milliseconds. Included hours are used up in order of time, so that a project's cost only ever grows.
 */
export function shareIncludedUsage(
  { plan, projects }: PlanAssignment,
  period: Period,
  pricedUse: PricedUse,
): (project: UsageProject) => number {
  if (plan.included === undefined) return () => 0;
  const allowance = allowanceOf(plan.included.computeHours);
  if (plan.included.per === 'project') return () => allowance;
  const shares = sharePool(allowance, projects, period, pricedUse);
  return ({ project_ref }) => shares?.get(project_ref) ?? Number.POSITIVE_INFINITY;
}

/** Whole CU-milliseconds of included compute hours. */
export function allowanceOf(computeHours: DecimalText): number {
  return Number(Big(computeHours).times(computeHourMs).round(0, Big.roundDown));
}

/** CU-milliseconds of a project before the first and the last hour in which a pool may be used up. */
interface Bracket {
  readonly project_ref: number;
  readonly low: number;
  readonly high: number;
}

/**
 * All use before the hour in which a pool is used up is free, all use after it is not, and what was left at its start
 * goes to the projects by what they used in that hour. Undefined when the pool lasts.
 */
function sharePool(
  allowance: number,
  projects: readonly UsageProject[],
  period: Period,
  pricedUse: PricedUse,
): ReadonlyMap<number, number> | undefined {
  const whole = projects.map(({ project_ref }) => ({
    project_ref,
    low: 0,
    high: pricedUse(project_ref, period.untilAt),
  }));
  if (sum(whole, 'high') <= allowance) return undefined;
  const hour = narrowToHour(whole, allowance, period, pricedUse);
  const rest = BigInt(allowance - sum(hour, 'low'));
  const uses = hour.map(({ low, high }) => BigInt(high - low));
  const usedInHour = BigInt(sum(hour, 'high') - sum(hour, 'low'));
  const quotas = uses.map(use => use * rest);
  const shares = largestRemainder(rest, quotas, usedInHour);
  return new Map(hour.map(({ project_ref, low }, index) => [project_ref, low + Number(shares[index])]));
}

function narrowToHour(
  whole: readonly Bracket[],
  allowance: number,
  { fromAt, untilAt }: Period,
  pricedUse: PricedUse,
): readonly Bracket[] {
  let brackets = whole;
  let first = 0;
  let last = Math.ceil((untilAt - fromAt) / hourMs);
  for (let steps = 0; last - first > 1; steps += 1) {
    // Use is even enough to guess by, but for every third step, which halves what is left in any case.
    const used = sum(brackets, 'low');
    const part = steps % 3 < 2 ? (allowance - used) / (sum(brackets, 'high') - used) : 0.5;
    const hour = Math.min(last - 1, Math.max(first + 1, Math.round(first + part * (last - first))));
    // A project that rested all the time between two readings needs no third one.
    const middles = brackets.map(({ project_ref, low, high }) =>
      low === high ? low : pricedUse(project_ref, fromAt + hour * hourMs),
    );
    const isLater = middles.reduce((total, use) => total + use, 0) <= allowance;
    if (isLater) first = hour;
    else last = hour;
    brackets = brackets.map((bracket, index) => ({ ...bracket, [isLater ? 'low' : 'high']: middles[index] }));
  }
  return brackets;
}

function sum(brackets: readonly Bracket[], side: 'low' | 'high'): number {
  return brackets.reduce((total, bracket) => total + bracket[side], 0);
}
