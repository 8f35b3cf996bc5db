import { addDecimals } from '../../cost/money/decimal-sum.ts';
import { amountOf, amountOfUse, shareOut, shareOutBy, showAmount } from '../../cost/money/money.ts';
import type { DecimalText } from '../../resources/price-book.ts';
import type { RowScope } from '../row/scope.ts';

/** Decimals of hours, in every report. */
export const hourDecimals = 2;
/** CU-milliseconds of a hundredth of a compute hour. */
const hundredthCuMs = 36_000;

/**
 * Compute hours of a column, rounded so that they add up to their step, and to their total: alike in every report, whatever
 * the order of its rows.
 */
export function showHours(
  cuMs: readonly number[],
  scopes: readonly Pick<RowScope, 'key' | 'step'>[],
): DecimalText[] {
  const sorted = cuMs
    .map((each, row) => ({
      row,
      cuMs: Math.round(each),
      key: scopes[row]?.key ?? '',
      step: scopes[row]?.step,
    }))
    .sort((a, b) => b.cuMs - a.cuMs || (a.key < b.key ? -1 : 1));
  const shares = shareOutBy(
    sorted.map(each => amountOfUse(each.cuMs)),
    sorted.map(({ step }) => step),
    hourDecimals,
  );
  const texts = new Map(sorted.map(({ row }, index) => [row, shares[index] ?? '']));
  return cuMs.map((_, row) => texts.get(row) ?? '');
}

/** The total of a column of compute hours. */
export function showHourTotal(cuMs: readonly number[]): DecimalText {
  return showAmount(amountOfUse(cuMs.reduce((sum, each) => sum + Math.round(each), 0)), hourDecimals);
}

/** What is used at least and at most: whole CU-milliseconds of each row. */
interface HourBounds {
  readonly lowerCuMs: number;
  readonly upperCuMs: number;
}

/** The most compute hours of rows, rounded as what lies between them and the least: so the least is never more than the most. */
export function showMostHours(
  bounds: readonly HourBounds[],
  scopes: readonly Pick<RowScope, 'key' | 'step'>[],
): DecimalText[] {
  const least = showHours(bounds.map(leastOf), scopes);
  const more = showHours(bounds.map(moreOf), scopes);
  return least.map((text, row) => addDecimals([text, more[row] ?? text]) ?? text);
}

/** The total of a column of the most compute hours. */
export function showMostTotal(bounds: readonly HourBounds[]): DecimalText {
  const least = showHourTotal(bounds.map(leastOf));
  return addDecimals([least, showHourTotal(bounds.map(moreOf))]) ?? least;
}

function leastOf({ lowerCuMs }: HourBounds): number {
  return lowerCuMs;
}

function moreOf({ lowerCuMs, upperCuMs }: HourBounds): number {
  return Math.max(0, upperCuMs - lowerCuMs);
}

/** Compute hours of rows and their totals, each the whole followed by its parts. */
interface HourTable {
  readonly rows: readonly (readonly DecimalText[])[];
  readonly totals: readonly DecimalText[];
}

/**
 * Compute hours of rows that consist of parts, such as included and billed ones, rounded so that both rows and columns add
 * up. The wholes are those of `showHours`, and each part is less than a hundredth off; the totals of the parts are as near
 * as that allows.
 */
export function showHourParts(
  rows: readonly (readonly number[])[],
  scopes: readonly Pick<RowScope, 'key' | 'step'>[],
): HourTable {
  const wholes = showHours(
    rows.map(parts => parts.reduce((sum, part) => sum + part, 0)),
    scopes,
  );
  const cells = rows.map((parts, row) => hundredthsOf(parts, wholes[row]));
  const columns = (rows[0] ?? []).map((_, column) =>
    rows.reduce((sum, parts) => sum + (parts[column] ?? 0), 0),
  );
  levelColumns(cells, rows, hundredthsOf(columns));
  const totals = columns.map((_, column) => cells.reduce((sum, parts) => sum + (parts[column] ?? 0), 0));
  return {
    rows: cells.map((parts, row) => [wholes[row] ?? '', ...parts.map(showHundredths)]),
    totals: [showHundredths(totals.reduce((sum, total) => sum + total, 0)), ...totals.map(showHundredths)],
  };
}

/** Rounds parts to hundredths of an hour that add up to a total. */
function hundredthsOf(cuMs: readonly number[], total?: DecimalText): number[] {
  const texts = shareOut(
    cuMs.map(each => amountOfUse(each)),
    hourDecimals,
    total,
  );
  return texts.map(text => Number(text.replace('.', '')));
}

/** Rounds parts of a row the other way round, those nearest to it first, until the sums of columns are what is wanted. */
function levelColumns(
  cells: readonly number[][],
  rows: readonly (readonly number[])[],
  wanted: readonly number[],
): void {
  const excess = wanted.map((total, column) =>
    cells.reduce((sum, parts) => sum + (parts[column] ?? 0), -total),
  );
  const roundedUp = (row: number, column: number) =>
    (cells[row]?.[column] ?? 0) - (rows[row]?.[column] ?? 0) / hundredthCuMs;
  for (const more of wanted.keys()) {
    for (const less of wanted.keys()) {
      const count = Math.min(excess[more] ?? 0, -(excess[less] ?? 0));
      if (count <= 0) continue;
      const movable = [...cells.keys()]
        .filter(row => roundedUp(row, more) > 0 && roundedUp(row, less) < 0)
        .sort((a, b) => roundedUp(b, more) - roundedUp(b, less) - roundedUp(a, more) + roundedUp(a, less))
        .slice(0, count);
      for (const row of movable) {
        const parts = cells[row] ?? [];
        parts[more] = (parts[more] ?? 0) - 1;
        parts[less] = (parts[less] ?? 0) + 1;
      }
      excess[more] = (excess[more] ?? 0) - movable.length;
      excess[less] = (excess[less] ?? 0) + movable.length;
    }
  }
}

function showHundredths(hundredths: number): DecimalText {
  return showAmount(amountOfUse(hundredths * hundredthCuMs), hourDecimals);
}

/** Parts of a total in percent, which add up to 100; undefined where the total is 0. */
export function showShares(parts: readonly number[]): (DecimalText | undefined)[] {
  const total = parts.reduce((sum, part) => sum + part, 0);
  if (total === 0) return parts.map(() => undefined);
  return shareOut(
    parts.map(part => amountOf(((100 * part) / total).toFixed(12))),
    1,
  );
}
