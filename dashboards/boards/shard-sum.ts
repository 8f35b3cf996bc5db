import { selfFamilies } from '../../src/metrics/self/self-family.ts';
import { labelList, type Metric } from '../promql.ts';
import { scoped } from './scope.ts';

const { shardInfo } = selfFamilies;

/**
 * One sample for each value of some labels of a figure that adds up: the sum of all shards, or the greatest of exporters
 * that each know all of it. Of two exporters for one shard the greater counts, too.
 */
export function sumOverShards<Label extends string>(
  expression: string,
  metric: Metric<Label>,
  ...by: readonly NoInfer<Label>[]
): string {
  const join = `${labelList('on', shardInfo, 'job', 'instance')} group_left (shard) ${scoped(shardInfo)}`;
  const ofShard = `max by (${[...by, 'job', 'shard'].join(', ')}) ((${expression}) * ${join})`;
  const all = labelList('by', metric, ...by);
  return `(sum ${all} (${ofShard}) or max ${all} (${expression}))`;
}
