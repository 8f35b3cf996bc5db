import { addDecimals } from '../../cost/money/decimal-sum.ts';
import { amountOf, amountOfUse, shareOut, showAmount } from '../../cost/money/money.ts';
import { shareTable } from '../../cost/money/table-share.ts';
import { secondsPerHour } from '../../resources/duration.ts';
import type { DecimalText } from '../../resources/price-book.ts';
import { sumOf } from '../../resources/sum.ts';
import { placeOf, type StepScope } from './step-place.ts';

/** Decimals of hours, in every report. */
export const hourDecimals = 2;

/**
 * Compute hours of a column, rounded so that they add up to their row without steps, to their step, and to the total: alike in
 * every report, whatever the order of its rows.
 */
export function showHours(cuMs: readonly number[], scopes: readonly StepScope[]): DecimalText[] {
  const parts = scopes.map((scope, row) => {
    return { amount: amountOfUse(Math.round(cuMs[row] ?? 0)), ...placeOf(scope) };
  });
  return shareTable(parts, hourDecimals);
}

/** Compute seconds in hours. */
export function inHours(seconds: number): DecimalText {
  return (seconds / secondsPerHour).toFixed(hourDecimals);
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
export function showMostHours(bounds: readonly HourBounds[], scopes: readonly StepScope[]): DecimalText[] {
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
 * up. Without steps the wholes are those of `showHours`, and each part is less than a hundredth off; the totals of the parts are
 * as near as that allows. The parts of steps add up to those of their row without steps.
 */
export function showHourParts(rows: readonly (readonly number[])[], scopes: readonly StepScope[]): HourTable {
  const places = scopes.map(placeOf);
  const parts = places.flatMap(({ row, column: step }, index) =>
    (rows[index] ?? []).map((cuMs, part) => {
      return { amount: amountOfUse(cuMs), row: partKey(row, part), column: step };
    }),
  );
  const cells = shareTable(parts, hourDecimals, {
    wholes: showPartsOfRows(
      rows,
      places.map(({ row }) => row),
    ),
  });
  const width = rows[0]?.length ?? 0;
  const table = rows.map((_, row) => cells.slice(row * width, (row + 1) * width));
  const totals = (table[0] ?? []).map((_, part) => addTexts(table.map(own => own[part] ?? '')));
  return { rows: table.map(own => [addTexts(own), ...own]), totals: [addTexts(totals), ...totals] };
}

/** The parts of rows without steps, by their `partKey`. */
function showPartsOfRows(
  rows: readonly (readonly number[])[],
  keys: readonly string[],
): ReadonlyMap<string, DecimalText> {
  const sums = new Map<string, readonly number[]>();
  for (const [index, key] of keys.entries()) {
    const before = sums.get(key);
    sums.set(key, rows[index]?.map((cuMs, part) => cuMs + (before?.[part] ?? 0)) ?? []);
  }
  const scopes = [...sums.keys()].map(key => ({ key }));
  const wholes = showHours([...sums.values()].map(sumOf), scopes);
  const parts = [...sums].flatMap(([row, sum]) =>
    sum.map((cuMs, part) => ({
      amount: amountOfUse(cuMs),
      row,
      column: String(part),
      key: partKey(row, part),
    })),
  );
  const texts = shareTable(parts, hourDecimals, {
    wholes: new Map(scopes.map(({ key }, index) => [key, wholes[index] ?? ''])),
    farthest: 1,
  });
  return new Map(parts.map(({ key }, index) => [key, texts[index] ?? '']));
}

function partKey(row: string, part: number): string {
  return JSON.stringify([row, part]);
}

function addTexts(hours: readonly DecimalText[]): DecimalText {
  return addDecimals(hours) ?? (0).toFixed(hourDecimals);
}

/** Parts of a total in percent, which add up to 100; undefined where the total is 0. */
export function showShares(parts: readonly number[]): (DecimalText | undefined)[] {
  const total = sumOf(parts);
  if (total === 0) return parts.map(() => undefined);
  return shareOut(
    parts.map(part => amountOf(((100 * part) / total).toFixed(12))),
    1,
  );
}
