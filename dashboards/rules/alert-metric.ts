import type { Metric } from '../promql.ts';
import type { Alert } from './alert.ts';
import type { RecordingRule } from './recording-rule.ts';
import type { RuleScope } from './rule-scope.ts';

/** Names of all metrics that an alert queries, with those behind its recording rules. */
export function listMetrics({ expression, thresholds }: Alert): ReadonlySet<string> {
  const names = new Set<string>();
  const note = (metric: Metric<string>): string => {
    names.add(metric.name);
    if (isRecorded(metric)) metric.expression(scope);
    return metric.name;
  };
  const scope: RuleScope = { select: note, selectPart: note };
  expression(scope, Object.fromEntries(Object.keys(thresholds).map(name => [name, 0])));
  return names;
}

function isRecorded(metric: Metric<string>): metric is RecordingRule {
  return 'expression' in metric;
}
