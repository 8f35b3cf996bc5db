import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { neverFallingTotals, notNegativeColumns, orderedStretches } from '../soundness/invariant.ts';
import type { StoredValue } from './page/record.ts';
import type { TableShape } from './table-shape.ts';

type Values = readonly StoredValue[];

/** Says whether a row can be true, beside those of the same table that came before it in order. */
export type RowJudge = (values: Values) => boolean;

export function makeRowJudge(table: string, shape: TableShape): RowJudge {
  const at = (column: string) => shape.columns.findIndex(({ name }) => name === column);
  const judges = [
    ...notNegativeColumns.filter(([of]) => of === table).map(([, column]) => notNegative(at(column))),
    ...neverFallingTotals.filter(([of]) => of === table).map(([, , , total]) => neverFalling(at(total))),
    ...orderedStretches.filter(([of]) => of === table).map(() => inOrder(at('from_at'), at('until_at'))),
    ...(table === 'closed_period' ? [isWholeClosing(shape)] : []),
    ...(table === 'project' ? [holdsJson(at('cpu_doubt'))] : []),
    ...(table === 'set_aside' ? [holdsJson(at('saved'))] : []),
  ];
  return values => judges.every(judge => judge(values));
}

const numberAt = (values: Values, at: number) => Number(values[at] ?? 0);

function notNegative(at: number): RowJudge {
  return values => numberAt(values, at) >= 0;
}

function neverFalling(at: number): RowJudge {
  let last = { ref: Number.NaN, total: 0 };
  return values => {
    const ref = numberAt(values, 0);
    const total = numberAt(values, at);
    if (ref === last.ref && total < last.total) return false;
    last = { ref, total };
    return true;
  };
}

function inOrder(fromAt: number, untilAt: number): RowJudge {
  let last = { ref: Number.NaN, until: 0 };
  return values => {
    const ref = numberAt(values, 0);
    const from = numberAt(values, fromAt);
    const until = numberAt(values, untilAt);
    if (until < from || (ref === last.ref && from < last.until)) return false;
    last = { ref, until };
    return true;
  };
}

/** A bill that was closed must not come back as another one. */
function isWholeClosing({ columns }: TableShape): RowJudge {
  const find = (values: Values, column: string) => values[columns.findIndex(({ name }) => name === column)];
  return values => {
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

function holdsJson(at: number): RowJudge {
  return values => values[at] == null || canRead(() => JSON.parse(String(values[at])));
}

function canRead(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}
