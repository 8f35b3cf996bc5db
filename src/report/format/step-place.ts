import type { TablePart } from '../../cost/money/table-share.ts';
import type { RowScope } from '../row/scope.ts';

/** What tells the row of a report, and its step where there are such. */
export type StepScope = Pick<RowScope, 'key' | 'wholeKey' | 'step'>;

/** The place of a row in the table of what rows are for and their steps. */
export function placeOf({ key, wholeKey = key, step = '' }: StepScope): Omit<TablePart, 'amount'> {
  return { row: wholeKey, column: step };
}
