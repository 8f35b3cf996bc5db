import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { partitionPath, writeParquet } from '../../../src/export/parquet/day-writing.ts';
import { layRows } from '../../../src/export/parquet/table/parquet-table.ts';
import { parquetTables } from '../../../src/export/parquet/table/parquet-table-list.ts';
import { writeWholeFile } from '../../../src/export/parquet/whole-file.ts';
import type { DescribedColumn } from '../../../src/report/format/report.ts';
import type { Value } from '../../../src/report/format/value-kind.ts';
import { documents } from '../../docs/document.ts';

type Row = Readonly<Record<string, string | null>>;

/** Queries that docs/scale.md has for an engine, by what they read files with; without the semicolon. */
export function documentedQueries(reader: string): readonly string[] {
  const page = documents.find(({ path }) => path === 'docs/scale.md');
  return (page?.fences ?? [])
    .filter(({ language, text }) => language === 'sql' && text.includes(`${reader}('lake/`))
    .map(({ text }) => text.trim().replace(/;$/, ''));
}

/** A value of a column that can only be read as what it was written as. */
function sampleOf({ key, kind }: DescribedColumn): Value {
  switch (kind) {
    case 'text':
    case 'word':
    case 'sentence':
      return key === 'state' ? 'active' : `${key} é`;
    case 'flag':
      return true;
    case 'instant':
    case 'date':
      return Date.UTC(2026, 9, 5);
    case 'count':
      return 2 ** 60;
    case 'seconds':
      return Number.MAX_SAFE_INTEGER;
    case 'fine_seconds':
      return 1_234_567_890.125;
    case 'decimal':
      return '10000000000000000000.000000000000000001';
  }
}

/** Writes a file of each table with a row that has a value in each column, and one that has none. */
export function writeSampleParquet(lake: string): void {
  for (const { name, columns } of parquetTables) {
    const path = join(lake, partitionPath(name, 'main', '2026-10-05'));
    mkdirSync(dirname(path), { recursive: true });
    const own = columns.map(column => {
      return { ...column, of: (isKnown: boolean) => (isKnown ? sampleOf(column) : undefined) };
    });
    writeWholeFile(path, writeParquet(columns, layRows(own, [true, false])));
  }
}

/** An engine reads in each column what was written, whatever order its rows come in. */
export function expectSampleRows(columns: readonly DescribedColumn[], rows: readonly Row[]): void {
  const first = columns[0]?.key ?? '';
  const [row, empty] = rows.toSorted((a, b) => Number(a[first] === null) - Number(b[first] === null));
  for (const column of columns) {
    const { key, kind } = column;
    const shown = row?.[key];
    if (kind === 'text') expect(shown).toBe(sampleOf(column));
    else if (kind === 'date') expect(shown).toBe('2026-10-05');
    else if (kind === 'instant') expect(shown).toMatch(/^2026-10-05 00:00:00/);
    else if (kind === 'flag') expect(shown).toBe('true');
    else expect(shown).toBe(sampleTexts[kind]);
    expect(empty?.[key]).toBe(null);
  }
}

/** Sample numbers as engines write them. */
const sampleTexts: Readonly<Partial<Record<DescribedColumn['kind'], string>>> = {
  count: '1152921504606846976',
  seconds: '9007199254740.991',
  fine_seconds: '1234567.890125',
  decimal: '10000000000000000000.000000000000000001',
};
