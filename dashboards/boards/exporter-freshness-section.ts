import { accountFamilies } from '../../src/resources/account.ts';
import { labelList } from '../promql.ts';
import type { Section } from './board.ts';
import { yesOrNo } from './look.ts';
import { timeline, timeseries } from './panel.ts';
import { age, rate, scoped } from './scope.ts';
import { sumOverShards } from './shard-sum.ts';

const {
  collectorSuccess,
  collectorErrors,
  collectorFailingProjects,
  collectorFailingSinceTimestamp,
  collectorLastDuration,
  collectorLastSuccessTimestamp,
  implausibleValues,
  lostFields,
  projectsUnavailable,
} = accountFamilies;
const byCollector = labelList('by', collectorSuccess, 'account', 'collector');

/** Panels on how fresh what each collector reads is. */
export const exporterFreshnessSection: Section = {
  title: 'Freshness',
  panels: [
    timeseries({
      title: 'Age of the data, by collector',
      description: 'Seconds since each collector last succeeded. A saw-tooth is healthy, a slope is not.',
      unit: 's',
      width: 12,
      queries: [
        {
          expression: `max ${byCollector} (${age(collectorLastSuccessTimestamp)})`,
          legend: ['account', 'collector'],
        },
      ],
    }),
    timeline({
      title: 'Collectors',
      description: 'Whether the last attempt of each collector succeeded.',
      unit: 'none',
      width: 12,
      height: 9,
      mappings: yesOrNo('green', 'red'),
      queries: [
        { expression: `min ${byCollector} (${scoped(collectorSuccess)})`, legend: ['account', 'collector'] },
      ],
    }),
    timeseries({
      title: 'Duration of readings',
      description: 'How long the last attempt of each collector took.',
      unit: 's',
      width: 8,
      queries: [
        {
          expression: `max ${byCollector} (${scoped(collectorLastDuration)})`,
          legend: ['account', 'collector'],
        },
      ],
    }),
    timeseries({
      title: 'Errors by reason',
      description:
        'Failed readings and unusable items a minute, by collector and reason. Empty lines are left out.',
      unit: 'cpm',
      width: 8,
      bars: true,
      filledBy: 'account unreachable',
      queries: [
        {
          expression: `60 * sum ${labelList('by', collectorErrors, 'collector', 'reason')} (${rate(collectorErrors)}) > 0`,
          legend: ['collector', 'reason'],
        },
      ],
    }),
    timeseries({
      title: 'Projects that cannot be read',
      description:
        'Projects whose last reading failed, by collector, and for how long the one that fails for longest has. Nothing is as it should be.',
      unit: 'none',
      width: 8,
      filledBy: 'project unreadable',
      queries: [
        {
          expression: sumOverShards(
            scoped(collectorFailingProjects),
            collectorFailingProjects,
            'account',
            'collector',
          ),
          legend: '{{account}}, {{collector}}: projects',
        },
        {
          expression: `max ${byCollector} (${age(collectorFailingSinceTimestamp)}) / 3600`,
          legend: '{{account}}, {{collector}}: hours',
        },
      ],
    }),
    timeseries({
      title: 'Values that cannot be true',
      description:
        'Values of the service that count for nothing, a minute, by field. Empty lines are left out.',
      unit: 'cpm',
      width: 8,
      bars: true,
      filledBy: 'value implausible',
      queries: [
        {
          expression: `60 * sum ${labelList('by', implausibleValues, 'field')} (${rate(implausibleValues)}) > 0`,
          legend: ['field'],
        },
      ],
    }),
    timeseries({
      title: 'Fields that were lost',
      description:
        'Fields of what the service sends that could not be used, a minute, by name; the rest of the object counts.',
      unit: 'cpm',
      width: 12,
      bars: true,
      filledBy: 'later service',
      queries: [
        {
          expression: `60 * sum ${labelList('by', lostFields, 'field')} (${rate(lostFields)}) > 0`,
          legend: ['field'],
        },
      ],
    }),
    timeseries({
      title: 'Projects that cannot be listed',
      description:
        'Projects that the service names as unavailable instead of listing them: what the list says of them is old, and vanishes after collect.drop_after.',
      unit: 'none',
      width: 12,
      noValue: 'none was ever named',
      filledBy: 'project unavailable',
      queries: [
        {
          expression: `max ${labelList('by', projectsUnavailable, 'account')} (${scoped(projectsUnavailable)})`,
          legend: ['account'],
        },
      ],
    }),
  ],
};
