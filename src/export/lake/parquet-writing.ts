import { zstdCompressSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import type { DescribedColumn } from '../../report/format/report.ts';
import { valueKinds } from '../../report/format/value-kind.ts';
import type { LaidRows } from './table/lake-column.ts';

/** Rows that are compressed together. */
const rowGroupSize = 100_000;

/** Rows as a Parquet file, compressed with zstd. All that takes time here is the library's. */
export function writeParquet(
  columns: readonly DescribedColumn[],
  { values }: LaidRows,
  version: number,
): Uint8Array {
  const buffer = parquetWriteBuffer({
    schema: [
      { name: 'root', num_children: columns.length },
      ...columns.map(({ key, kind }) => {
        return { name: key, repetition_type: 'OPTIONAL' as const, ...valueKinds[kind].parquet };
      }),
    ],
    columnData: columns.map(({ key }, index) => ({ name: key, data: values[index] ?? [] })),
    codec: 'ZSTD',
    compressors: { ZSTD: input => zstdCompressSync(input) },
    rowGroupSize,
    kvMetadata: [{ key: 'dbpm_schema_version', value: String(version) }],
    createdBy: 'dbpm-exporter',
  });
  return new Uint8Array(buffer);
}
