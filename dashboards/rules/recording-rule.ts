import { endpointFamilies } from '../../src/resources/endpoint.ts';
import { operationDurationFamilies } from '../../src/resources/operation.ts';
import { projectFamilies } from '../../src/resources/project.ts';
import { bucketsOf, labelList, type Metric } from '../promql.ts';
import type { RuleScope } from './rule-scope.ts';
import { overShards, shardRules } from './shard-rule.ts';

/** An expression that boards and alerts share, computed once; it can be queried like a declared metric. */
export interface RecordingRule<Label extends string = string> extends Metric<Label> {
  expression(scope: RuleScope): string;
}

const { cpuUsedSeconds } = projectFamilies;
const { stateSeconds } = endpointFamilies;
const { duration } = operationDurationFamilies;

const stripTotal = (metric: Metric<string>): string => metric.name.replace(/_total$/, '');

/** Compute seconds each project used within the last hour. */
export const projectCpuUse = {
  name: `project:${stripTotal(cpuUsedSeconds)}:increase1h`,
  type: 'gauge',
  labels: ['account', 'project_id'],
  expression: scope => `increase(${scope.select(cpuUsedSeconds)}[1h])`,
} as const satisfies RecordingRule;

/**
 * The most each project used at this time of day yesterday and a week ago, give or take an hour: nightly, weekday and
 * weekly jobs are a habit. Absent in the first day of a project.
 */
export const projectCpuHabit = {
  name: `project:${stripTotal(cpuUsedSeconds)}:increase1h_habit`,
  type: 'gauge',
  labels: ['account', 'project_id'],
  expression: scope => {
    const around = (offset: string, age: string) =>
      `label_replace(max_over_time(${scope.select(projectCpuUse)}[2h] offset ${offset}), "ago", "${age}", "", "")`;
    return `max without (ago) (\n  ${around('23h', 'day')}\n  or\n  ${around('167h', 'week')}\n)`;
  },
} as const satisfies RecordingRule;

/** Share of the last ten minutes each endpoint was awake, from 0 to 1. */
export const endpointAwakeRatio = {
  name: `endpoint:${stripTotal(stateSeconds)}:rate10m`,
  type: 'gauge',
  labels: ['account', 'project_id', 'endpoint_id'],
  expression: scope =>
    `sum ${labelList('without', stateSeconds, 'state')} (rate(${scope.select(stateSeconds, { state: 'active' })}[10m]))`,
} as const satisfies RecordingRule;

/** How long the operations of each action usually take, in seconds: 19 in 20 of the last week took less, of all shards. */
export const usualOperationDuration = {
  name: `action:${duration.name}:p95_7d`,
  type: 'gauge',
  labels: ['account', 'action'],
  expression: scope =>
    `histogram_quantile(0.95,\n${overShards(scope, `increase(${scope.select(bucketsOf(duration))}[7d])`)}\n)`,
} as const satisfies RecordingRule;

export const recordingRules: readonly RecordingRule[] = [
  projectCpuUse,
  projectCpuHabit,
  endpointAwakeRatio,
  usualOperationDuration,
  ...Object.values(shardRules),
];
