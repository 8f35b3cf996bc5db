import { addDecimals, isSome, subtractDecimals } from '../../cost/money/decimal-sum.ts';
import { type Cell, type Column, isWorded, type Report, type ReportRow } from './report.ts';
import { separateThousands } from './shown-cell.ts';

/**
 * A report whose rows are told apart by one column, as a table for people: a column for each value of it, the total of all,
 * and what changed last. The rows are those of the report by all that stands before that column.
 */
export function acrossColumns(report: Report): Report {
  const { columns, rows, across } = report;
  if (across === undefined) return report;
  const place = columns.findIndex(({ key }) => key === across.by);
  const valuePlace = columns.findIndex(({ key }) => key === across.of);
  const changePlace = columns.findIndex(({ key }) => key === across.last);
  const heads = [...new Set(rows.map(row => String(row[place])))];
  const things = [...Map.groupBy(rows, row => JSON.stringify(row.slice(0, place).map(nameOf))).values()];
  const lines = things.map((members): ReportRow => {
    const values = heads.map(head => members.find(row => row[place] === head)?.[valuePlace]);
    const change = members.at(-1)?.[changePlace];
    return [...(members[0] ?? []).slice(0, place), ...values, sum(values), withSign(change)];
  });
  const { kind } = columns[valuePlace] ?? { kind: 'decimal' };
  const column = (key: string): Column => ({ key, kind });
  const totals = [...heads, 'total'].map((_, index) => sum(lines.map(line => line[place + index])));
  const names = columns.slice(0, place);
  const change = changeOf(lines.map(line => line.slice(place, place + heads.length)));
  return {
    ...report,
    columns: [...names, ...heads.map(column), column('total'), column(across.last)],
    rows: lines,
    totals: [...names.map((_, index) => (index === 0 ? 'total' : '')), ...totals, withSign(change)],
  };
}

/** How the total changed last; undefined where a part of it is not known. */
function changeOf(values: readonly (readonly Cell[])[]): Cell {
  const [before, now] = [-2, -1].map(at => values.map(cells => cells.at(at)));
  const isKnown = [...(before ?? []), ...(now ?? [])].every(cell => typeof cell === 'string');
  const [was, is] = [sum(before ?? []), sum(now ?? [])];
  if (!isKnown || typeof was !== 'string' || typeof is !== 'string') return undefined;
  return subtractDecimals(is, was);
}

/** A change as people read it: the sign says which way, also where it is more. */
function withSign(cell: Cell): Cell {
  if (typeof cell !== 'string' || cell.startsWith('-') || !isSome(cell)) return cell;
  return { text: cell, words: `+${separateThousands(cell)}` };
}

function nameOf(cell: Cell): Cell {
  return typeof cell === 'object' && isWorded(cell) ? cell.text : cell;
}

/** The sum of the cells that are known. */
function sum(cells: readonly Cell[]): Cell {
  return addDecimals(cells.filter(cell => typeof cell === 'string'));
}
