import { accountFamilies } from '../../src/resources/account.ts';
import { operationFamilies } from '../../src/resources/operation.ts';
import type { Board } from './board.ts';
import { risingBands, zeroIsGood } from './look.ts';
import { byProject, perProject, withProjectName } from './name.ts';
import { operationFlowSection } from './operation-flow-section.ts';
import { failed, failuresInRange, hourlyGrowth, oldestAge, stuckAfterSeconds } from './operation-query.ts';
import { agePanel, stat, timeseries } from './panel.ts';
import { age, increaseInRange, scoped } from './scope.ts';
import { narrowProjectColumns, projectColumns, table } from './table.ts';

const { ended, attemptFailures, inProgress, lastFailureTimestamp } = operationFamilies;

const lastFailures = `min ${byProject('action')} (${withProjectName(age(lastFailureTimestamp))})`;

const nowPanels = [
  stat({
    title: 'Failed',
    description: 'Operations that ended in failure within the time range.',
    decimals: 0,
    expression: failuresInRange,
    bands: zeroIsGood,
  }),
  stat({
    title: 'Ended well',
    description: 'Share of the operations that ended within the time range and did not fail.',
    unit: 'percentunit',
    noValue: 'none ended',
    filledBy: 'operation ended',
    expression: `1 - sum(${increaseInRange(ended, failed)}) / (sum(${increaseInRange(ended)}) > 0)`,
    bands: {
      base: 'red',
      above: [
        [0.95, 'orange'],
        [0.99, 'green'],
      ],
    },
  }),
  stat({
    title: 'Ended',
    description: 'Operations that reached an end within the time range.',
    decimals: 0,
    expression: `round(sum(${increaseInRange(ended)}))`,
  }),
  stat({
    title: 'In progress',
    description: 'Operations that have not reached an end.',
    expression: `sum(${scoped(inProgress)}) or vector(0)`,
  }),
  stat({
    title: 'Oldest in progress',
    description: 'How long the operation that has waited longest has been waiting.',
    unit: 's',
    filledBy: 'operation stuck',
    expression: `max(${oldestAge})`,
    bands: risingBands(600, stuckAfterSeconds),
  }),
  agePanel({
    description:
      'How long ago the operations of every project were last read without an error, of the account furthest behind.',
    expression: `max(${age(accountFamilies.collectorLastSuccessTimestamp, { collector: 'operations' })})`,
  }),
];

const failurePanels = [
  timeseries({
    title: 'Failures by action',
    description: 'Operations that ended in failure in the hour before each moment.',
    decimals: 1,
    filledBy: 'operation failed',
    queries: [hourlyGrowth(ended, 'action', failed)],
  }),
  timeseries({
    title: 'Failed attempts by action',
    description:
      'Failed attempts in the hour before each moment; the service tries again on its own, and each attempt delays the operation.',
    decimals: 1,
    filledBy: 'attempts failed',
    queries: [hourlyGrowth(attemptFailures, 'action')],
  }),
  table({
    title: 'Last failures',
    description:
      'When an operation of each action last failed in each project, the latest fifty. A name leads to the project.',
    filledBy: 'operation failed',
    labels: [...narrowProjectColumns, { label: 'action', title: 'Action', width: 190, words: 'own' }],
    values: [
      {
        title: 'Since failure',
        expression: `bottomk(50, ${lastFailures})`,
        unit: 's',
        bands: {
          base: 'red',
          above: [
            [3600, 'orange'],
            [86400, 'text'],
          ],
        },
      },
    ],
    sortBy: 'Since failure',
    ascending: true,
  }),
  table({
    title: 'Waiting longest',
    description: 'Projects by their oldest unfinished operation, the first twenty: red ones are stuck.',
    filledBy: 'operation stuck',
    labels: projectColumns,
    values: [
      {
        title: 'Waiting for',
        expression: `topk(20, ${perProject(oldestAge)})`,
        unit: 's',
        bands: risingBands(600, stuckAfterSeconds),
      },
    ],
    sortBy: 'Waiting for',
  }),
];

export const operationBoard: Board = {
  uid: 'dbpm-operations',
  title: 'DBPM / Operations',
  question: [
    '**Which operations fail, which are stuck, and how long do they take?** Where *Failed* or *Oldest in progress* is red, the row *Failed and stuck* at the bottom says which.',
    '',
    'An operation that waits much longer than its action usually takes is stuck: the name leads to its project.',
  ].join('\n'),
  since: '24h',
  projects: 'many',
  sections: [
    { title: 'At a glance', panels: nowPanels },
    operationFlowSection,
    { title: 'Failed and stuck', isFolded: true, panels: failurePanels },
  ],
};
