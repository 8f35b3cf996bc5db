import { hourMs } from '../../resources/duration.ts';
import type { Included, Tariff } from '../../resources/price-book.ts';
import { sumOf } from '../../resources/sum.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { Period } from '../calendar/calendar.ts';
import { type Amount, wholePart } from '../money/money.ts';
import { largestRemainder } from '../money/whole-share.ts';
import { amountInPeriod, datedIncluded, type PlanTime } from './dated-amount.ts';

/** CU-milliseconds, or parts of another unit, that a project, by its number, used before an instant. */
export type UsedUntil = (project_ref: number, at: number) => number;

/** Projects of a plan that share something in a billing period. */
export interface Pool {
  readonly projects: readonly UsageProject[];
  readonly period: Period;
  /** What counts: since the period began. */
  readonly usedUntil: UsedUntil;
  /** Told of the hour in which several projects used up what they share: its beginning, epoch milliseconds. */
  readonly onUsedUp: (hourAt: number) => void;
}

/** What a plan includes in a billing period, and whether of an account's projects together or of each. */
export interface PeriodAllowance {
  readonly per: Included['per'];
  /** Whole CU-milliseconds, or parts of another unit. */
  readonly cuMs: number;
  /** Compute for so much money. */
  readonly amount: Amount;
}

/** Undefined where a plan includes nothing at any time. */
export function allowanceOf(tariff: Tariff, time: PlanTime): PeriodAllowance | undefined {
  const dated = datedIncluded(tariff);
  const [first] = dated;
  if (first === undefined) return undefined;
  const hours = dated.map(each => ({ ...each, amount: each.computeHours ?? '0' }));
  const money = dated.map(each => ({ ...each, amount: each.amount ?? '0' }));
  return {
    per: first.per,
    cuMs: wholePart(amountInPeriod(tariff, hours, time), tariff.partsOfUnit),
    amount: amountInPeriod(tariff, money, time),
  };
}

/**
 * The allowance of each project of a plan: how much it may use in a billing period before it is billed, in
 * CU-milliseconds. Included hours are used up in order of time, so that a project's cost only ever grows.
 */
export function shareIncludedUsage(
  allowance: PeriodAllowance | undefined,
  pool: Pool,
): (project_ref: number) => number {
  if (allowance === undefined) return () => 0;
  const { per, cuMs } = allowance;
  if (per === 'project') return () => cuMs;
  const shares = sharePool(cuMs, pool);
  return project_ref => shares?.get(project_ref) ?? Number.POSITIVE_INFINITY;
}

/**
 * All use before the hour in which a pool is used up is free, all use after it is not, and what was left at its start
 * goes to the projects by what they used in that hour. Undefined when the pool lasts.
 */
export function sharePool(allowance: number, pool: Pool): ReadonlyMap<number, number> | undefined {
  const { projects, period, usedUntil, onUsedUp } = pool;
  const whole = {
    low: new Float64Array(projects.length),
    high: Float64Array.from(projects, ({ project_ref }) => usedUntil(project_ref, period.untilAt)),
  };
  if (sumOf(whole.high) <= allowance) return undefined;
  const { hourAt, low, high } = narrowToHour(whole, allowance, pool);
  const inHour = projects
    .flatMap(({ project_id, project_ref }, index) => {
      const before = low[index] ?? 0;
      const use = (high[index] ?? 0) - before;
      return use > 0 ? [{ project_id, project_ref, before, use: BigInt(use) }] : [];
    })
    // The rest of a CU-millisecond goes to the first of equals, in whatever order they were found.
    .sort((a, b) => Number(a.project_id > b.project_id) - Number(a.project_id < b.project_id));
  if (inHour.length > 1) onUsedUp(hourAt);
  const rest = BigInt(allowance - sumOf(low));
  const quotas = inHour.map(({ use }) => use * rest);
  const shares = largestRemainder(rest, quotas, BigInt(sumOf(high) - sumOf(low)));
  const all = new Map(projects.map(({ project_ref }, index) => [project_ref, low[index] ?? 0]));
  for (const [index, { project_ref, before }] of inHour.entries())
    all.set(project_ref, before + Number(shares[index]));
  return all;
}

/** CU-milliseconds of each project of a pool before the first and the last hour in which that may be used up. */
interface Bracket {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

function narrowToHour(
  { low, high }: Bracket,
  allowance: number,
  { projects, period: { fromAt, untilAt }, usedUntil }: Pool,
): Bracket & { readonly hourAt: number } {
  let first = 0;
  let last = Math.ceil((untilAt - fromAt) / hourMs);
  for (let steps = 0; last - first > 1; steps += 1) {
    // Use is even enough to guess by, but for every third step, which halves what is left in any case.
    const used = sumOf(low);
    const part = steps % 3 < 2 ? (allowance - used) / (sumOf(high) - used) : 0.5;
    const hour = Math.min(last - 1, Math.max(first + 1, Math.round(first + part * (last - first))));
    // A project that rested all the time between two readings needs no third one.
    const middle = low.map((use, index) =>
      use === high[index] ? use : usedUntil(projects[index]?.project_ref ?? 0, fromAt + hour * hourMs),
    );
    const isLater = sumOf(middle) <= allowance;
    if (isLater) [first, low] = [hour, middle];
    else [last, high] = [hour, middle];
  }
  return { hourAt: fromAt + first * hourMs, low, high };
}
