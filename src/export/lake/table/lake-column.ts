import type { RowColumn } from '../../../report/format/report.ts';
import { type Value, valueKinds } from '../../../report/format/value-kind.ts';

/** The declaration of a column of a table; where there is no value it is NULL. */
export interface LakeColumn<Row> extends RowColumn<Row> {
  readonly of: (row: Row) => Value | undefined;
}

/** The values of rows, one column beside the other. */
export interface LaidRows {
  readonly count: number;
  readonly values: readonly unknown[][];
}

/** Row by row: rows lie all over the memory, and columns one beside the other. */
export function layRows<Row>(columns: readonly LakeColumn<Row>[], rows: readonly Row[]): LaidRows {
  const laid = columns.map(({ kind, of }) => ({
    ...{ of, store: valueKinds[kind].store },
    values: new Array<unknown>(rows.length),
  }));
  let at = 0;
  for (const row of rows) {
    for (const { of, store, values } of laid) {
      const value = of(row);
      values[at] = value === undefined ? undefined : store(value);
    }
    at += 1;
  }
  return { count: rows.length, values: laid.map(({ values }) => values) };
}
