import { accountFamilies } from '../../src/resources/account.ts';
import { endpointFamilies } from '../../src/resources/endpoint.ts';
import { projectFamilies } from '../../src/resources/project.ts';
import { labelList } from '../promql.ts';
import type { Board } from './board.ts';
import { rowToProject, seriesToProject, toBoard } from './link.ts';
import { oneIsGood, risingBands, yesOrNo, zeroIsGood } from './look.ts';
import { perProject } from './name.ts';
import { failuresInRange, oldestAge, stuckAfterSeconds } from './operation-query.ts';
import { stat, timeseries } from './panel.ts';
import { age, increaseInRange, rate, scoped } from './scope.ts';
import { activeShare, isActive, stateColours } from './state.ts';
import { table } from './table.ts';

const { info, cpuUsedSeconds, createdTimestamp, updatedTimestamp, lastRefreshTimestamp } = projectFamilies;
const byAccount = labelList('by', accountFamilies.up, 'account');
const projectColumns = [
  { label: 'project_name', title: 'Project', link: rowToProject },
  { label: 'account', title: 'Account', width: 120 },
  { label: 'project_id', title: 'Id' },
] as const;

const nowPanels = [
  stat({
    title: 'Age of the data',
    description:
      'How long ago the collector that is furthest behind last succeeded, of all accounts selected.',
    unit: 's',
    width: 4,
    expression: `max(${age(accountFamilies.collectorLastSuccessTimestamp)})`,
    bands: risingBands(300, 900),
    links: [toBoard('dbpm-exporter', 'Open the exporter')],
  }),
  stat({
    title: 'Accounts failing',
    description: 'Accounts whose lists could not be read at the last attempt.',
    unit: 'none',
    width: 4,
    expression: `sum(1 - ${scoped(accountFamilies.up)})`,
    bands: zeroIsGood,
    links: [toBoard('dbpm-exporter', 'Open the exporter')],
  }),
  stat({
    title: 'Failed operations',
    description: 'Operations that ended in failure within the time range.',
    unit: 'none',
    width: 4,
    decimals: 0,
    expression: failuresInRange,
    bands: zeroIsGood,
    links: [toBoard('dbpm-operations', 'Open the operations')],
  }),
  stat({
    title: 'Projects with a stuck operation',
    description: 'Projects whose oldest unfinished operation is more than an hour old.',
    unit: 'none',
    width: 4,
    expression: `count(${oldestAge} > ${stuckAfterSeconds}) or vector(0)`,
    bands: zeroIsGood,
    links: [toBoard('dbpm-operations', 'Open the operations')],
  }),
  stat({
    title: 'Endpoints that never slept',
    description:
      'Endpoints that were active for at least 99 % of the time range: each costs money all the time.',
    unit: 'none',
    width: 4,
    expression: `count(${activeShare()} >= 0.99) or vector(0)`,
    bands: { base: 'green', above: [[1, 'orange']] },
    links: [toBoard('dbpm-endpoints', 'Open the endpoints')],
  }),
  stat({
    title: 'Locked projects',
    description: 'Projects the service reports as locked.',
    unit: 'none',
    width: 4,
    expression: `sum(${scoped(projectFamilies.locked)}) or vector(0)`,
    bands: zeroIsGood,
  }),
];

const runningPanels = [
  stat({
    title: 'Projects',
    description: 'Projects the accounts have now.',
    unit: 'none',
    width: 4,
    expression: `count(${scoped(info)})`,
  }),
  stat({
    title: 'Endpoints',
    description: 'Compute endpoints of the projects.',
    unit: 'none',
    width: 4,
    expression: `count(${scoped(endpointFamilies.info)})`,
  }),
  stat({
    title: 'Active endpoints',
    description: 'Endpoints that are awake now and use compute.',
    unit: 'none',
    width: 4,
    expression: `sum(${isActive()})`,
  }),
  stat({
    title: 'Compute used',
    description: 'CPU time all projects used within the time range, deleted ones included.',
    unit: 's',
    width: 4,
    expression: `sum(${increaseInRange(accountFamilies.cpuUsedSeconds)})`,
  }),
  stat({
    title: 'Projects created',
    description: 'Projects that were created within the time range.',
    unit: 'none',
    width: 4,
    expression: `count(${age(createdTimestamp)} < $__range_s) or vector(0)`,
  }),
  stat({
    title: 'Projects gone',
    description: 'Projects that were there within the time range and are not any more.',
    unit: 'none',
    width: 4,
    expression: `count(${goneProjects()}) or vector(0)`,
  }),
  timeseries({
    title: 'Endpoints by state',
    description: 'What the endpoints are doing: active ones use compute, idle ones sleep.',
    unit: 'none',
    width: 12,
    stack: true,
    colours: stateColours,
    queries: [
      {
        expression: `sum ${labelList('by', endpointFamilies.state, 'state')} (${scoped(endpointFamilies.state)})`,
        legend: ['state'],
      },
    ],
  }),
  timeseries({
    title: 'Compute used, by account',
    description: 'CPU seconds used a second: 1 is one CPU busy all the time.',
    unit: 'none',
    decimals: 2,
    width: 12,
    queries: [
      { expression: `sum ${byAccount} (${rate(accountFamilies.cpuUsedSeconds)})`, legend: ['account'] },
    ],
  }),
  timeseries({
    title: 'Ten busiest projects',
    description: 'CPU seconds used a second by the ten projects that used most at each moment.',
    unit: 'none',
    decimals: 2,
    width: 12,
    links: [seriesToProject],
    queries: [
      {
        expression: `topk(10, ${perProject(rate(cpuUsedSeconds))} > 0)`,
        legend: ['project_name', 'project_id'],
      },
    ],
  }),
  table({
    title: 'Projects that used most compute',
    description: 'CPU time within the time range, the first fifty. A name leads to the project.',
    width: 12,
    labels: projectColumns,
    values: [
      {
        title: 'Compute used',
        expression: `topk(50, ${perProject(increaseInRange(cpuUsedSeconds))} > 0)`,
        unit: 's',
      },
    ],
    sortBy: 'Compute used',
  }),
];

const changedPanels = [
  table({
    title: 'Projects created',
    description: 'Projects created within the time range, the newest first.',
    width: 8,
    filledBy: 'project created',
    labels: projectColumns,
    values: [{ title: 'Age', expression: `${perProject(age(createdTimestamp))} < $__range_s`, unit: 's' }],
    sortBy: 'Age',
    ascending: true,
  }),
  table({
    title: 'Projects gone',
    description: 'Projects that were there within the time range and are not any more.',
    width: 8,
    filledBy: 'project gone',
    labels: projectColumns,
    values: [
      {
        title: 'Since reading',
        expression: `max ${labelList('by', info, 'account', 'project_id', 'project_name')} (${goneSince()})`,
        unit: 's',
      },
    ],
    sortBy: 'Since reading',
    ascending: true,
  }),
  table({
    title: 'Projects the service changed',
    description:
      'Projects the service last updated within the time range, the latest change first, at most fifty.',
    width: 8,
    labels: projectColumns,
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
];

const accountPanels = [
  table({
    title: 'Accounts',
    description: 'Whether each account can be read, and how old the oldest of its data is.',
    width: 12,
    labels: [{ label: 'account', title: 'Account' }],
    values: [
      {
        title: 'Readable',
        expression: `min ${byAccount} (${scoped(accountFamilies.up)})`,
        unit: 'none',
        mappings: yesOrNo('green', 'red'),
        bands: oneIsGood,
      },
      {
        title: 'Key accepted',
        expression: `min ${byAccount} (${scoped(accountFamilies.authOk)})`,
        unit: 'none',
        mappings: yesOrNo('green', 'red'),
        bands: oneIsGood,
      },
      {
        title: 'Age of the data',
        expression: `max ${byAccount} (${age(accountFamilies.collectorLastSuccessTimestamp)})`,
        unit: 's',
        bands: risingBands(300, 900),
      },
    ],
    sortBy: 'Age of the data',
  }),
  table({
    title: 'Projects read longest ago',
    description:
      'When the endpoints and operations of a project were last read; sleeping ones are read seldom.',
    width: 12,
    labels: projectColumns,
    values: [
      {
        title: 'Since reading',
        expression: `topk(20, ${perProject(age(lastRefreshTimestamp))})`,
        unit: 's',
        bands: risingBands(1800, 7200),
      },
    ],
    sortBy: 'Since reading',
  }),
];

/** Projects that were seen within the time range and have no sample now. */
function goneProjects(): string {
  const on = labelList('on', info, 'job', 'instance', 'account', 'project_id');
  return `max_over_time(${scoped(info)}[$__range]) unless ${on} ${scoped(info)}`;
}

/** How long ago the projects that are gone were last read, in seconds. */
function goneSince(): string {
  const on = labelList('on', info, 'job', 'instance', 'account', 'project_id');
  const lastRead = `max_over_time(${scoped(lastRefreshTimestamp)}[$__range])`;
  return `(${goneProjects()}) * ${on} ${labelList('group_left', info)} (time() - ${lastRead})`;
}

export const fleetBoard: Board = {
  uid: 'dbpm-fleet',
  title: 'DBPM / Fleet overview',
  question: [
    '**What is running, what changed and what is wrong, over all projects?** The first line is green when nobody needs to act.',
    '',
    'A red or orange number leads to the board that explains it; the name of a project leads to its own board. Nothing here is fresher than *Age of the data* says.',
  ].join('\n'),
  since: '6h',
  projects: 'many',
  sections: [
    { title: 'Is anything wrong?', panels: nowPanels },
    { title: 'What is running', panels: runningPanels },
    { title: 'What changed', panels: changedPanels },
    { title: 'Can the numbers be trusted?', panels: accountPanels },
  ],
};
