import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parquetTables } from '../../../src/export/parquet/table/parquet-table-list.ts';
import { HistoryFolder } from '../../support/history-folder.ts';
import { openTables } from './duck.ts';
import { documentedQueries, expectSampleRows, writeSampleParquet } from './sample-parquet.ts';

test('each column is read as it was written, also where it is not known, and each documented query finds a row', async () => {
  using folder = new HistoryFolder();
  const lake = join(folder.path, 'lake');
  writeSampleParquet(lake);
  using ask = await openTables(
    [lake],
    parquetTables.map(({ name }) => name),
  );
  for (const { name, columns } of parquetTables)
    expectSampleRows(columns, await ask(`SELECT * FROM ${name}`));
  const queries = documentedQueries('read_parquet');
  expect(queries).toHaveLength(2);
  for (const query of queries) {
    const rows = await ask(query.replaceAll("'lake/", `'${lake}/`));
    expect([query, rows.length]).not.toEqual([query, 0]);
  }
});
