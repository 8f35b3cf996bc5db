import { projectFamilies } from '../../src/resources/project.ts';
import { endpointFindingFamilies } from '../../src/resources/usage/finding.ts';
import { labelList } from '../promql.ts';
import { currencyColumn, endpointColumns } from './column.ts';
import { findingAdvice } from './finding-word.ts';
import { hours, money } from './look.ts';
import { joined, withProjectName } from './name.ts';
import type { BoardPanel } from './panel.ts';
import { scoped } from './scope.ts';
import { table } from './table.ts';
import { inHours } from './usage-query.ts';

const { computeSecondsPerMonth, costPerMonth } = endpointFindingFamilies;
const adviceColumn = { label: 'finding', title: 'What to change', width: 440, words: findingAdvice } as const;
const most = 100;

interface FindingTable {
  readonly width: number;
  readonly height: number;
  /** Whether all are of one project. */
  readonly isOfProject?: boolean;
}

/** The findings with what to do, in money and in hours. */
export function findingPanel({ width, height, isOfProject = false }: FindingTable): BoardPanel {
  const places = endpointColumns.map(column => ({
    ...column,
    width: column.width ?? 170,
    isHidden: column.label !== 'endpoint_id' && (column.label !== 'project_name' || isOfProject),
  }));
  const onFinding = labelList(
    'on',
    computeSecondsPerMonth,
    'account',
    'project_id',
    'endpoint_id',
    'finding',
  );
  const inUse = `topk(${most}, ${perFinding(inHours(scoped(computeSecondsPerMonth)))})`;
  return table({
    title: 'Findings',
    description: `Why endpoints use compute they might not need, what to change, and what that would save in 30 days: the ${most} that save most compute. The report of findings adds the evidence.`,
    width,
    height,
    labels: [adviceColumn, ...places, currencyColumn],
    values: [
      {
        title: 'Money a month',
        expression: `${perFinding(scoped(costPerMonth), 'currency')} and ${onFinding} ${inUse}`,
        ...money,
        noValue: 'no price',
      },
      { title: 'Hours a month', expression: inUse, ...hours },
    ],
    sortBy: ['Money a month', 'Hours a month'],
  });
}

function perFinding(expression: string, ...more: readonly 'currency'[]): string {
  const metric = joined(costPerMonth, projectFamilies.info);
  const by = labelList(
    'by',
    metric,
    'account',
    'project_id',
    'project_name',
    'endpoint_id',
    'finding',
    ...more,
  );
  return `max ${by} (${withProjectName(expression)})`;
}
