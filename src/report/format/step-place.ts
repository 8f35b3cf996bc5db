import type { TablePart } from '../../cost/money/table-share.ts';
import type { RowScope } from '../row/scope.ts';

/** The scope of a row of a report, as far as it tells the row and its step. */
export type StepScope = Pick<RowScope, 'key' | 'wholeKey' | 'step'>;

/** The place of a row in the table of what rows are for and their steps. */
export function placeOf({ key, wholeKey = key, step = '' }: StepScope): Omit<TablePart, 'amount'> {
  return { row: wholeKey, column: step };
}
