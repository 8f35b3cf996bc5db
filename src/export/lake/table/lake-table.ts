import type { CellValue, TableColumn } from './column.ts';
import type { LakeDay } from './lake-day.ts';

/** Rows of one kind, a file of them for each account and day. */
export interface LakeTable {
  readonly name: string;
  readonly columns: readonly TableColumn[];
  /** Instant from which on the history still has all that rows are made of. */
  keptFromAt(day: LakeDay): number;
  rows(day: LakeDay): Iterable<readonly CellValue[]>;
}
