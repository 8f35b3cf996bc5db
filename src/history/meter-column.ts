import { joinAmounts } from '../resources/consumption.ts';
import { type MeterAmounts, type MeterMetric, meterMetrics } from '../resources/meter.ts';

/** Columns of amounts as they stand in a statement that reads them. */
export const meterColumns = meterMetrics.join(', ');

/** Amounts as SQLite gives and takes them. */
export type MeterRow = Readonly<Record<MeterMetric, number | null>>;

export function toMeterRow(amounts: MeterAmounts): MeterRow {
  const row = Object.fromEntries(meterMetrics.map(metric => [metric, amounts[metric] ?? null]));
  return row as MeterRow;
}

/** The known amounts of a row; undefined where there are none. */
export function fromMeterRow(row: MeterRow | undefined): MeterAmounts | undefined {
  if (row === undefined) return undefined;
  const known = meterMetrics.filter(metric => row[metric] !== null);
  return known.length === 0 ? undefined : Object.fromEntries(known.map(metric => [metric, row[metric]]));
}

/** A statement that writes a row of amounts, in place of the one that has its key. */
export function writeMeterRow(table: string, keys: readonly string[], more: readonly string[] = []): string {
  const values = [...more, ...meterMetrics];
  const columns = [...keys, ...values];
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(column => `@${column}`).join(', ')})
    ON CONFLICT DO UPDATE SET ${values.map(column => `${column} = excluded.${column}`).join(', ')}`;
}

export function addAmounts(a: MeterAmounts, b: MeterAmounts): MeterAmounts {
  return joinAmounts(a, b, (x, y) => x + y);
}

/** The larger of two of the same: what is known of it may only grow. */
export function largerAmounts(a: MeterAmounts, b: MeterAmounts): MeterAmounts {
  return joinAmounts(a, b, Math.max);
}

/** By how much amounts grew, with 0 for one that was not known before and is none. */
export function growthOf(before: MeterAmounts, after: MeterAmounts): MeterAmounts {
  const grown: Partial<Record<MeterMetric, number>> = {};
  for (const metric of meterMetrics) {
    const amount = after[metric];
    if (amount !== undefined && amount !== before[metric]) grown[metric] = amount - (before[metric] ?? 0);
  }
  return grown;
}

export function isSameAmounts(a: MeterAmounts, b: MeterAmounts): boolean {
  return meterMetrics.every(metric => a[metric] === b[metric]);
}
