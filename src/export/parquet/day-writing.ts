import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import type { DescribedColumn } from '../../report/format/report.ts';
import { valueKinds } from '../../report/format/value-kind.ts';
import { type ParquetFile, schemaVersion, type WrittenDay } from './manifest.ts';
import type { ParquetDay } from './table/parquet-day.ts';
import type { LaidRows, ParquetTable } from './table/parquet-table.ts';
import { parquetTables } from './table/parquet-table-list.ts';
import { removeFile, writeWholeFile } from './whole-file.ts';

/**
 * Writes the files of a day, each whole; a table without rows, or whose rows are no longer kept, has none.
 *
 * @throws Failure when one cannot be written.
 */
export function writeDay(folder: string, day: ParquetDay): WrittenDay {
  return {
    account: day.account,
    day: day.label,
    from: new Date(day.fromAt).toISOString(),
    until: new Date(day.untilAt).toISOString(),
    ...(day.prices && { price_book: day.prices.fingerprint }),
    files: parquetTables.flatMap(table => writeTable(folder, day, table)),
  };
}

function writeTable(folder: string, day: ParquetDay, table: ParquetTable): ParquetFile[] {
  const path = partitionPath(table.name, day.account, day.label);
  const rows = table.keptFromAt(day) > day.fromAt ? undefined : table.lay(day);
  if (rows === undefined || rows.count === 0) {
    // An export that was killed may have left one, which queries would read with the others.
    removeFile(join(folder, path));
    return [];
  }
  const bytes = writeParquet(table.columns, rows);
  writeWholeFile(join(folder, path), bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return [{ table: table.name, path, rows: rows.count, bytes: bytes.length, sha256 }];
}

/** The path of a file below the folder of an export, as Hive names partitions: `usage_hours/account=main/day=2026-10-05/part.parquet`. */
export function partitionPath(table: string, account: string, day: string): string {
  return join(table, `account=${encodeName(account)}`, `day=${day}`, 'part.parquet');
}

/** Any text as the name of a folder: all but letters, digits, - and _ is a percent sign and two digits for each byte. */
function encodeName(name: string): string {
  return [...Buffer.from(name)]
    .map(byte => {
      const letter = String.fromCharCode(byte);
      return /[\w-]/.test(letter) ? letter : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}

/** Rows that are compressed together. */
const rowGroupSize = 100_000;

/** Rows as a Parquet file, compressed with zstd. All that takes time here is the library's. */
export function writeParquet(columns: readonly DescribedColumn[], { values }: LaidRows): Uint8Array {
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
    kvMetadata: [{ key: 'dbpm_schema_version', value: String(schemaVersion) }],
    createdBy: 'dbpm-exporter',
  });
  return new Uint8Array(buffer);
}
