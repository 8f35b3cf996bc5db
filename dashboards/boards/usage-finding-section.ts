import { projectFamilies } from '../../src/resources/project.ts';
import { accountFindingFamilies, endpointFindingFamilies } from '../../src/resources/usage/finding.ts';
import { labelList } from '../promql.ts';
import type { Section } from './board.ts';
import { endpointColumns } from './column.ts';
import { joined, withProjectName } from './name.ts';
import { timeseries } from './panel.ts';
import { scoped } from './scope.ts';
import { table } from './table.ts';
import { inHours } from './usage-query.ts';

const { findings, computeSecondsPerMonth, costPerMonth } = accountFindingFamilies;
const ofEndpoint = endpointFindingFamilies;
const byKind = labelList('by', findings, 'finding');
const findingColumns = [{ label: 'finding', title: 'Finding' } as const, ...endpointColumns];

/** Panels on the findings: endpoints that use compute they might not need, and its cost. */
export const usageFindingSection: Section = {
  title: 'What could be saved?',
  panels: [
    table({
      title: 'Findings',
      description:
        'Endpoints by the reason why they use compute they might not need, and what following all of it would save in 30 days. The runbook of DbpmFindingsCostly says what each reason means.',
      width: 10,
      labels: [{ label: 'finding', title: 'Finding' }],
      values: [
        { title: 'Endpoints', expression: `sum ${byKind} (${scoped(findings)})`, unit: 'none' },
        {
          title: 'Compute hours a month',
          expression: `sum ${byKind} (${inHours(scoped(computeSecondsPerMonth))})`,
          unit: 'none',
          decimals: 1,
        },
      ],
      sortBy: 'Compute hours a month',
    }),
    timeseries({
      title: 'What could be saved a month, by finding',
      description: 'Money that following the findings would save in 30 days at the price of now.',
      unit: 'none',
      decimals: 2,
      width: 14,
      stack: true,
      queries: [
        {
          expression: `sum ${labelList('by', costPerMonth, 'finding', 'currency')} (${scoped(costPerMonth)})`,
          legend: ['finding', 'currency'],
        },
      ],
    }),
    table({
      title: 'Findings by money',
      description:
        'The endpoints where most could be saved, at most fifty; `dbpm-exporter report findings` adds the evidence and what to change.',
      width: 24,
      labels: [...findingColumns, { label: 'currency', title: 'Currency', width: 90 }],
      values: [
        {
          title: 'Money a month',
          expression: `topk(50, max ${byFinding('currency')} (${withProjectName(scoped(ofEndpoint.costPerMonth))}))`,
          unit: 'none',
          decimals: 2,
        },
      ],
      sortBy: 'Money a month',
    }),
    table({
      title: 'Findings by compute hours',
      description: 'The same in compute hours, which need no prices.',
      width: 24,
      labels: findingColumns,
      values: [
        {
          title: 'Compute hours a month',
          expression: `topk(50, max ${byFinding()} (${withProjectName(inHours(scoped(ofEndpoint.computeSecondsPerMonth)))}))`,
          unit: 'none',
          decimals: 1,
        },
      ],
      sortBy: 'Compute hours a month',
    }),
  ],
};

function byFinding(...more: readonly 'currency'[]): string {
  const metric = joined(ofEndpoint.costPerMonth, projectFamilies.info);
  return labelList('by', metric, 'account', 'project_id', 'project_name', 'endpoint_id', 'finding', ...more);
}
