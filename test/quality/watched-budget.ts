import { billingCalendar } from '../../src/cost/calendar/billing-calendar.ts';
import { zoneCalendar } from '../../src/cost/calendar/calendar.ts';
import { hourClockOf, rollForecasts } from '../../src/cost/forecast/rolling-forecast.ts';
import { emptyPriceBook } from '../../src/cost/price/empty-price-book.ts';
import { createCosting } from '../../src/cost/rating/costing.ts';
import { shareByGroup } from '../../src/cost/rating/group-share.ts';
import type { UsageAnalysis } from '../../src/report/usage-view/analysis.ts';
import { viewBudget } from '../../src/report/usage-view/budget.ts';
import { budgetScopeName } from '../../src/report/usage-view/options.ts';
import { hourMs } from '../../src/resources/duration.ts';
import type { SpendingBudget } from '../../src/resources/spending-budget.ts';
import type { UsageLedger, UsageProject } from '../../src/resources/usage/ledger.ts';
import type { BudgetUsage } from '../../src/resources/usage/view.ts';
import { usualUsage } from '../support/usage-options.ts';
import { type AccountRecord, recallUse } from './account-record.ts';
import type { FleetRecord } from './invented-fleet.ts';

const account = 'main';
const secondsPerHour = 3600;
/** How often it is forecast anew: more often takes longer and changes little. */
const analyzedEveryHours = 4;
/** As long as the exporter looks back. */
const analyzedHours = 70 * 24;

/** A budget at the beginning of an hour, and what is true then. */
export interface WatchedHour {
  readonly at: number;
  readonly usage: BudgetUsage;
  /** What the period came to in the end, as a part of the limit. */
  readonly endRatio: number;
  /** Whether a project of the fleet runs away then. */
  readonly isRunaway: boolean;
}

/** The budget of a fleet's compute hours for each month, looked at every hour from an instant on. */
export function watchBudget(
  record: FleetRecord,
  budget: SpendingBudget,
  { fromAt, untilAt }: { readonly fromAt: number; readonly untilAt: number },
): readonly WatchedHour[] {
  const ledger = ledgerOf(record);
  const month = zoneCalendar('month', 'UTC');
  const snapshot = {
    options: { ...usualUsage, accounts: [account], budgets: [budget] },
    ledger,
    groups: shareByGroup([]),
    billing: billingCalendar(emptyPriceBook.billingPeriod),
    costing: createCosting({ book: emptyPriceBook, ledger }),
  };
  const hours: WatchedHour[] = [];
  let analysis = analyze(record, budget, fromAt);
  for (let at = fromAt; at < untilAt; at += hourMs) {
    if (hours.length % analyzedEveryHours === 0) analysis = analyze(record, budget, at);
    const usage = viewBudget({ ...snapshot, analysis }, budget, at);
    const period = month(at);
    const endRatio = hourlyUse(record, period.fromAt, period.untilAt) / usage.limit;
    const isRunaway = record.runaways.some(runaway => at > runaway.fromAt && at <= runaway.untilAt);
    hours.push({ at, usage, endRatio, isRunaway });
  }
  return hours;
}

function analyze(record: AccountRecord, budget: SpendingBudget, now: number): UsageAnalysis {
  const forecast = rollForecasts(recallLately(record, now), hourClockOf('UTC'));
  return {
    forecasts: new Map([[budgetScopeName(budget), forecast]]),
    qualities: new Map(),
    anomalies: new Map(),
    meteredAnomalies: new Map(),
    meteredPasts: new Map(),
    findings: new Map(),

    recentUse: new Map(),
  };
}

/** The account of all of a fleet's projects. */
export function budgetOf(name: string, computeHours: number): SpendingBudget {
  return {
    name,
    scope: { kind: 'account', account },
    limit: { kind: 'compute', computeHours: computeHours.toFixed(2) },
    per: 'month',
  };
}

/** What a forecast knows of an account at an instant. */
export function recallLately(record: AccountRecord, now: number) {
  const known = (now - record.firstHourAt) / hourMs;
  const first = Math.max(0, known - analyzedHours);
  const firstHourAt = record.firstHourAt + first * hourMs;
  const projects = record.projects.map(project => ({ ...project, hours: project.hours.subarray(first) }));
  return recallUse({ ...record, firstHourAt, hourCount: known - first, projects });
}

/** Compute hours from the beginning of one hour to that of another. */
export function hourlyUse({ projects, firstHourAt }: AccountRecord, fromAt: number, untilAt: number): number {
  const indexOf = (at: number) => Math.round((at - firstHourAt) / hourMs);
  const seconds = projects.flatMap(({ hours }) => [...hours.subarray(indexOf(fromAt), indexOf(untilAt))]);
  return seconds.reduce((sum, used) => sum + used, 0) / secondsPerHour;
}

/** Use is even within an hour. */
function ledgerOf({ projects, firstHourAt, hourCount }: AccountRecord): UsageLedger {
  const totals = projects.map(({ hours }) => {
    const total = new Float64Array(hourCount + 1);
    hours.forEach((seconds, hour) => {
      total[hour + 1] = (total[hour] ?? 0) + seconds * 1000;
    });
    return total;
  });
  return {
    projects: projects.map(
      (_, index): UsageProject => ({ project_ref: index, account, project_id: `p${index}` }),
    ),
    knownFrom: () => firstHourAt,
    knownUntil: () => firstHourAt + hourCount * hourMs,
    usedUntil: (project_ref, at) => {
      const total = totals[project_ref] ?? new Float64Array(1);
      const hour = Math.max(0, Math.min(hourCount, (at - firstHourAt) / hourMs));
      const before = total[Math.floor(hour)] ?? 0;
      return Math.floor(before + ((total[Math.ceil(hour)] ?? 0) - before) * (hour % 1));
    },
  };
}
