import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { writeParquet } from '../../src/export/parquet/day-writing.ts';
import { layRows } from '../../src/export/parquet/table/parquet-table.ts';
import { usageHours } from '../../src/export/parquet/table/usage-hour.ts';
import type { Value } from '../../src/report/format/value-kind.ts';
import { createRandom } from '../../src/simulator/model/random.ts';
import type { BenchRun } from './bench-run.ts';
import { declareBenchmark } from './benchmark.ts';
import { pastPrices, writePastApart } from './fleet/past.ts';
import { median } from './percentile.ts';
import { exporterFile } from './process/exporter.ts';

const dayMs = 86_400_000;

export const parquet = declareBenchmark({
  name: 'parquet',
  goal: 'Rows and memory of `export --format parquet`, beside DuckDB writing the same rows.',
  sizes: {
    tiny: { rows: 2000, projects: 10, days: 3, rounds: 1 },
    small: { rows: 50_000, projects: 100, days: 7, rounds: 3 },
    full: { rows: 500_000, projects: 1000, days: 30, rounds: 5 },
  },
  async run({ rows: count, projects, days, rounds }, run) {
    const writers = await compareWriters(run, count, rounds);
    return [...writers, ...(await measureExport(run, projects, days))];
  },
});

/** The writer alone: rows that are in memory become a file, or the bytes of one. */
async function compareWriters(run: BenchRun, count: number, rounds: number) {
  const folder = run.openFolder();
  const [own, theirs] = ['own', 'duckdb'].map(name => join(folder, `${name}.parquet`)) as [string, string];
  const rows = drawHours(count);
  const columns = usageHours.columns.map((column, index) => ({ ...column, of: (row: Drawn) => row[index] }));
  const write = (laid = layRows(columns, rows)) => writeFileSync(own, writeParquet(columns, laid));
  write();
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  run.onEnd(() => connection.closeSync());
  await connection.run(`CREATE TABLE hours AS SELECT * FROM '${own}'`);
  const laid = layRows(columns, rows);
  const writers = {
    own: () => write(),
    library: () => write(laid),
    theirs: () => connection.run(`COPY hours TO '${theirs}' (FORMAT parquet, COMPRESSION zstd)`),
  };
  const times = { own: [] as number[], library: [] as number[], theirs: [] as number[] };
  for (let round = 0; round < rounds; round += 1)
    for (const name of ['own', 'library', 'theirs'] as const)
      times[name].push(await processorMs(writers[name]));
  const rate = (ms: readonly number[]) => (1000 * count) / median(ms);
  const unit = 'rows/s';
  const duck = 'writer of DuckDB, one thread';
  const library = 'library that the export writes with, columns made before';
  run.remark(
    'Rates of writers are of processor time. What lacks the export to DuckDB is the library: it has each value in an object.',
  );
  return [
    { what: duck, value: rate(times.theirs), unit },
    { what: library, value: rate(times.library), unit, ratioTo: duck },
    {
      ...{ what: 'writer of the export', value: rate(times.own), unit },
      ...{ ratioTo: library, goal: { of: 'ratio', atLeast: 0.7 } as const },
    },
    { what: `${duck}, size`, value: statSync(theirs).size / count, unit: 'bytes/row' },
    {
      ...{ what: 'writer of the export, size', value: statSync(own).size / count, unit: 'bytes/row' },
      ...{ ratioTo: `${duck}, size`, goal: { of: 'ratio', atMost: 1.5 } as const },
    },
  ];
}

/** What all threads of this process take for it. */
async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The values of a row, in the order of the columns. */
type Drawn = readonly (Value | undefined)[];

/** Use by the hour of a fleet, as the table has it: each project is there some hours after one another. */
function drawHours(count: number): readonly Drawn[] {
  const random = createRandom(1, 'parquet');
  const beganAt = Date.UTC(2026, 9, 5);
  return Array.from({ length: count }, (_, index) => {
    const project = Math.floor(index / 10);
    const fromAt = beganAt + (index % 10) * 3_600_000;
    const own = [
      `p-${project}`,
      `project ${project}`,
      'aws-eu-central-1',
      'aws',
      project % 10 ? 'rest' : 'some',
    ];
    const groups = JSON.stringify({ team: project % 10 ? 'rest' : 'some' });
    const cells = ['main', beganAt, ...own, groups, 'org-1', 'Org', undefined, beganAt - project * 1000];
    const row: (Value | undefined)[] = [...cells, fromAt, fromAt + 3_600_000, random.integer(1, 7_200_000)];
    while (row.length < usageHours.columns.length) row.push(undefined);
    return row;
  });
}

/** The whole command, from the history to the last file. */
async function measureExport(run: BenchRun, projects: number, days: number) {
  const folder = run.openFolder();
  const [file, config, out] = ['dbpm.sqlite', 'dbpm.yaml', 'lake'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(config, pastPrices);
  const now = Math.floor(Date.now() / dayMs) * dayMs;
  await writePastApart(run, { file, projects, days, busyShare: 0.05, sampleIntervalMs: 300_000, now });
  const from = new Date(now - days * dayMs).toISOString();
  const flags = ['--out', out, '--from', from, '--config.file', config, '--history.file', file];
  const beganAt = performance.now();
  const child = spawn(process.execPath, [exporterFile, 'export', '--format', 'parquet', ...flags], {
    stdio: 'ignore',
  });
  run.onEnd(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  let peakKiB = 0;
  while (child.exitCode === null && child.signalCode === null) {
    peakKiB = Math.max(peakKiB, readPeakKiB(child.pid));
    await Promise.race([ended, setTimeout(20)]);
  }
  const seconds = (performance.now() - beganAt) / 1000;
  const files: readonly { readonly rows: number; readonly bytes: number }[] = JSON.parse(
    readFileSync(join(out, 'manifest.json'), 'utf8'),
  ).days.flatMap((day: { readonly files: unknown }) => day.files);
  const rows = files.reduce((sum, each) => sum + each.rows, 0);
  const bytes = files.reduce((sum, each) => sum + each.bytes, 0);
  return [
    { what: 'export, rows', value: rows, unit: '' },
    {
      what: 'export',
      value: rows / seconds,
      unit: 'rows/s',
    },
    { what: 'export, size of all tables', value: bytes / rows, unit: 'bytes/row' },
    {
      ...{ what: 'export, peak memory', value: peakKiB / 1024, unit: 'MiB' },
      goal: { of: 'value', atMost: 512 } as const,
    },
  ];
}

/** 0 where the system does not tell, or the process is gone. */
function readPeakKiB(pid: number | undefined): number {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
