import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { neverFallingTotals, notNegativeColumns, orderedStretches } from '../soundness/invariant.ts';
import type { StoredValue } from './page/record.ts';
import type { SalvageTable } from './salvage-table.ts';
import type { TableShape } from './table-shape.ts';

type Values = readonly StoredValue[];

/**
 * Says whether all rows of a page can be true, beside those of the same table that came before them in order.
 *
 * @returns undefined where one cannot; otherwise what to call once they count as having come before.
 */
export type RowJudge = (rows: readonly Values[]) => (() => void) | undefined;

/** Hours and days since 1970 that are no instants by mistake. */
const mostSlots = 1e7;

export function makeRowJudge({ table, period }: SalvageTable, shape: TableShape): RowJudge {
  const at = (column: string) => shape.columns.findIndex(({ name }) => name === column);
  const isSlot = period !== undefined && period.unitMs > 1;
  const judges = [
    ...notNegativeColumns.filter(([of]) => of === table).map(([, column]) => each(notNegative(at(column)))),
    ...neverFallingTotals
      .filter(([of]) => of === table)
      .map(([, , , total]) => inTurn(neverFalling(at(total)))),
    ...orderedStretches
      .filter(([of]) => of === table)
      .map(() => inTurn(inOrder(at('from_at'), at('until_at')))),
    ...(isSlot ? [each(values => numberAt(values, at(period.column)) < mostSlots)] : []),
    ...(table === 'closed_period' ? [each(isWholeClosing(shape))] : []),
    ...(table === 'project' ? [each(holdsJson(at('cpu_doubt')))] : []),
    ...(table === 'set_aside' ? [each(holdsJson(at('saved')))] : []),
  ];
  return rows => {
    const accepted = judges.map(judge => judge(rows));
    if (accepted.includes(undefined)) return undefined;
    return () => {
      for (const accept of accepted) accept?.();
    };
  };
}

const numberAt = (values: Values, at: number) => Number(values[at] ?? 0);

function each(canBeTrue: (values: Values) => boolean): RowJudge {
  return rows => (rows.every(canBeTrue) ? () => {} : undefined);
}

/** Judges rows of one reference, the first column, by the one before. */
function inTurn(canFollow: (values: Values, before: Values | undefined) => boolean): RowJudge {
  let last: Values | undefined;
  return rows => {
    let before = last;
    for (const values of rows) {
      if (!canFollow(values, before?.[0] === values[0] ? before : undefined)) return undefined;
      before = values;
    }
    return () => {
      last = before;
    };
  };
}

function notNegative(at: number) {
  return (values: Values) => numberAt(values, at) >= 0;
}

/** As far as the check of a history goes, which forgives rounding. */
function neverFalling(at: number) {
  return (values: Values, before: Values | undefined) =>
    before === undefined || numberAt(values, at) >= numberAt(before, at) - 1;
}

function inOrder(fromAt: number, untilAt: number) {
  return (values: Values, before: Values | undefined) => {
    const from = numberAt(values, fromAt);
    return numberAt(values, untilAt) >= from && (before === undefined || numberAt(before, untilAt) <= from);
  };
}

/** A bill that was closed must not come back as another one. */
function isWholeClosing({ columns }: TableShape) {
  const find = (values: Values, column: string) => values[columns.findIndex(({ name }) => name === column)];
  return (values: Values) => {
    const book = String(find(values, 'price_book'));
    if (createHash('sha256').update(book).digest('hex') !== find(values, 'fingerprint')) return false;
    const lines = find(values, 'lines');
    return (
      Buffer.isBuffer(lines) &&
      canRead(() => JSON.parse(inflateSync(lines).toString('utf8'))) &&
      canRead(() => JSON.parse(String(find(values, 'accepted'))))
    );
  };
}

function holdsJson(at: number) {
  return (values: Values) => values[at] == null || canRead(() => JSON.parse(String(values[at])));
}

function canRead(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}
