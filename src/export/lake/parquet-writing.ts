import { zstdCompressSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { dayMs } from '../../resources/duration.ts';
import type { CellValue, ColumnType, TableColumn } from './table/column.ts';

type SchemaElement = NonNullable<Parameters<typeof parquetWriteBuffer>[0]['schema']>[number];

/** Rows that are compressed together. */
const rowGroupSize = 100_000;

/** Rows as a Parquet file: decimals as integers in bytes, instants in milliseconds of UTC, compressed with zstd. */
export function writeParquet(
  columns: readonly TableColumn[],
  rows: readonly (readonly CellValue[])[],
  version: number,
): Uint8Array {
  return writeColumns(columns, layColumns(columns, rows), version);
}

/** Row by row: rows lie all over the memory, and columns one beside the other. */
export function layColumns(
  columns: readonly TableColumn[],
  rows: readonly (readonly CellValue[])[],
): readonly unknown[][] {
  const laid = columns.map(({ type: { kind } }) => ({ kind, values: new Array<unknown>(rows.length) }));
  let at = 0;
  for (const row of rows) {
    let index = 0;
    for (const { kind, values } of laid) {
      values[at] = toParquet(kind, row[index]);
      index += 1;
    }
    at += 1;
  }
  return laid.map(({ values }) => values);
}

/** All that takes time here is the library's. */
export function writeColumns(
  columns: readonly TableColumn[],
  values: readonly unknown[][],
  version: number,
): Uint8Array {
  const buffer = parquetWriteBuffer({
    schema: [{ name: 'root', num_children: columns.length }, ...columns.map(describeColumn)],
    columnData: columns.map(({ name }, index) => ({ name, data: values[index] ?? [] })),
    codec: 'ZSTD',
    compressors: { ZSTD: input => zstdCompressSync(input) },
    rowGroupSize,
    kvMetadata: [{ key: 'dbpm_schema_version', value: String(version) }],
    createdBy: 'dbpm-exporter',
  });
  return new Uint8Array(buffer);
}

/** A value as the file has it: the library takes more time to make it of a date. */
function toParquet(kind: ColumnType['kind'], value: CellValue): unknown {
  if (typeof value !== 'number') return value;
  if (kind === 'instant') return BigInt(value);
  return kind === 'date' ? Math.floor(value / dayMs) : value;
}

function describeColumn({ name, type }: TableColumn): SchemaElement {
  return { name, repetition_type: 'OPTIONAL', ...elementOf(type) };
}

function elementOf(type: ColumnType): Omit<SchemaElement, 'name'> {
  switch (type.kind) {
    case 'text':
      return { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } };
    case 'whole':
      return { type: 'INT64' };
    case 'flag':
      return { type: 'BOOLEAN' };
    case 'date':
      return { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } };
    case 'instant':
      return {
        type: 'INT64',
        converted_type: 'TIMESTAMP_MILLIS',
        logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
      };
    case 'decimal': {
      const { precision, scale } = type;
      const size =
        precision > 18
          ? { type: 'FIXED_LEN_BYTE_ARRAY' as const, type_length: 16 }
          : { type: 'INT64' as const };
      return { ...size, converted_type: 'DECIMAL', precision, scale };
    }
  }
}
