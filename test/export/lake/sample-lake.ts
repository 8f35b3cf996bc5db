import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { partitionPath } from '../../../src/export/lake/day-writing.ts';
import { writeParquet } from '../../../src/export/lake/parquet-writing.ts';
import type { CellValue, TableColumn } from '../../../src/export/lake/table/column.ts';
import { lakeTables } from '../../../src/export/lake/table/lake-table-list.ts';
import { writeWholeFile } from '../../../src/export/lake/whole-file.ts';
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
function sampleOf({ name, type }: TableColumn): CellValue {
  switch (type.kind) {
    case 'text':
      return name === 'state' ? 'active' : `${name} é`;
    case 'flag':
      return true;
    case 'instant':
    case 'date':
      return Date.UTC(2026, 9, 5);
    case 'whole':
      return 2n ** 60n;
    case 'decimal':
      return type.precision > 18 ? 10n ** 37n + 1n : 10n ** 17n + 1n;
  }
}

/** Writes a file of each table with a row that has a value in each column, and one that has none. */
export function writeSampleLake(lake: string): void {
  for (const { name, columns } of lakeTables) {
    const path = join(lake, partitionPath(name, 'main', '2026-10-05'));
    mkdirSync(dirname(path), { recursive: true });
    writeWholeFile(path, writeParquet(columns, [columns.map(sampleOf), columns.map(() => undefined)], 1));
  }
}

/** An engine reads in each column what was written, whatever order its rows come in. */
export function expectSampleRows(columns: readonly TableColumn[], rows: readonly Row[]): void {
  const first = columns[0]?.name ?? '';
  const [row, empty] = rows.toSorted((a, b) => Number(a[first] === null) - Number(b[first] === null));
  for (const column of columns) {
    const { kind } = column.type;
    const shown = row?.[column.name];
    const digits = shown?.replace(/\D/g, '').replace(/^0+/, '');
    if (kind === 'text') expect(shown).toBe(sampleOf(column));
    else if (kind === 'date') expect(shown).toBe('2026-10-05');
    else if (kind === 'instant') expect(shown).toMatch(/^2026-10-05 00:00:00/);
    else if (kind === 'flag') expect(shown).toBe('true');
    else expect(digits).toBe(String(sampleOf(column)));
    expect(empty?.[column.name]).toBe(null);
  }
}
