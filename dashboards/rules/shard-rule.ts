import { selfFamilies } from '../../src/metrics/self/self-family.ts';
import { accountUsageFamilies } from '../../src/resources/usage/account.ts';
import { budgetUsageFamilies } from '../../src/resources/usage/budget.ts';
import { accountFindingFamilies } from '../../src/resources/usage/finding.ts';
import { accountLedgerFamilies, reconstructionFamilies } from '../../src/resources/usage/ledger-drift.ts';
import { labelList, type Metric } from '../promql.ts';
import type { RecordingRule } from './recording-rule.ts';
import type { RuleScope } from './rule-scope.ts';

const { shardInfo } = selfFamilies;
const { usedRatio, projectedRatio, projectedBoundRatio, burnRateRatio, thresholdRatio } = budgetUsageFamilies;

/** Shards are told by these: of each it is the same whichever host it runs on. */
export const withoutTarget = labelList('without', shardInfo, 'instance', 'pod');
const onTarget = labelList('on', shardInfo, 'job', 'instance');

/** Narrows samples of exporters to shards. */
export const isShard = (scope: RuleScope): string => `and ${onTarget} ${scope.select(shardInfo)}`;

/** The instance that figures of all shards together have. */
export const allShards = 'shards';

/**
 * The figure of each exporter that knows all projects as it is, and one of all shards together in place of theirs. Of two
 * exporters for one shard the greater counts.
 *
 * @param each the figure of each exporter: a selector, a function of one, or anything in brackets.
 */
export function overShards(scope: RuleScope, each: string, combine: 'sum' | 'max' = 'sum'): string {
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
    expression: scope => overShards(scope, scope.select(metric), combine),
  };
}

/** How budgets and the use of accounts stand, of all shards where there are any: each shard tells of its part. */
export const shardRules = {
  budgetUsed: shardRule('budget', usedRatio),
  budgetProjected: shardRule('budget', projectedRatio),
  /** Wider than they need be: of several parts hardly all come out at their bounds. */
  budgetProjectedBound: shardRule('budget', projectedBoundRatio),
  budgetBurnRate: shardRule('budget', burnRateRatio),
  /** The same in each. */
  budgetThreshold: shardRule('budget', thresholdRatio, 'max'),
  findingsCost: shardRule('account', accountFindingFamilies.costPerMonth),
  periodUnpricedCompute: shardRule('account', accountUsageFamilies.periodUnpricedComputeSeconds),
  reportedCompute: shardRule('account', reconstructionFamilies.reportedComputeSeconds),
  reconstructedCompute: shardRule('account', reconstructionFamilies.reconstructedComputeSeconds),
  ledgerDriftProjects: shardRule('account', accountLedgerFamilies.ledgerDriftProjects),
};
