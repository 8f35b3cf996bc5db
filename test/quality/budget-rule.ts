import { burnRateAlerts } from '../../dashboards/rules/burn-rate-alert.ts';
import { makeRuleScope } from '../../dashboards/rules/rule-scope.ts';
import { shardRules } from '../../dashboards/rules/shard-rule.ts';
import { spendingAlerts } from '../../dashboards/rules/spending-alert.ts';
import { loadCheckedRules } from '../../src/check/config/loaded-config.ts';
import { hourMs } from '../../src/resources/duration.ts';
import { budgetUsageFamilies } from '../../src/resources/usage/budget.ts';
import { startPrometheus } from '../support/prometheus.ts';
import type { AlertHold } from './alert-hold.ts';
import { holdAlert } from './alert-hold.ts';
import type { WatchedHour } from './watched-budget.ts';

/** A budget of a fleet, hour by hour. */
export interface FleetWatch {
  readonly name: string;
  readonly hours: readonly WatchedHour[];
}

/** A rule with its fault, and the hours in which it fired, by budget. */
export interface JudgedRule {
  readonly name: string;
  readonly isTrue: (watched: WatchedHour) => boolean;
  readonly firing: readonly (readonly boolean[])[];
}

interface Rule extends Omit<JudgedRule, 'firing'> {
  readonly expression: string;
  readonly hold: AlertHold;
}

const job = 'dbpm';
const { usedRatio, projectedRatio, projectedBoundRatio, burnRateRatio, thresholdRatio } = budgetUsageFamilies;
/** What alerts read of one exporter that knows all projects is recorded as it is. */
const recorded: Readonly<Record<string, string>> = {
  [usedRatio.name]: shardRules.budgetUsed.name,
  [projectedRatio.name]: shardRules.budgetProjected.name,
  [projectedBoundRatio.name]: shardRules.budgetProjectedBound.name,
  [burnRateRatio.name]: shardRules.budgetBurnRate.name,
  [thresholdRatio.name]: shardRules.budgetThreshold.name,
};

const hasSpent =
  (part: number) =>
  ({ usage }: WatchedHour): boolean =>
    usage.usedRatio >= part;
const willRunOut = ({ usage, endRatio }: WatchedHour): boolean => endRatio >= 1 && usage.usedRatio < 1;

/** The faults of the alerts, each with what its threshold adds to its labels. */
const faults: Readonly<
  Record<string, readonly { readonly threshold?: string; readonly isTrue: Rule['isTrue'] }[]>
> = {
  DbpmBudgetExhausted: [{ isTrue: hasSpent(1) }],
  DbpmBudgetThresholdReached: [
    { threshold: '50%', isTrue: hasSpent(0.5) },
    { threshold: '80%', isTrue: hasSpent(0.8) },
  ],
  DbpmBudgetBurnsFast: [{ isTrue: watched => watched.isRunaway && willRunOut(watched) }],
  DbpmBudgetBurnsSlow: [{ isTrue: willRunOut }],
  DbpmBudgetWillRunOut: [{ isTrue: willRunOut }],
};

async function listRules(): Promise<readonly Rule[]> {
  const config = await loadCheckedRules({ flags: {}, env: {} });
  const scope = makeRuleScope(job);
  return [...spendingAlerts, ...burnRateAlerts].flatMap(({ name, expression }) => {
    const values = config.alerts[name];
    if (values === undefined) throw new Error(`${name} has no settings`);
    const { forMs, keepFiringForMs = 0, thresholds } = values;
    const hold = { forMs, keepFiringForMs };
    return (faults[name] ?? []).map(({ threshold, isTrue }) => ({
      name: threshold === undefined ? name : `${name} ${threshold}`,
      isTrue,
      hold,
      expression:
        threshold === undefined
          ? expression(scope, thresholds)
          : `${expression(scope, thresholds)} and on (threshold) label_replace(vector(1), "threshold", "${threshold}", "", "")`,
    }));
  });
}

/** Lets a real Prometheus evaluate each rule every hour, over the budgets as the exporter would have shown them. */
export async function askRules(
  { prometheus: binary, promtool }: Readonly<Record<'prometheus' | 'promtool', string>>,
  watches: readonly FleetWatch[],
): Promise<readonly JudgedRule[]> {
  const rules = await listRules();
  const instants = watches[0]?.hours.map(({ at }) => at) ?? [];
  const [fromAt = 0] = instants;
  const openMetrics = renderPast(watches);
  for (const { name, expression } of rules) expectWritten(name, expression, openMetrics);
  const past = { promtool, openMetrics, flags: ['--max-block-duration=240h'] };
  const prometheus = await startPrometheus(binary, {}, { past });
  try {
    const range = { fromAt, untilAt: instants.at(-1) ?? fromAt, stepSeconds: hourMs / 1000 };
    const judged: JudgedRule[] = [];
    for (const { name, isTrue, hold, expression } of rules) {
      const series = await prometheus.queryValues(expression, range);
      const firing = watches.map(watch => {
        const values = series.find(({ labels }) => labels.budget === watch.name)?.values;
        return holdAlert(
          instants,
          instants.map(at => values?.has(at) ?? false),
          hold,
        );
      });
      judged.push({ name, isTrue, firing });
    }
    return judged;
  } finally {
    await prometheus.close();
  }
}

/** A rule over metrics that are not there never fires, which would look like an alert that is missed. */
function expectWritten(rule: string, expression: string, openMetrics: string): void {
  for (const [metric] of expression.matchAll(/\b(?:budget:)?dbpm_[\w:]+/g))
    if (!openMetrics.includes(`\n${metric}{`))
      throw new Error(`${rule} reads ${metric}, which is not written`);
}

/** The samples of the budgets with their times, and what is recorded of them, in OpenMetrics. */
function renderPast(watches: readonly FleetWatch[]): string {
  const lines: string[] = [];
  for (const family of Object.values(budgetUsageFamilies)) {
    for (const metric of [family.name, recorded[family.name] ?? []].flat()) {
      lines.push(`# TYPE ${metric} gauge`);
      for (const watch of watches) lines.push(...renderSamples(family, metric, watch));
    }
  }
  return `${[...lines, '# EOF'].join('\n')}\n`;
}

/** One series after the other. */
function renderSamples(
  family: (typeof budgetUsageFamilies)[keyof typeof budgetUsageFamilies],
  metric: string,
  { name, hours }: FleetWatch,
): readonly string[] {
  const own = family.labels.slice(1);
  const bySeries = new Map<string, string[]>();
  for (const { at, usage } of hours) {
    family.sample(usage, (value, ...ownValues) => {
      if (value === undefined) return;
      const labels = own.map((label, index) => `,${label}="${ownValues[index]}"`).join('');
      const series = `${metric}{job="${job}",instance="fleet",budget="${name}"${labels}}`;
      const samples = bySeries.get(series) ?? [];
      bySeries.set(series, samples);
      samples.push(`${series} ${value} ${at / 1000}`);
    });
  }
  return [...bySeries.values()].flat();
}
