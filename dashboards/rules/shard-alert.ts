import { selfFamilies } from '../../src/metrics/self/self-family.ts';
import { labelList, select } from '../promql.ts';
import { defineAlert } from './alert.ts';
import { withoutTarget } from './shard-rule.ts';

const { shardInfo, shards } = selfFamilies;

const target = { job: 'dbpm' } as const;
const info = (shard: string, instance = `dbpm-${shard}:10062`) =>
  select(shardInfo, { ...target, instance, shard, shards: '3' });
const count = (shard: string) => select(shards, { ...target, instance: `dbpm-${shard}:10062` });

/** Whether the exporters that share the projects of accounts are all there. */
export const shardAlerts = [
  defineAlert({
    name: 'DbpmShardMissing',
    severity: 'critical',
    for: '10m',
    thresholds: {},
    board: 'dbpm-exporter',
    summary: 'A shard is missing, or shards differ on their number.',
    headline:
      'Not all {{ $value }} shards of the job {{ $labels.job }} are there, or they do not agree how many they are.',
    description:
      'The exporters of the job {{ $labels.job }} share the projects as {{ $value }} shards. Prometheus does not see all of them, or some are set to another number: some projects are watched by none or by two, and sums over all are wrong. Query dbpm_exporter_shard_info to see which are there, start the one that is missing, and give all of them the same number behind the slash of --shard.',
    expression: scope => {
      const most = `max ${withoutTarget} (${scope.select(shards)})`;
      const each = `count ${withoutTarget} (max ${labelList('without', shardInfo, 'shards')} (${scope.select(shardInfo)}))`;
      const seen = `count ${labelList('without', shardInfo, 'shard')} (${each})`;
      return [`${most} > ${seen}`, `${most} > min ${withoutTarget} (${scope.select(shards)})`].join('\nor\n');
    },
    examples: {
      fires: {
        series: {
          [info('0')]: '1x60',
          [count('0')]: '3x60',
          [info('1')]: '1x60',
          [count('1')]: '3x60',
          [info('2')]: '1x9 stale _x19 1x30',
          [count('2')]: '3x9 stale _x19 3x30',
        },
        quietAt: '19m',
        firesAt: '20m',
        resolvedAt: '30m',
        labels: target,
        value: '3',
      },
      quiet: {
        // Two exporters for one shard are as good as one.
        series: Object.fromEntries(
          ['0', '1', '2'].flatMap(shard => [
            [info(shard), '1x60'],
            [info(shard, `twin-${shard}:10062`), '1x60'],
            [count(shard), '3x60'],
          ]),
        ),
        at: '60m',
      },
    },
  }),
];
