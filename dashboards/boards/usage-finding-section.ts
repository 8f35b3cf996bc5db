import {
  accountFindingFamilies,
  doneFindingFamilies,
  projectFindingFamilies,
} from '../../src/resources/usage/finding.ts';
import { labelList } from '../promql.ts';
import type { Section } from './board.ts';
import { hours, money } from './look.ts';
import { perProject } from './name.ts';
import { timeseries } from './panel.ts';
import { scoped } from './scope.ts';
import { labelValue, seriesBy } from './series.ts';
import { currencyColumn, projectColumns, table } from './table.ts';
import { findingPanel, findingReasons } from './usage-finding-panel.ts';
import { inHours, perCurrency } from './usage-query.ts';

const ofBranches = projectFindingFamilies;

/** The projects with many unused branches, and what these cost. */
const branchFindingPanel = table({
  title: 'Branches without use',
  description:
    'Projects with many branches that have expired or were not used for long, and what these cost in 30 days by the meter of the service, likely and at most: delete the ones that are not needed. Branches are read where `collect.branches` is on. The report of findings names some of them.',
  width: 24,
  height: 7,
  labels: [...projectColumns, currencyColumn],
  values: [
    {
      title: 'Likely',
      expression: perProject(scoped(ofBranches.costPerMonth), 'currency'),
      ...money,
      noValue: 'not known',
    },
    {
      title: 'At most',
      expression: perProject(scoped(ofBranches.costBound, { bound: 'at_most' }), 'currency'),
      ...money,
      noValue: 'not known',
    },
    { title: 'Unused branches', expression: perProject(scoped(ofBranches.branches)) },
  ],
  sortBy: ['At most', 'Unused branches'],
});

const { findings, computeSecondsPerMonth, computeSecondsBound, costPerMonth, costBound } =
  accountFindingFamilies;
const { doneFindings, doneComputeSecondsPerMonth, doneCostPerMonth } = doneFindingFamilies;
const byKind = labelList('by', findings, 'finding');

/** Each reason in words, with the currency of its amount. */
const strokes = Object.fromEntries(
  Object.entries(findingReasons).map(([kind, reason]) => [
    `^${kind} `,
    { name: `${reason}, ${labelValue('currency')}` },
  ]),
);

/** Panels on the findings: endpoints that use compute they might not need, and its cost. */
export const usageFindingSection: Section = {
  title: 'What could be saved?',
  panels: [
    findingPanel({ width: 24, height: 11 }),
    table({
      title: 'Findings by reason',
      description:
        'Endpoints by the reason why they use compute they might not need, and the compute that following all of it would save in 30 days, likely and at most. The runbook of DbpmFindingsCostly says what each reason means.',
      width: 10,
      labels: [{ label: 'finding', title: 'Reason', words: findingReasons }],
      values: [
        { title: 'Endpoints', expression: `sum ${byKind} (${scoped(findings)})` },
        {
          title: 'Likely (h)',
          expression: `sum ${byKind} (${inHours(scoped(computeSecondsPerMonth))})`,
          ...hours,
        },
        {
          title: 'At most (h)',
          expression: `sum ${byKind} (${inHours(scoped(computeSecondsBound, { bound: 'at_most' }))})`,
          ...hours,
        },
      ],
      sortBy: 'At most (h)',
    }),
    timeseries({
      title: 'What would likely be saved a month, by reason',
      description:
        'Money that following the findings would likely save in 30 days at the price of now. The dashed line is what all of them would save at most.',
      ...money,
      width: 14,
      stack: true,
      strokes: { ...strokes, '^at most': { isDashed: true, isOnItsOwn: true } },
      queries: [
        {
          expression: `sum ${labelList('by', costPerMonth, 'finding', 'currency')} (${scoped(costPerMonth)}) > 0`,
          legend: ['finding', 'currency'],
        },
        { expression: perCurrency(scoped(costBound, { bound: 'at_most' })), legend: 'at most, {{currency}}' },
      ],
    }),
  ],
};

/** Panels that are empty until something was followed, or where branches are not read. */
export const usageDoneSection: Section = {
  title: 'What was saved, and branches without use',
  isFolded: true,
  panels: [
    branchFindingPanel,
    table({
      title: 'Findings that are done',
      description:
        'Findings of the last two months whose cause is gone, and the compute that is saved in 30 days since: use of the endpoint before less use since. `dbpm-exporter report findings --done` has each with its day and evidence.',
      width: 10,
      labels: [{ label: 'finding', title: 'Reason', words: findingReasons }],
      values: [
        { title: 'Done', expression: `sum ${byKind} (${scoped(doneFindings)})` },
        {
          title: 'Hours saved a month',
          expression: `sum ${byKind} (${inHours(scoped(doneComputeSecondsPerMonth))})`,
          ...hours,
        },
      ],
      sortBy: 'Hours saved a month',
    }),
    timeseries({
      title: 'What is saved a month, by reason',
      description: 'Money that is saved in 30 days since the cause of findings is gone, at the price of now.',
      ...money,
      width: 14,
      stack: true,
      strokes,
      queries: [seriesBy('sum', doneCostPerMonth, ['finding', 'currency'])],
    }),
  ],
};
