import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { partitionPath, writeParquet } from '../../../src/export/parquet/day-writing.ts';
import { costLines } from '../../../src/export/parquet/table/cost-line.ts';
import { layRows } from '../../../src/export/parquet/table/parquet-table.ts';
import { parquetTables } from '../../../src/export/parquet/table/parquet-table-list.ts';
import { writeWholeFile } from '../../../src/export/parquet/whole-file.ts';
import type { Value } from '../../../src/report/format/value-kind.ts';
import { createRandom } from '../../../src/simulator/model/random.ts';
import { HistoryFolder } from '../../support/history-folder.ts';
import { openTables } from './duck.ts';
import { documentedQueries, expectSampleRows, writeSampleParquet } from './sample-parquet.ts';

type Row = Readonly<Record<string, string | null>>;

const program = new URL('clickhouse-program.cjs', import.meta.url).pathname;

/** The npm package `chdb` brings the engine; it is half a gigabyte, so it is none of ours. */
function hasEngine(): boolean {
  try {
    createRequire(import.meta.url).resolve('chdb');
    return true;
  } catch {
    return false;
  }
}

/** Every value as the text that ClickHouse makes of it. */
function askClickHouse(sql: string): readonly Row[] {
  const exact = 'output_format_json_quote_64bit_integers = 1, output_format_json_quote_decimals = 1';
  const input = `SELECT * FROM (${sql}) SETTINGS ${exact}`;
  const lines = execFileSync(process.execPath, [program], { input, encoding: 'utf8' });
  return lines
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line, (_, value) => (typeof value === 'boolean' ? String(value) : value)));
}

function testWithEngine(name: string, run: () => void | Promise<void>): void {
  test(name, ({ skip }) => (hasEngine() ? run() : skip('chdb not found (npm package chdb, on NODE_PATH)')));
}

testWithEngine('ClickHouse reads each column as it was written, also where it is not known', () => {
  using folder = new HistoryFolder();
  writeSampleParquet(folder.path);
  for (const { name, columns } of parquetTables) {
    const files = `file('${folder.path}/${name}/**/*.parquet', Parquet)`;
    const rows = askClickHouse(`SELECT * FROM ${files} SETTINGS use_hive_partitioning = 0`);
    expectSampleRows(columns, rows);
  }
});

testWithEngine('the query documented for ClickHouse says what DuckDB says, to the last decimal', async () => {
  using folder = new HistoryFolder();
  const random = createRandom(1, 'clickhouse');
  for (const month of ['09', '10']) {
    const label = `2026-${month}-05`;
    const rows = Array.from({ length: 500 }, (_, index): Readonly<Record<string, Value>> => {
      const group_name = index % 5 === 0 ? {} : { group_name: `team ${index % 5}` };
      const digits = String(BigInt(random.integer(1, 2 ** 50)) * 997n).padStart(19, '0');
      const cost = `${digits.slice(0, -18)}.${digits.slice(-18)}`;
      return { account: 'main', day: Date.parse(label), cost, ...group_name };
    });
    const path = join(folder.path, partitionPath(costLines.name, 'main', label));
    const columns = costLines.columns.map(column => ({
      ...column,
      of: (row: Readonly<Record<string, Value>>) => row[column.key],
    }));
    writeWholeFile(path, writeParquet(columns, layRows(columns, rows)));
  }
  const [query = '', ...others] = documentedQueries('file');
  expect(others).toEqual([]);
  using ask = await openTables([folder.path], [costLines.name]);
  const sum = (exact: string) =>
    `SELECT group_name, CAST(date_trunc('month', day) AS DATE) AS month, ${exact} AS cost FROM cost_lines GROUP BY ALL`;
  const sorted = (rows: readonly Row[]) => rows.map(row => JSON.stringify(row)).toSorted();
  const placed = query.replaceAll("'lake/", `'${folder.path}/`);
  const exactly = placed.replace('round(sum(cost), 2)', 'sum(cost)');
  expect(exactly).not.toBe(placed);
  expect(sorted(askClickHouse(exactly))).toEqual(sorted(await ask(sum('sum(cost)'))));
  expect(askClickHouse(placed)).toHaveLength(10);
});
