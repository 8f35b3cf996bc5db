import type { DecimalText } from '../../resources/price-book.ts';
import { writeDecimal } from './decimal-sum.ts';
import { type Amount, fractionsOf, showAmount, sumAmounts } from './money.ts';
import { largestRemainder } from './whole-share.ts';

/** A part of a table, such as what a team cost on a day. */
export interface TablePart {
  readonly amount: Amount;
  readonly row: string;
  readonly column: string;
}

interface TableShare {
  /** Every row as it is shown; by default so that they add up to the total. */
  readonly wholes?: ReadonlyMap<string, DecimalText>;
  /** Units that each part is less than off; by default 2. */
  readonly farthest?: 1 | 2;
}

/** A part in units of the last decimal: its quota in fractions of one, and what is shown. */
interface Cell extends Omit<TablePart, 'amount'> {
  readonly quota: bigint;
  units: bigint;
}

/** The name of a row or a column, with its parts. */
type Group = readonly [string, readonly Cell[]];

/**
 * Parts of a table as they are shown, whatever their order: those of a row add up to what it is in a table without columns, and
 * those of a column to what it is in a table without rows. Where both cannot be, rows are right, and columns as near as that allows.
 */
export function shareTable(
  parts: readonly TablePart[],
  decimals: number,
  { wholes, farthest = 2 }: TableShare = {},
): DecimalText[] {
  const amounts = parts.map(({ amount }) => amount);
  const quotas = fractionsOf(amounts, decimals);
  const unit = quotas[0]?.denominator ?? 1n;
  const cells = parts.map(({ row, column }, index): Cell => {
    return { row, column, quota: quotas[index]?.numerator ?? 0n, units: 0n };
  });
  const total = unitsOf(showAmount(sumAmounts(amounts), decimals));
  const sorted = cells.toSorted((a, b) => compare(b.quota, a.quota) || compare(a.column, b.column));
  const rows = Map.groupBy(sorted, ({ row }) => row);
  const shownRows = wholes === undefined ? shareAmongGroups(total, [...rows], unit) : mapUnits(wholes);
  for (const [row, own] of rows) {
    const shares = largestRemainder(
      shownRows.get(row) ?? 0n,
      own.map(({ quota }) => quota),
      unit,
    );
    for (const [index, cell] of own.entries()) cell.units = shares[index] ?? 0n;
  }
  levelColumns({ cells: sorted, rows, total, unit }, farthest);
  return cells.map(({ units }) => writeDecimal(units, decimals));
}

/** The units of each row or column. They add up to the total; where two would lose as much, the larger one is rounded up. */
function shareAmongGroups(
  total: bigint,
  groups: readonly Group[],
  unit: bigint,
): ReadonlyMap<string, bigint> {
  const sums = groups
    .map(([name, own]) => ({ name, quota: own.reduce((sum, { quota }) => sum + quota, 0n) }))
    .sort((a, b) => compare(b.quota, a.quota) || compare(a.name, b.name));
  const shares = largestRemainder(
    total,
    sums.map(({ quota }) => quota),
    unit,
  );
  return new Map(sums.map(({ name }, index) => [name, shares[index] ?? 0n]));
}

function compare<Value extends string | bigint>(a: Value, b: Value): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function mapUnits(wholes: ReadonlyMap<string, DecimalText>): ReadonlyMap<string, bigint> {
  return new Map([...wholes].map(([row, decimal]) => [row, unitsOf(decimal)]));
}

function unitsOf(decimal: DecimalText): bigint {
  return BigInt(decimal.replace('.', ''));
}

interface Table {
  readonly cells: readonly Cell[];
  readonly rows: ReadonlyMap<string, readonly Cell[]>;
  readonly total: bigint;
  readonly unit: bigint;
}

/** Rounds parts the other way, as few and as little as can be, until columns add up to what they are without rows. */
function levelColumns({ cells, rows, total, unit }: Table, farthest: number): void {
  const columns = Map.groupBy(
    cells.toSorted((a, b) => compare(a.row, b.row)),
    ({ column }) => column,
  );
  const wanted = shareAmongGroups(total, [...columns], unit);
  const excess = new Map<string, bigint>();
  for (const [column, own] of columns)
    excess.set(column, own.reduce((sum, { units }) => sum + units, 0n) - (wanted.get(column) ?? 0n));
  for (let slack = 0n; slack < BigInt(farthest); slack++) {
    const closed = new Set<string>();
    for (const column of [...columns.keys()].sort()) {
      while ((excess.get(column) ?? 0n) > 0n && !closed.has(column)) {
        for (const [less, more] of findPath({ rows, columns, excess, unit, slack, closed }, column)) {
          less.units -= 1n;
          more.units += 1n;
          excess.set(less.column, (excess.get(less.column) ?? 0n) - 1n);
          excess.set(more.column, (excess.get(more.column) ?? 0n) + 1n);
        }
      }
    }
  }
}

/** Two parts of a row: one becomes a unit less, and the other one more. */
type Move = readonly [Cell, Cell];

interface Search extends Pick<Table, 'rows' | 'unit'> {
  readonly columns: Table['rows'];
  /** By column, how many units its parts are more than it is. */
  readonly excess: ReadonlyMap<string, bigint>;
  /** Units that a part may be rounded the wrong way before a move. */
  readonly slack: bigint;
  /** Columns from which there is no way, now and later. */
  readonly closed: Set<string>;
}

/** The moves that take a unit from a column to the nearest one that lacks some; none where there is no way. */
function findPath({ rows, columns, excess, unit, slack, closed }: Search, from: string): readonly Move[] {
  const reached = new Map<string, readonly Move[]>([[from, []]]);
  const seenRows = new Set<string>();
  for (const [column, path] of reached) {
    for (const cell of columns.get(column) ?? []) {
      if (seenRows.has(cell.row) || !canBeLess(cell, unit, slack)) continue;
      seenRows.add(cell.row);
      for (const other of rows.get(cell.row) ?? []) {
        if (closed.has(other.column) || reached.has(other.column) || !canBeMore(other, unit, slack)) continue;
        const longer: Move[] = [...path, [cell, other]];
        if ((excess.get(other.column) ?? 0n) < 0n) return longer;
        reached.set(other.column, longer);
      }
    }
  }
  for (const column of reached.keys()) closed.add(column);
  return [];
}

/** Whether a part can be a unit less: it is no whole, and is not on the other side of 0 then. */
function canBeLess({ quota, units }: Cell, unit: bigint, slack: bigint): boolean {
  return quota % unit !== 0n && (units + slack) * unit > quota && (quota < 0n || units > 0n);
}

function canBeMore({ quota, units }: Cell, unit: bigint, slack: bigint): boolean {
  return quota % unit !== 0n && (units - slack) * unit < quota && (quota > 0n || units < 0n);
}
