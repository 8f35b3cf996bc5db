import type { Cause } from '../../cost/difference/cause.ts';
import { showHourTotal } from '../format/hour-text.ts';
import { type Cell, column, type RowColumn, type TypedColumn } from '../format/report.ts';
import { nameCause, severalEndpoints } from './cause-text.ts';
import type { ShownCause, ShownDifference } from './shown-cause.ts';

/** Where a row is in the tree. */
interface Place {
  /** 1 for causes of the whole difference, 2 for their own causes, and so on. */
  readonly level: number;
  readonly isUnpriced: boolean;
}

/** A cause in its place; the totals have none. */
interface CauseRow extends ShownDifference {
  readonly placed?: Place & {
    readonly cause: Cause;
    /** Whether other causes are of other endpoints of its project. */
    readonly isNamed: boolean;
  };
}

/** The columns of causes. */
export const causeColumns = [
  {
    ...{
      key: 'level',
      kind: 'count',
      about: 'Its place: 2 is a part of the 1 above it.',
      isForPrograms: true,
    },
    of: ({ placed }) => placed?.level,
  },
  ofCause('kind', 'The kind of cause.', ({ kind }) => kind),
  column('cause', 'text', 'The cause in words.', nameRow),
  {
    ...{
      key: 'causes',
      kind: 'count',
      about: 'How many smaller causes share the row; of one there is no number.',
      isForPrograms: true,
    },
    of: ({ placed }) => placed?.cause.count,
  },
  ofCause('account', 'The account.', ({ account }) => account),
  ofCause('project_id', 'The id of the project.', ({ project }) => project?.project_id),
  ofCause('project_name', 'The name of the project.', ({ project }) => project?.project_name),
  ofCause('endpoint_id', 'The endpoint.', ({ endpoint_id }) => endpoint_id),
  column('difference', 'decimal', 'How much more it makes the cost.', ({ placed, difference }) =>
    placed?.isUnpriced ? { missing: 'unpriced' } : difference,
  ),
  {
    ...{ key: 'compute_hours', kind: 'decimal', title: 'hours', about: 'How many more compute hours it is.' },
    of: ({ placed, hours }) => (placed && placed.cause.cuMs === undefined ? undefined : hours),
  },
  column('awake_hours', 'decimal', 'How many more hours endpoints were awake.', ({ placed }) =>
    placed?.cause.awakeMs === undefined ? undefined : showHourTotal([placed.cause.awakeMs]),
  ),
  column('since', 'instant', 'When it began.', ({ placed }) => placed?.cause.sinceAt),
  column('until', 'instant', 'When it ended.', ({ placed }) => placed?.cause.endedAt),
  column('evidence', 'sentence', 'What shows it.', ({ placed }) => placed?.cause.evidence),
] satisfies readonly TypedColumn<CauseRow>[];

/** The same where there are no prices: no difference is of money. */
export const hourCauseColumns: readonly RowColumn<CauseRow>[] = causeColumns.map(column =>
  column.key === 'difference' ? { ...column, isForPrograms: true, of: () => undefined } : column,
);

function ofCause<Key extends Lowercase<string>>(
  key: Key,
  about: string,
  cellOf: (cause: Cause) => Cell,
): TypedColumn<CauseRow, Key, 'text'> {
  const of = ({ placed }: CauseRow) => placed && cellOf(placed.cause);
  return { key, kind: 'text', about, isForPrograms: true, of };
}

function nameRow({ placed }: CauseRow): Cell {
  if (placed === undefined) return undefined;
  const { cause, level, isNamed } = placed;
  const text = nameCause(cause);
  const which = isNamed && cause.endpoint_id !== undefined ? ` (${cause.endpoint_id})` : '';
  return { text, words: `${'· '.repeat(level - 1)}${text}${which}` };
}

/** Rows of all levels. */
export function causeRows(shown: readonly ShownCause[]): CauseRow[] {
  const several = severalEndpoints(shown.map(({ cause }) => cause));
  const rowsOf = (own: readonly ShownCause[], { level, isUnpriced: isAbove }: Place): CauseRow[] =>
    own.flatMap(({ cause, children, difference, hours }) => {
      const isNamed = several.has(cause.project?.project_ref);
      const isUnpriced = cause.isUnpriced ?? isAbove;
      const row = { difference, hours, placed: { cause, level, isUnpriced, isNamed } };
      return [row, ...rowsOf(children, { level: level + 1, isUnpriced })];
    });
  return rowsOf(shown, { level: 1, isUnpriced: false });
}
