import { DuckDBInstance } from '@duckdb/node-api';

type Row = Readonly<Record<string, string | null>>;

/** Runs a query in DuckDB; every value is the text that DuckDB casts it to. */
export type Ask = (sql: string) => Promise<readonly Row[]>;

/** A DuckDB in memory with a view for each table of some folders of exports, all files of a table as one. */
export async function openTables(
  folders: readonly string[],
  tables: readonly string[],
): Promise<Ask & Disposable> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  const globs = (table: string) => folders.map(folder => `'${folder}/${table}/*/*/part.parquet'`).join(', ');
  for (const table of tables)
    await connection.run(
      `CREATE VIEW ${table} AS SELECT * FROM read_parquet([${globs(table)}], hive_partitioning = false)`,
    );
  const ask: Ask = async sql => {
    const result = await connection.runAndReadAll(`SELECT CAST(COLUMNS(*) AS VARCHAR) FROM (${sql})`);
    return result.getRowObjectsJson() as Row[];
  };
  return Object.assign(ask, {
    [Symbol.dispose]() {
      connection.closeSync();
      instance.closeSync();
    },
  });
}
