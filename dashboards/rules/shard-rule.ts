import { selfFamilies } from '../../src/metrics/self/self-family.ts';
import { budgetUsageFamilies } from '../../src/resources/usage/budget.ts';
import { accountFindingFamilies } from '../../src/resources/usage/finding.ts';
import { labelList, type Metric } from '../promql.ts';
import type { RecordingRule } from './recording-rule.ts';
import type { RuleScope } from './rule-scope.ts';

const { shardInfo } = selfFamilies;
const { usedRatio, projectedRatio, projectedBoundRatio, burnRateRatio, thresholdRatio } = budgetUsageFamilies;

/** Shards are told by these: of each it is the same whichever host it runs on. */
export const withoutTarget = labelList('without', shardInfo, 'instance', 'pod');
const onTarget = labelList('on', shardInfo, 'job', 'instance');

/** The instance that figures of all shards together have. */
export const allShards = 'shards';

/**
 * The figure of each exporter that knows all projects as it is, and one of all shards together in place of theirs. Of two
 * exporters for one shard the greater counts.
 */
function overShards(scope: RuleScope, metric: Metric<string>, combine: 'sum' | 'max'): string {
  const each = scope.select(metric);
  const shards = scope.select(shardInfo);
  const ofShard = `max ${withoutTarget} (${each} * ${onTarget} group_left (shard) ${shards})`;
  const ofAll = `${combine} ${labelList('without', shardInfo, 'shard')} (${ofShard})`;
  return `label_replace(${ofAll}, "instance", "${allShards}", "", "")\nor\n(${each} unless ${onTarget} ${shards})`;
}

function shardRule<const Label extends string>(
  level: 'budget' | 'account',
  metric: Metric<Label>,
  combine: 'sum' | 'max' = 'sum',
): RecordingRule<Label> {
  return {
    name: `${level}:${metric.name}:${combine}`,
    type: 'gauge',
    labels: metric.labels,
    expression: scope => overShards(scope, metric, combine),
  };
}

/** How budgets stand and what could be saved, of all shards where there are any: each shard tells of its part. */
export const shardRules = {
  budgetUsed: shardRule('budget', usedRatio),
  budgetProjected: shardRule('budget', projectedRatio),
  /** Wider than they need be: of several parts hardly all come out at their bounds. */
  budgetProjectedBound: shardRule('budget', projectedBoundRatio),
  budgetBurnRate: shardRule('budget', burnRateRatio),
  /** The same in each. */
  budgetThreshold: shardRule('budget', thresholdRatio, 'max'),
  findingsCost: shardRule('account', accountFindingFamilies.costPerMonth),
};
