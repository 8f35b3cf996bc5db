import { medianOf } from '../../src/cost/forecast/robust-statistic.ts';
import { createRandom } from '../../src/simulator/model/random.ts';
import { findPeer } from '../support/peer.ts';
import { askRules, type FleetWatch, type JudgedRule } from './budget-rule.ts';
import { budgetFleets, inventFleet, watchedFromAt, watchedMonths, watchedUntilAt } from './invented-fleet.ts';
import { type Measurement, type QualityTable, renderPercent } from './quality-table.ts';
import { budgetOf, hourlyUse, type WatchedHour, watchBudget } from './watched-budget.ts';

const dayHours = 24;
/** More would take hours. */
const mostSeeds = 10;
/** The limits of the budgets, as parts of the mean month. */
const limitParts = [0.8, 0.9, 0.97, 1.03, 1.1, 1.25] as const;

/** How one rule did on the budgets of some fleets. */
interface RuleQuality {
  /** The part of the time with and without its fault in which it fired. */
  readonly trueOn: number;
  readonly falseOn: number;
  readonly startsByMonth: number;
  /** Months in which it had reason to fire. */
  readonly reasonsByMonth: number;
  /** Days from its last start before a budget was used up, where it told of it; the median. */
  readonly leadDays: number;
  readonly missed: number;
}

export const budgetQuality: Measurement = {
  name: 'budget',
  async measure(allSeeds) {
    const [prometheus, promtool] = [findPeer('prometheus'), findPeer('promtool')];
    if (prometheus === undefined || promtool === undefined) throw new Error('Prometheus is not installed');
    const seeds = allSeeds.slice(0, mostSeeds);
    const tables: (readonly string[])[][] = [];
    for (const kind of budgetFleets) {
      const watches = seeds.map((seed): FleetWatch => {
        const record = inventFleet(kind, seed);
        const part = createRandom(seed, `${kind.name} limit`).pick(limitParts);
        const limit = (part * hourlyUse(record, watchedFromAt, watchedUntilAt)) / watchedMonths;
        const span = { fromAt: watchedFromAt, untilAt: watchedUntilAt };
        return { name: `${kind.name} ${seed}`, hours: watchBudget(record, budgetOf('all', limit), span) };
      });
      const judged = await askRules({ prometheus, promtool }, watches);
      tables.push(judged.map(rule => [rule.name, kind.name, ...showQuality(judgeRule(rule, watches))]));
    }
    return [tableOf(seeds.length, tables)];
  },
};

function tableOf(seeds: number, tables: readonly (readonly (readonly string[])[])[]): QualityTable {
  const rules = tables[0]?.length ?? 0;
  return {
    title: `Alerts on budgets over ${watchedMonths} months, ${seeds} fleets of each kind`,
    heads: [
      'alert',
      'fleets',
      'on when true',
      'on when not',
      'starts a month',
      'reasons',
      'days before',
      'missed',
    ],
    rows: Array.from({ length: rules }, (_, rule) => tables.flatMap(rows => [rows[rule] ?? []])).flat(),
  };
}

function showQuality(quality: RuleQuality): readonly string[] {
  const { trueOn, falseOn, startsByMonth, reasonsByMonth, leadDays, missed } = quality;
  const counts = [startsByMonth, reasonsByMonth].map(count => count.toFixed(2));
  const days = Number.isNaN(leadDays) ? '' : leadDays.toFixed(1);
  // Without a reason there is no time to be on in.
  const on = Number.isNaN(trueOn) ? '' : renderPercent(trueOn);
  return [on, renderPercent(falseOn), ...counts, days, String(missed)];
}

/** @param watches by the same index as what fired. */
function judgeRule({ isTrue, firing }: JudgedRule, watches: readonly FleetWatch[]): RuleQuality {
  const sum = { true: 0, trueOn: 0, false: 0, falseOn: 0, starts: 0, reasons: 0, missed: 0 };
  const leads: number[] = [];
  watches.forEach(({ hours }, index) => {
    const isOn = (hour: number) => firing[index]?.[hour] ?? false;
    hours.forEach((watched, hour) => {
      const truth = isTrue(watched) ? 'true' : 'false';
      sum[truth] += 1;
      if (isOn(hour)) sum[`${truth}On`] += 1;
      if (isOn(hour) && !isOn(hour - 1)) sum.starts += 1;
    });
    for (const month of Map.groupBy(hours.keys(), hour => monthOf(hours[hour])).values()) {
      const reasons = month.filter(hour => hours[hour] !== undefined && isTrue(hours[hour]));
      if (reasons.length > 0) sum.reasons += 1;
      const usedUpAt = month.find(hour => (hours[hour]?.usage.usedRatio ?? 0) >= 1);
      if (usedUpAt === undefined || !reasons.includes(usedUpAt - 1)) continue;
      if (!isOn(usedUpAt - 1)) sum.missed += 1;
      else leads.push(hoursOnUntil(usedUpAt, isOn) / dayHours);
    }
  });
  const allMonths = watches.length * watchedMonths;
  return {
    trueOn: sum.trueOn / sum.true,
    falseOn: sum.falseOn / sum.false,
    startsByMonth: sum.starts / allMonths,
    reasonsByMonth: sum.reasons / allMonths,
    leadDays: medianOf(leads),
    missed: sum.missed,
  };
}

function hoursOnUntil(end: number, isOn: (hour: number) => boolean): number {
  let hours = 0;
  while (isOn(end - 1 - hours)) hours += 1;
  return hours;
}

function monthOf(watched: WatchedHour | undefined): number {
  return watched?.usage.period.fromAt ?? 0;
}
