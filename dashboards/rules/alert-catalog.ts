import type { Metric } from '../promql.ts';
import { accountAlerts } from './account-alert.ts';
import type { Alert } from './alert.ts';
import { apiKeyAlerts } from './api-key-alert.ts';
import { budgetAlerts } from './budget-alert.ts';
import { burnRateAlerts } from './burn-rate-alert.ts';
import { collectorAlerts } from './collector-alert.ts';
import { endpointSleepAlerts } from './endpoint-sleep-alert.ts';
import { endpointStateAlerts } from './endpoint-state-alert.ts';
import { exporterAlerts } from './exporter-alert.ts';
import { findingAlerts } from './finding-alert.ts';
import { historyAlerts } from './history-alert.ts';
import { meterAlerts } from './meter-alert.ts';
import { operationAgeAlerts } from './operation-age-alert.ts';
import { operationFailureAlerts } from './operation-failure-alert.ts';
import { projectAlerts } from './project-alert.ts';
import type { RecordingRule } from './recording-rule.ts';
import type { RuleScope } from './rule-scope.ts';
import { shardAlerts } from './shard-alert.ts';
import { spendingAlerts } from './spending-alert.ts';
import { usageAlerts } from './usage-alert.ts';

/** Every alert by rule group; a new one is a row in the file of its group and a section in the runbook. */
export const alertGroups: Readonly<Record<string, readonly Alert[]>> = {
  exporter: [...exporterAlerts, ...historyAlerts, ...shardAlerts],
  account: [...accountAlerts, ...collectorAlerts, ...budgetAlerts],
  operations: [...operationFailureAlerts, ...operationAgeAlerts],
  endpoints: [...endpointSleepAlerts, ...endpointStateAlerts],
  projects: projectAlerts,
  'api-keys': apiKeyAlerts,
  spending: [...spendingAlerts, ...burnRateAlerts],
  usage: [...usageAlerts, ...meterAlerts, ...findingAlerts],
};

export const alerts: readonly Alert[] = Object.values(alertGroups).flat();

/** Names of all metrics that an alert queries, with those behind its recording rules. */
export function listMetrics({ expression, thresholds }: Alert): ReadonlySet<string> {
  const names = new Set<string>();
  const note = (metric: Metric<string>): string => {
    names.add(metric.declaredName ?? metric.name);
    if (isRecorded(metric)) metric.expression(scope);
    return metric.name;
  };
  const scope: RuleScope = { select: note };
  expression(scope, Object.fromEntries(Object.keys(thresholds).map(name => [name, 0])));
  return names;
}

function isRecorded(metric: Metric<string>): metric is RecordingRule {
  return 'expression' in metric;
}
