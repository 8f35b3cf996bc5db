import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { newestVersion } from '../../src/history/file/format.ts';
import { migrate } from '../../src/history/file/migration.ts';
import type { History } from '../../src/history/history.ts';
import { salvageHistory } from '../../src/history/salvage/salvage.ts';
import { salvageTables } from '../../src/history/salvage/salvage-table.ts';
import { examineHistory } from '../../src/history/soundness/examination.ts';
import { catalog } from '../../src/resources/catalog.ts';
import { collectors, optionalCollectors } from '../../src/resources/collector.ts';
import { dayMs, hourMs } from '../../src/resources/duration.ts';
import type { Granularity } from '../../src/resources/meter.ts';
import { readSources } from '../architecture/import-graph.ts';
import { readAsDaemon } from '../support/daemon-reading.ts';
import { damagePage, damageTable, overwrite, pageBytes } from '../support/damaged-history.ts';
import { HistoryFolder, viewOf } from '../support/history-folder.ts';
import { consumptionReading, wireConsumption, wireTimeframe } from '../support/meter-builder.ts';
import { projectsReading, startAt, wireProject } from '../support/reading-builder.ts';
import { findUntold, putInPlace, readRows, SalvageStage, salvageIn } from '../support/salvage-stage.ts';
import { readCounters } from '../support/stored-counter.ts';

const stage = new SalvageStage(
  { now: Date.parse('2026-11-20T00:00:00Z') / 1000, projects: 3, historyDays: 1 },
  1,
);
const { life } = stage;

describe('all of a history is saved, and nothing of the damaged one is changed', () => {
  test.each<[string, (file: string) => void]>([
    ['that is sound', () => {}],
    ['whose header is gone', file => overwrite(file, 0, 100)],
    ['whose first page is gone', file => overwrite(file, 0, pageBytes)],
    ['whose indexes are gone', file => damageTable(file, 'operation_created')],
  ])('%s', (_, damage) => {
    using folder = stage.open();
    const truth = readRows(folder.file);
    damage(folder.file);
    const before = readFileSync(folder.file);
    const names = readdirSync(folder.path);
    const salvage = salvageIn(folder);
    expect(readdirSync(folder.path).sort()).toEqual([...names, 'saved.sqlite'].sort());
    expect(salvage).toMatchObject({ isWhole: true, format: newestVersion, begunAnew: [] });
    expect(readRows(salvage.file)).toEqual(truth);
    expect(examineHistory(salvage.file).flaws).toEqual([]);
    expect(readFileSync(folder.file).equals(before)).toBe(true);
    expect(statSync(salvage.file).mode & 0o777).toBe(0o600);
  });

  test('of which some is in the write-ahead log alone', () => {
    using folder = new HistoryFolder();
    folder.openListed([wireProject('p', { cpu_used_sec: 70 })]);
    using copied = new HistoryFolder();
    for (const suffix of ['', '-wal']) copyFileSync(folder.file + suffix, copied.file + suffix);
    overwrite(copied.file, 0, 100);
    const salvage = salvageIn(copied);
    expect(salvage).toMatchObject({ isWhole: true, isLogLost: false });
    expect(readCounters(salvage.file)).toEqual(readCounters(folder.file));
  });

  test('of an older format, found by its tables where the header is gone', () => {
    using folder = new HistoryFolder();
    const old = new Database(folder.file);
    migrate(old, 7);
    old.exec(`INSERT INTO account (account, cpu_used_total_sec) VALUES ('main', 5);
      INSERT INTO project (account_ref, project_id, first_seen_at, born_watched, cpu_used_total_sec) VALUES (1, 'p', 1, 0, 5)`);
    old.close();
    overwrite(folder.file, 0, 100);
    const salvage = salvageIn(folder);
    expect(salvage).toMatchObject({ isWhole: true, format: 7 });
    expect(readCounters(salvage.file).get('dbpm_account_cpu_used_seconds_total main ')?.value).toBe(5);
    expect(examineHistory(salvage.file)).toMatchObject({ flaws: [], format: newestVersion });
  });
});

describe('what is lost is accounted for, and named where counters begin anew', () => {
  const damaged = [
    'account',
    'project',
    'endpoint',
    'operation',
    'operation_count',
    'state_duration',
    'cpu_sample',
  ];
  test.each(damaged.map(table => [table]))('a page of %s', table => {
    using folder = stage.open();
    const rows = readRows(folder.file);
    const truth = readCounters(folder.file);
    const page = stage.pages.findLast(({ name, isLeaf }) => name === table && isLeaf);
    if (page !== undefined) damagePage(folder.file, page);
    const salvage = salvageIn(folder);
    expect(salvage.isWhole).toBe(false);
    expect(examineHistory(salvage.file).flaws).toEqual([]);
    expect(findUntold(truth, salvage.file, salvage)).toEqual([]);
    for (const { table: name, savedRows, droppedRows, lostPages } of salvage.tables) {
      const all = rows[name]?.length ?? 0;
      if (lostPages === 0 && name !== 'set_aside')
        expect([name, savedRows + droppedRows]).toEqual([name, all]);
      else expect(savedRows + droppedRows).toBeLessThanOrEqual(all);
    }
  });

  test('operations that are read again do not count again', () => {
    using folder = stage.open();
    const pages = stage.pages.filter(({ name, isLeaf }) => name === 'operation' && isLeaf);
    for (const page of pages.slice(1, 4)) damagePage(folder.file, page);
    const salvage = salvageIn(folder);
    const lost = salvage.tables.find(({ table }) => table === 'operation');
    expect(lost?.lostPages).toBe(Math.min(3, pages.length - 1));
    expect(lost?.lostRowsAbout).toBeGreaterThan(10);
    putInPlace(folder, salvage.file);
    const history = folder.open();
    readAsDaemon(history, life.account);
    folder.close(history);
    using control = stage.open();
    const whole = control.open();
    readAsDaemon(whole, life.account);
    control.close(whole);
    expect(findUntold(readCounters(control.file), folder.file, salvage)).toEqual([]);
  });

  test('without time, rows by the time are left out, and counters go on', () => {
    using folder = stage.open();
    const truth = readCounters(folder.file);
    overwrite(folder.file, 0, 100);
    const salvage = salvageIn(folder, { mostMs: -1 });
    const left = salvage.tables.filter(({ isLeft }) => isLeft).map(({ table }) => table);
    expect(left).toEqual(salvageTables.filter(({ isBulky }) => isBulky).map(({ table }) => table));
    expect(salvage.begunAnew.flatMap(({ metrics }) => metrics)).toEqual([
      'dbpm_operation_attempt_failures_total',
    ]);
    expect(findUntold(truth, salvage.file, salvage)).toEqual([]);
    expect(examineHistory(salvage.file).flaws).toEqual([]);
  });

  test('a log that cannot be read, and a file that was cut off', () => {
    using folder = stage.open();
    writeFileSync(`${folder.file}-wal`, 'garbage'.repeat(1000));
    expect(salvageIn(folder)).toMatchObject({ isLogLost: true, isWhole: false, begunAnew: [] });
    using other = stage.open();
    const truth = readCounters(other.file);
    truncateSync(other.file, Math.floor(stage.whole.length * 0.7));
    const salvage = salvageIn(other);
    expect(salvage.isWhole).toBe(false);
    expect(examineHistory(salvage.file).flaws).toEqual([]);
    expect(findUntold(truth, salvage.file, salvage)).toEqual([]);
  });
});

describe('nothing is written', () => {
  test('where there is a file', () => {
    using folder = stage.open();
    expect(() => salvageHistory({ from: folder.file, to: folder.file })).toThrow(/exists: name another file/);
  });

  test('where nothing can be saved', () => {
    using folder = new HistoryFolder();
    writeFileSync(folder.file, Buffer.alloc(100_000, 0x5a));
    const salvage = salvageIn(folder);
    expect(salvage.isAny).toBe(false);
    expect(existsSync(salvage.file)).toBe(false);
    expect(readdirSync(folder.path)).toEqual(['dbpm.sqlite']);
  });

  test.each<[string, string, RegExp]>([
    ['for another program', 'PRAGMA application_id = 7', /is a database of another program/],
    ['for a newer version', 'PRAGMA user_version = 99', /was written by a newer dbpm-exporter \(format 99/],
  ])('%s', (_, sql, refusal) => {
    using folder = stage.open();
    const database = new Database(folder.file);
    database.exec(sql);
    database.close();
    expect(() => salvageIn(folder)).toThrow(refusal);
    expect(readdirSync(folder.path).filter(name => name.startsWith('saved'))).toEqual([]);
  });

  test('beside a daemon', () => {
    using folder = stage.open();
    folder.open();
    expect(() => salvageIn(folder)).toThrow(/is in use by another dbpm-exporter/);
    expect(existsSync(join(folder.path, 'saved.sqlite'))).toBe(false);
  });
});

test('every table is one a salvage knows', () => {
  using folder = stage.open();
  const known = salvageTables.map(({ table }) => table);
  expect(Object.keys(readRows(folder.file)).filter(table => !known.includes(table))).toEqual([]);
});

test('every metric that is named as beginning anew is one', () => {
  const named = readSources()
    .filter(({ path }) => path.startsWith('history/salvage/'))
    .flatMap(({ text }) => [...text.matchAll(/'(dbpm_\w+)'/g)].map(([, name]) => name));
  const all = catalog.flatMap(({ families }) => Object.values(families)).map(({ name }) => name);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(name => name === undefined || !all.includes(name))).toEqual([]);
});

const withMeter = { collectors: [...collectors, ...optionalCollectors] };
const ids = ['p', 'q'];

function read(history: History, granularity: Granularity, stepMs: number, count: number): void {
  const frames = Array.from({ length: count }, (_, index) => {
    const at = Math.floor(startAt / stepMs) * stepMs - (count - index) * stepMs;
    return wireTimeframe(at, at + stepMs, { compute_unit_seconds: (stepMs / hourMs) * 10 });
  });
  const items = ids.map(id => wireConsumption(id, frames));
  history.record(consumptionReading(startAt, items, { granularity }));
}

/** Reads as far back as the service tells: a week by the hour, and sixty days by the day. */
function readService(history: History): void {
  history.record(
    projectsReading(
      startAt,
      ids.map(id => ({ id })),
    ),
  );
  read(history, 'daily', dayMs, 60);
  read(history, 'hourly', hourMs, 168);
}

function openRead(): HistoryFolder {
  const folder = new HistoryFolder();
  const history = folder.open(withMeter);
  read(history, 'daily', dayMs, 150);
  readService(history);
  folder.close(history);
  return folder;
}

test.each([
  'metered_account',
  'meter_pass',
  'metered_project',
  'metered_month',
  'metered_day',
  'metered_timeframe',
])('without %s what was metered counts once, or begins anew and is named', table => {
  using folder = openRead();
  const truth = readCounters(folder.file);
  damageTable(folder.file, table);
  const salvage = salvageIn(folder);
  expect(examineHistory(salvage.file).flaws).toEqual([]);
  expect(findUntold(truth, salvage.file, salvage)).toEqual([]);
  putInPlace(folder, salvage.file);
  const history = folder.open(withMeter);
  readService(history);
  folder.close(history);
  expect(findUntold(truth, folder.file, salvage)).toEqual([]);
  expect(examineHistory(folder.file).flaws).toEqual([]);
});

const wire = ['p', 'q'].map(id =>
  wireConsumption(
    id,
    [-30, -2, -1].map(hour =>
      wireTimeframe(startAt + hour * hourMs, startAt + (hour + 1) * hourMs, {
        compute_unit_seconds: 100 - hour,
      }),
    ),
  ),
);
const truth = 2 * (130 + 102 + 101);

test.each([
  ['metered_month'],
  ['metered_day'],
  ['metered_timeframe'],
  ['metered_project'],
  ['metered_account'],
  ['meter_pass'],
])('a meter that lost its %s is read again, and counts once what is still known', table => {
  using folder = new HistoryFolder();
  const history = folder.open(withMeter);
  history.record(projectsReading(startAt, [{ id: 'p' }, { id: 'q' }]));
  history.record(consumptionReading(startAt, wire));
  folder.close(history);
  damageTable(folder.file, table);
  const salvage = salvageIn(folder);
  expect(examineHistory(salvage.file).flaws).toEqual([]);
  putInPlace(folder, salvage.file);
  const saved = folder.open(withMeter);
  const kept = viewOf(saved, startAt).metered?.compute_unit_seconds ?? 0;
  const isNamed = salvage.begunAnew.some(({ metrics }) =>
    metrics.includes('dbpm_account_metered_compute_unit_seconds_total'),
  );
  expect([kept, isNamed]).toEqual([truth, false]);
  expect(saved.meterState('main')?.passes ?? {}).toEqual({});
  saved.record(consumptionReading(startAt, wire));
  expect(viewOf(saved, startAt).metered).toEqual({ compute_unit_seconds: truth });
});
