import { selfFamilies } from '../../src/metrics/self/self-family.ts';
import { accountFamilies } from '../../src/resources/account.ts';
import { labelList, type Metric } from '../promql.ts';
import type { Section } from './board.ts';
import { perMinute } from './look.ts';
import { type BoardPanel, type PanelText, timeseries } from './panel.ts';
import { age, type CatalogLabel, rate, scoped } from './scope.ts';
import { seriesBy } from './series.ts';
import { sumOverShards } from './shard-sum.ts';

const { collectorErrors, collectorFailingProjects, collectorFailingSinceTimestamp } = accountFamilies;
const { implausibleValues, lostFields, projectsUnavailable } = accountFamilies;
const { httpLogins, httpTurnedAway, pausedUntilTimestamp, shardInfo, shards } = selfFamilies;

/** Panels that are empty, or flat, while nothing fails. */
export const exporterFaultSection: Section = {
  title: 'What fails',
  isFolded: true,
  panels: [
    faultPanel(
      {
        title: 'Errors by reason',
        description:
          'Failed readings and unusable items a minute, by collector and reason. Empty lines are left out.',
        filledBy: 'account unreachable',
      },
      collectorErrors,
      'collector',
      'reason',
    ),
    timeseries({
      title: 'Projects that cannot be read',
      description:
        'Projects whose last reading failed, by collector, and for how long the one that fails for longest has. Nothing is as it should be.',
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
          expression: `max ${labelList('by', collectorFailingSinceTimestamp, 'account', 'collector')} (${age(collectorFailingSinceTimestamp)}) / 3600`,
          legend: '{{account}}, {{collector}}: hours',
        },
      ],
    }),
    timeseries({
      title: 'Projects that cannot be listed',
      description:
        'Projects that the service names as unavailable instead of listing them: what the list says of them is old, and vanishes after collect.drop_after.',
      filledBy: 'project unavailable',
      queries: [seriesBy('max', projectsUnavailable, ['account'])],
    }),
    timeseries({
      title: 'Left alone for',
      description:
        'How long the service still wants an account, or its list of projects, to be left alone (Retry-After). Nothing is read meanwhile.',
      unit: 's',
      filledBy: 'list paused',
      queries: [
        {
          expression: `max ${labelList('by', pausedUntilTimestamp, 'account')} (${scoped(pausedUntilTimestamp)}) - time()`,
          legend: ['account'],
        },
      ],
    }),
    faultPanel(
      {
        title: 'Values that cannot be true',
        description:
          'Values of the service that count for nothing, a minute, by field. Empty lines are left out.',
        filledBy: 'value implausible',
      },
      implausibleValues,
      'field',
    ),
    faultPanel(
      {
        title: 'Fields that were lost',
        description:
          'Fields of what the service sends that could not be used, a minute, by name; the rest of the object counts.',
        filledBy: 'later service',
      },
      lostFields,
      'field',
    ),
    timeseries({
      title: 'Clients turned away',
      description:
        'Clients that were not served to the end, a minute, by reason, and logins that were not let in. More than a few are too many readers, slow readers, or somebody who means harm.',
      unit: perMinute,
      queries: [
        {
          expression: `60 * sum ${labelList('by', httpTurnedAway, 'reason')} (${rate(httpTurnedAway)})`,
          legend: ['reason'],
        },
        {
          expression: `60 * sum ${labelList('by', httpLogins, 'outcome')} (${rate(httpLogins, { outcome: { not: 'ok' } })})`,
          legend: 'login: {{outcome}}',
        },
      ],
    }),
    timeseries({
      title: 'Shards',
      description:
        'Exporters that share the projects of their accounts, and how many there should be by their configuration; 1 where one takes all projects.',
      queries: [
        { expression: `max(${scoped(shards)}) or vector(1)`, legend: 'configured' },
        { expression: `${countShards()} or vector(1)`, legend: 'there' },
      ],
    }),
  ],
};

/** How often something went wrong, a minute, by some labels. */
function faultPanel<Label extends CatalogLabel>(
  text: Pick<PanelText, 'title' | 'description' | 'filledBy'>,
  counter: Metric<Label>,
  ...by: readonly NoInfer<Label>[]
): BoardPanel {
  const expression = `60 * sum ${labelList('by', counter, ...by)} (${rate(counter)}) > 0`;
  return timeseries({ ...text, unit: perMinute, bars: true, queries: [{ expression, legend: by }] });
}

/** Two exporters for one shard are one. */
function countShards(): string {
  return `count(count ${labelList('by', shardInfo, 'shard')} (${scoped(shardInfo)}))`;
}
