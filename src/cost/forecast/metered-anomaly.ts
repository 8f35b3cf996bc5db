import { dayMs } from '../../resources/duration.ts';
import type { MeterAmounts, MeterMetric } from '../../resources/meter.ts';
import type { MeterRules } from '../../resources/price-book.ts';
import type { MeteredLedger, UsageProject } from '../../resources/usage/ledger.ts';
import { daysOfMonth, monthStart } from '../../resources/utc-month.ts';
import { dailyGrid, findAnomaly, lookBackWeeks } from './anomaly.ts';
import { daysPerWeek, hoursPerDay } from './week-slot.ts';

/** Amounts that are no anomaly however unusual, and how the meter counts what is kept for a time. */
export interface MeterHabit extends Pick<MeterRules, 'unit'> {
  /** Bytes that are transferred in a day, or by which what is stored grows. */
  readonly leastBytes: number;
  readonly leastBranches: number;
}

/** The side of a metric that is compared day by day: all of it, how much was there, or by how much that grew. */
type Aspect = 'amount' | 'level' | 'growth';

/** Compute is compared hour by hour. */
const aspects: Readonly<Record<Exclude<MeterMetric, 'compute_unit_seconds'>, Aspect>> = {
  root_branch_bytes_month: 'growth',
  child_branch_bytes_month: 'growth',
  instant_restore_bytes_month: 'growth',
  snapshot_storage_bytes_month: 'growth',
  public_network_transfer_bytes: 'amount',
  private_network_transfer_bytes: 'amount',
  extra_branches_month: 'level',
};
type ComparedMetric = keyof typeof aspects;
const comparedMetrics = Object.keys(aspects) as ComparedMetric[];

const comparedDays = lookBackWeeks * daysPerWeek + 2;

/** Rests of a unit add up to a whole one on some day or other: less than two tell nothing. */
const leastUnits = 2;

/** The account and until when it is known, in epoch milliseconds. */
interface KnownAccount {
  readonly account: string;
  readonly knownUntilAt: number;
}

/** Days of UTC; the last one may be under way; how many units are counted for one thing that is there all day. */
interface MeterDays {
  readonly first: number;
  readonly unitsOfDay: Float64Array;
}

/**
 * Bytes or branches beyond the habit of each project, by its number and by metric: in the day of UTC that is under way, or
 * else in the one before. Only what is unusually much is there. What is told of a day later only adds to it.
 */
export function findMeteredAnomalies(
  ledger: MeteredLedger,
  { account, knownUntilAt }: KnownAccount,
  projects: readonly UsageProject[],
  habit: MeterHabit,
): ReadonlyMap<number, MeterAmounts> {
  const span = ledger.knownSpan(account);
  if (span === undefined) return new Map();
  const until = Math.ceil(knownUntilAt / dayMs);
  const first = Math.max(Math.ceil(span.fromAt / dayMs), until - comparedDays);
  const unitsOfDay = Float64Array.from({ length: Math.max(0, until - first) }, (_, index) =>
    habit.unit === 'hour' ? hoursPerDay : 1 / daysInMonth((first + index) * dayMs),
  );
  return new Map(
    projects.flatMap(project => {
      const found = comparedMetrics.flatMap(metric => {
        const anomaly = findIn(ledger, project, metric, { first, unitsOfDay }, habit);
        return anomaly === undefined ? [] : [[metric, anomaly] as const];
      });
      return found.length === 0 ? [] : [[project.project_ref, Object.fromEntries(found)] as const];
    }),
  );
}

function findIn(
  ledger: MeteredLedger,
  { project_ref, created_at = 0 }: UsageProject,
  metric: ComparedMetric,
  { first, unitsOfDay }: MeterDays,
  { leastBytes, leastBranches }: MeterHabit,
): number | undefined {
  const aspect = aspects[metric];
  const today = unitsOfDay.length - 1;
  const unitsOf = (day: number) => unitsOfDay[day] ?? Number.NaN;
  const levelAt = (day: number) => {
    const at = (first + day) * dayMs;
    const amount =
      ledger.meteredUntil(project_ref, metric, at + dayMs) - ledger.meteredUntil(project_ref, metric, at);
    return aspect === 'amount' ? amount : amount / unitsOf(day);
  };
  const amountAt = (day: number) => levelAt(day) - (aspect === 'growth' && day > 0 ? levelAt(day - 1) : 0);
  const least = aspect === 'level' ? Math.max(leastBranches, leastUnits / unitsOf(today)) : leastBytes;
  // The first day of a project is none of 24 hours, and nothing grew before it.
  const born = Math.max(0, Math.ceil(created_at / dayMs) - first) + (aspect === 'growth' ? 1 : 0);
  const isMuch = (day: number) => day >= born && amountAt(day) >= least;
  if (!isMuch(today) && !isMuch(today - 1)) return undefined;
  const amounts = Float64Array.from(unitsOfDay, (_, day) => (day < born ? 0 : amountAt(day)));
  // Days of UTC that are weeks apart lie on the same day of the week.
  const slots = new Uint8Array(amounts.length);
  const anomalyAt = (day: number) =>
    isMuch(day) ? findAnomaly({ amounts, slots, from: born, until: day + 1 }, least, dailyGrid) : undefined;
  return anomalyAt(today) ?? anomalyAt(today - 1);
}

function daysInMonth(at: number): number {
  const [first, next] = daysOfMonth(monthStart(at));
  return next - first;
}
