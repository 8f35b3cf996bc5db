/** The type of a column; decimals have so many digits after the point, and instants are in milliseconds of UTC. */
export type ColumnType =
  | { readonly kind: 'text' | 'whole' | 'instant' | 'date' | 'flag' }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number };

/** The value of a cell: wholes and decimals, these without their point, are bigints; instants and dates epoch milliseconds. */
export type CellValue = string | bigint | number | boolean | undefined;

export interface TableColumn {
  readonly name: string;
  readonly type: ColumnType;
}

export const text = { kind: 'text' } as const;
export const whole = { kind: 'whole' } as const;
export const instant = { kind: 'instant' } as const;
export const date = { kind: 'date' } as const;
export const flag = { kind: 'flag' } as const;
/** Seconds to the millisecond. */
export const seconds = { kind: 'decimal', precision: 18, scale: 3 } as const;
/** Seconds to the microsecond. */
export const fineSeconds = { kind: 'decimal', precision: 18, scale: 6 } as const;
/** Money, prices and quantities: a sum of a million of them is exact to twelve digits after the point. */
export const money = { kind: 'decimal', precision: 38, scale: 18 } as const;

/** The type as SQL writes it. */
export function nameType(type: ColumnType): string {
  if (type.kind === 'decimal') return `DECIMAL(${type.precision},${type.scale})`;
  return { text: 'VARCHAR', whole: 'BIGINT', instant: 'TIMESTAMP', date: 'DATE', flag: 'BOOLEAN' }[type.kind];
}

/** Milliseconds as seconds, and CU-milliseconds as compute seconds. */
export function toSeconds(ms: number): bigint {
  return BigInt(Math.round(ms));
}
