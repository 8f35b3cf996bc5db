import { accountFamilies } from '../../src/resources/account.ts';
import { projectFamilies } from '../../src/resources/project.ts';
import { labelList } from '../promql.ts';
import type { Board, Section } from './board.ts';
import { fleetRunningSection } from './fleet-running-section.ts';
import { toBoard } from './link.ts';
import { projectAgeBands, toMappings, yesIsGood, zeroIsGood } from './look.ts';
import { byProject, onProject, perProject } from './name.ts';
import { failuresInRange, oldestAge, stuckAfterSeconds } from './operation-query.ts';
import { agePanel, stat } from './panel.ts';
import { projectAge, projectAgeInRange } from './project-query.ts';
import { age, scoped } from './scope.ts';
import { activeShare } from './state.ts';
import { narrowProjectColumns, projectColumns, table } from './table.ts';
import { findingPanel } from './usage-finding-panel.ts';
import { costForecastPanel } from './usage-forecast-section.ts';
import { usageHeadlines } from './usage-headline.ts';

const { info, updatedTimestamp } = projectFamilies;

/** Projects that came, went or were changed. */
const fleetChangeSection: Section = {
  title: 'What changed',
  isFolded: true,
  panels: [
    table({
      title: 'Projects created',
      description: 'Projects created within the time range, the newest first.',
      width: 8,
      filledBy: 'project created',
      labels: narrowProjectColumns,
      values: [{ title: 'Age', expression: `${perProject(projectAge)} < $__range_s`, unit: 's' }],
      sortBy: 'Age',
      ascending: true,
    }),
    table({
      title: 'Projects gone',
      description:
        'Projects that were there within the time range and are not any more; an old one that is gone deserves a question.',
      width: 8,
      filledBy: 'project gone',
      labels: narrowProjectColumns,
      values: [
        {
          title: 'Age',
          expression: goneProjects(),
          unit: 's',
        },
      ],
      sortBy: 'Project',
      ascending: true,
    }),
    table({
      title: 'Projects the service changed',
      description:
        'Projects the service last updated within the time range, the latest change first, at most fifty.',
      width: 8,
      labels: narrowProjectColumns,
      values: [
        {
          title: 'Since change',
          expression: `bottomk(50, ${perProject(age(updatedTimestamp))} < $__range_s)`,
          unit: 's',
        },
      ],
      sortBy: 'Since change',
      ascending: true,
    }),
  ],
};

/** Age in seconds of the projects that were seen within the time range and have no sample now. */
function goneProjects(): string {
  const onAccount = labelList('on', info, 'job', 'instance', 'account');
  // A project that is left out is not gone.
  const lately = `${age(accountFamilies.lastProjectGoneTimestamp)} < $__range_s`;
  const gone = `max_over_time(${scoped(info)}[$__range]) unless ${onProject} ${scoped(info)} and ${onAccount} (${lately})`;
  return `max ${byProject()} ((${gone}) * ${onProject} ${labelList('group_left', info)} (${projectAgeInRange}))`;
}

const byAccount = labelList('by', accountFamilies.up, 'account');

const nowPanels = [
  agePanel({
    description:
      'How long ago the collector that is furthest behind last succeeded, of all accounts selected.',
    expression: `max(${age(accountFamilies.collectorLastSuccessTimestamp)})`,
    links: [toBoard('dbpm-exporter', 'Open the exporter')],
  }),
  stat({
    title: 'Accounts failing',
    description: 'Accounts whose lists could not be read at the last attempt.',
    expression: `sum(1 - ${scoped(accountFamilies.up)})`,
    bands: zeroIsGood,
    links: [toBoard('dbpm-exporter', 'Open the exporter')],
  }),
  stat({
    title: 'Failed operations',
    description: 'Operations that ended in failure within the time range.',
    decimals: 0,
    expression: failuresInRange,
    bands: zeroIsGood,
    links: [toBoard('dbpm-operations', 'Open the operations')],
  }),
  stat({
    title: 'Projects with a stuck operation',
    description: 'Projects whose oldest unfinished operation is more than an hour old.',
    expression: `count(${oldestAge} > ${stuckAfterSeconds}) or vector(0)`,
    bands: zeroIsGood,
    links: [toBoard('dbpm-operations', 'Open the operations')],
  }),
  stat({
    title: 'Endpoints that never slept',
    description:
      'Endpoints that were active for at least 99% of the time range: each costs money all the time.',
    expression: `count(${activeShare()} >= 0.99) or vector(0)`,
    bands: { base: 'green', above: [[1, 'orange']] },
    links: [toBoard('dbpm-endpoints', 'Open the endpoints')],
  }),
  stat({
    title: 'Locked projects',
    description: 'Projects the service reports as locked.',
    expression: `sum(${scoped(projectFamilies.locked)}) or vector(0)`,
    bands: zeroIsGood,
  }),
];

const accountPanels = [
  table({
    title: 'Accounts',
    description:
      'Whether each account can be read, where the service tells its use of compute, and how old the oldest of its data is.',
    labels: [{ label: 'account', title: 'Account' }],
    values: [
      {
        title: 'Readable',
        expression: `min ${byAccount} (${scoped(accountFamilies.up)})`,
        ...yesIsGood,
      },
      {
        title: 'Key accepted',
        expression: `min ${byAccount} (${scoped(accountFamilies.authOk)})`,
        ...yesIsGood,
      },
      {
        title: 'Compute told by',
        expression: `max ${byAccount} (${scoped(accountFamilies.cpuSourceInfo)}) or 0 * min ${byAccount} (${scoped(accountFamilies.up)})`,
        mappings: toMappings([
          [1, 'each project', 'blue'],
          [0, 'the list', 'green'],
        ]),
      },
      {
        title: 'Age of the data',
        expression: `max ${byAccount} (${age(accountFamilies.collectorLastSuccessTimestamp)})`,
        unit: 's',
        bands: projectAgeBands,
      },
    ],
    sortBy: 'Age of the data',
  }),
  table({
    title: 'Projects read longest ago',
    description:
      'When the endpoints and operations of a project were last read; sleeping ones are read seldom.',
    labels: projectColumns,
    values: [
      {
        title: 'Since reading',
        expression: `topk(20, ${perProject(age(projectFamilies.lastRefreshTimestamp))})`,
        unit: 's',
        bands: projectAgeBands,
      },
    ],
    sortBy: 'Since reading',
  }),
];

export const fleetBoard: Board = {
  uid: 'dbpm-fleet',
  title: 'DBPM / Fleet overview',
  question: [
    '**What does it cost, what is wrong, what is running and what changed, over all projects?** The line *Is anything wrong?* is green when there is nothing to do.',
    '',
    'A red or orange number leads to the board that explains it; the name of a project leads to its own board. Nothing here is fresher than *Age of the data* says.',
  ].join('\n'),
  since: '6h',
  projects: 'many',
  sections: [
    {
      title: 'What does it cost?',
      panels: [...usageHeadlines, costForecastPanel(24, '7d'), findingPanel({ width: 24, height: 9 })],
    },
    { title: 'Is anything wrong?', panels: nowPanels },
    fleetRunningSection,
    fleetChangeSection,
    { title: 'Can the numbers be trusted?', panels: accountPanels },
  ],
};
