import type { FindingKind, ProjectFindingKind } from '../../src/resources/finding.ts';
import { endpointFindingFamilies } from '../../src/resources/usage/finding.ts';
import { labelList } from '../promql.ts';
import { hours, money } from './look.ts';
import { perProject } from './name.ts';
import type { BoardPanel } from './panel.ts';
import { scoped } from './scope.ts';
import { currencyColumn, endpointColumns, table } from './table.ts';
import { inHours } from './usage-query.ts';

interface FindingWord {
  /** The reason, as people say it. */
  readonly reason: string;
  /** The change to make. */
  readonly advice: string;
}

const findingWords: Readonly<Record<FindingKind, FindingWord>> = {
  awake_unused: { reason: 'Awake but unused', advice: 'delete it, or let it auto-suspend' },
  woken_by_checks: { reason: 'Woken by checks only', advice: 'delete its branch, or disable it' },
  never_suspends: {
    reason: 'Never suspends',
    advice: 'shorten its delay, or find what uses it',
  },
  woken_on_period: { reason: 'Woken by a schedule', advice: 'run that job less often, or elsewhere' },
  idle_tail: { reason: 'Awake long after its work', advice: 'shorten its auto-suspend delay' },
  longer_than_needed: { reason: 'Sleeps too late', advice: 'shorten its auto-suspend delay' },
  floor_size: { reason: 'Larger than it needs', advice: 'lower its smallest size: it can still scale up' },
};

const projectReasons: Readonly<Partial<Record<ProjectFindingKind, string>>> = {
  branch_sprawl: 'Branches without use',
};

const entries = Object.entries(findingWords);

/** The reason of each finding, by its kind. */
export const findingReasons: Readonly<Record<string, string>> = {
  ...Object.fromEntries(entries.map(([kind, { reason }]) => [kind, reason])),
  ...projectReasons,
};

/** The reason of each finding of endpoints and what to do, by its kind. */
const findingAdvice: Readonly<Record<string, string>> = Object.fromEntries(
  entries.map(([kind, { reason, advice }]) => [kind, `${reason}: ${advice}`]),
);

const { computeSecondsPerMonth, computeSecondsBound, costPerMonth, costBound } = endpointFindingFamilies;
const adviceColumn = { label: 'finding', title: 'What to change', words: findingAdvice } as const;
/** Columns of a whole board. */
const wholeWidth = 24;
const most = 100;
const unknownAmount = '–';

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
  const inUse = `topk(${most}, ${perFinding(inHours(scoped(computeSecondsBound, { bound: 'at_most' })))})`;
  const among = (expression: string) => `${expression} and ${onFinding} ${inUse}`;
  return table({
    title: 'Findings',
    description: `Why endpoints use compute they might not need, what to change, and what that would save in 30 days, likely and at most, in money and in hours (h): the ${most} that may save most compute. Where nothing shows what is likely, there is a dash. The report of findings adds the evidence, and findings of which too little is known for an amount.`,
    width,
    height,
    labels: [{ ...adviceColumn, width: width < wholeWidth ? 290 : 440 }, ...places, currencyColumn],
    values: [
      {
        title: 'Likely',
        expression: among(perFinding(scoped(costPerMonth), 'currency')),
        ...money,
        noValue: unknownAmount,
      },
      {
        title: 'At most',
        expression: among(perFinding(scoped(costBound, { bound: 'at_most' }), 'currency')),
        ...money,
        noValue: 'no price',
      },
      {
        title: 'Likely (h)',
        expression: among(perFinding(inHours(scoped(computeSecondsPerMonth)))),
        ...hours,
        noValue: unknownAmount,
      },
      { title: 'At most (h)', expression: inUse, ...hours },
    ],
    sortBy: ['At most', 'At most (h)'],
    noValue: 'none',
  });
}

function perFinding(expression: string, ...more: readonly 'currency'[]): string {
  return perProject(expression, 'endpoint_id', 'finding', ...more);
}
