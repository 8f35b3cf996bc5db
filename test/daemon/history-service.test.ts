import { MessageChannel } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { HistoryOwner } from '../../src/daemon/history-api.ts';
import { HistoryService } from '../../src/daemon/history-service.ts';
import type { UsageDisplay } from '../../src/daemon/usage-worker.ts';
import { PageSet } from '../../src/metrics/page/page-set.ts';
import { GzipTail } from '../../src/metrics/page/piece.ts';
import type { Calculation } from '../../src/report/usage-view/calculator.ts';
import { Link, type Told } from '../../src/thread/link.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import {
  day,
  projectReading,
  projectsReading,
  second,
  startAt,
  wireEndpoint,
  wireOperation,
  wireProject,
} from '../support/reading-builder.ts';
import { withUse } from '../support/sample-usage.ts';
import { workerOptions } from './worker-options.ts';

type Event = { readonly kind: string; readonly work?: string; readonly error?: Error };

/** An owner that notes what it is told. */
function noteEvents(events: Event[]): Told<HistoryOwner> {
  return {
    onPublished: () => events.push({ kind: 'published' }),
    onUsageShown: () => events.push({ kind: 'usage_shown' }),
    onLost: error => events.push({ kind: 'lost', error }),
    onFailed: (work, error) => events.push({ kind: 'failed', work, error }),
    onRecovered: work => events.push({ kind: 'recovered', work }),
    onBackup: () => events.push({ kind: 'backed_up' }),
    onCopy: kind => events.push({ kind }),
    onClockJump: () => events.push({ kind: 'clock_jumped' }),
  };
}

function openService(folder: HistoryFolder) {
  const events: Event[] = [];
  const service = new HistoryService(workerOptions(folder), noteEvents(events));
  onTestFinished(() => service.close());
  service.open();
  const kinds = () => events.splice(0).map(({ kind }) => kind);
  const readPage = () => {
    const { gzip, crc, bytes } = service.assemble('text');
    return gunzipSync(Buffer.concat([gzip, new GzipTail().end('', crc, bytes)])).toString();
  };
  const { port1, port2 } = new MessageChannel();
  service.followUsage(port2);
  const display = new Link<UsageDisplay>(port1);
  const show = async (calculation: Calculation) => {
    const before = events.length;
    display.tell.showUsage(calculation);
    await vi.waitUntil(() => events.slice(before).some(({ kind }) => kind === 'usage_shown'), 30_000);
  };
  return { service, show, events, kinds, readPage };
}

const paused = new Map([['main', { perMinute: 300, settledAt: startAt, pausedUntil: startAt + day }]]);

/** Until when the account may not be asked, as a restart would find it. */
function readPause({ file }: HistoryFolder): unknown {
  const database = new Database(file, { readonly: true });
  const pausedUntil = database.prepare('SELECT paused_until_at FROM account').pluck().get();
  database.close();
  return pausedUntil;
}

function holdLock({ file }: HistoryFolder): Database.Database {
  const other = new Database(file);
  other.exec('BEGIN IMMEDIATE');
  return other;
}

const usage: Calculation = { view: withUse({ currency: 'EUR', cost: 2.5 }), accruals: [] };

test('a page that could not be published after a usage update shows all of its changes when it next is', async () => {
  using folder = new HistoryFolder();
  const { service, show, kinds, readPage } = openService(folder);
  service.commit([projectsReading(startAt, [wireProject('p')])], new Map());
  kinds();
  vi.spyOn(PageSet.prototype, 'render').mockImplementationOnce(() => {
    throw new RangeError('Array buffer allocation failed');
  });
  await show(usage);
  expect(kinds()).toEqual(['failed', 'usage_shown']);
  await show(usage);
  expect(kinds()).toEqual(['published', 'recovered', 'usage_shown']);
  expect(readPage()).toContain('dbpm_project_info{account="main",project_id="p"');
});

test('a cost that cannot be written is told of, and is not shown', async () => {
  using folder = new HistoryFolder();
  const { show, events, readPage } = openService(folder);
  const other = holdLock(folder);
  events.length = 0;
  await show(usage);
  expect(events).toEqual([
    {
      kind: 'failed',
      work: 'accruals',
      error: expect.objectContaining({ code: 'SQLITE_BUSY' }),
    },
    { kind: 'usage_shown' },
  ]);
  other.close();
  expect(readPage()).not.toContain('dbpm_account_period_cost{');
  events.length = 0;
  await show(usage);
  await show(usage);
  expect(events.filter(({ kind }) => kind === 'recovered')).toEqual([
    { kind: 'recovered', work: 'accruals' },
  ]);
});

test('request budgets that cannot be saved are told of, and saved as soon as they can be', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  using folder = new HistoryFolder();
  const { service, events } = openService(folder);
  const other = holdLock(folder);
  events.length = 0;
  service.saveBudgets(paused);
  vi.advanceTimersByTime(5 * second);
  const failure = {
    kind: 'failed',
    work: 'budgets',
    error: expect.objectContaining({ code: 'SQLITE_BUSY' }),
  };
  expect(events).toEqual([failure, failure]);
  expect(readPause(folder)).toBe(0);
  other.close();
  vi.advanceTimersByTime(5 * second);
  expect(readPause(folder)).toBe(startAt + day);
  expect(events).toEqual([failure, failure, { kind: 'recovered', work: 'budgets' }]);
});

test('request budgets that were to be written with readings are saved though these are lost', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  using folder = new HistoryFolder();
  const { service, kinds } = openService(folder);
  const other = holdLock(folder);
  kinds();
  expect(service.commit([projectsReading(startAt, [])], paused)).toEqual([
    { error: expect.objectContaining({ name: 'HistoryError' }) },
  ]);
  expect(kinds()).toEqual([]);
  other.close();
  vi.advanceTimersByTime(5 * second);
  expect(readPause(folder)).toBe(startAt + day);
});

test('request budgets that cannot be saved at the end are tried again before the history is left', async () => {
  using folder = new HistoryFolder();
  const { service, kinds } = openService(folder);
  const other = holdLock(folder);
  kinds();
  service.saveBudgets(paused);
  const closed = service.close();
  other.close();
  await closed;
  expect(kinds()).toEqual(['failed', 'recovered']);
  expect(readPause(folder)).toBe(startAt + day);
});

test('a host clock that is years ahead prunes nothing', () => {
  using folder = new HistoryFolder();
  const keep = { samples: day, hours: day, days: day, operations: day };
  const service = new HistoryService({ ...workerOptions(folder), keep }, noteEvents([]));
  onTestFinished(() => service.close());
  const restart = wireOperation('o1', { action: 'restart', created_at: '2026-11-21T09:00:00Z' });
  const readings = [
    projectsReading(startAt, [wireProject('p')]),
    projectReading(startAt, 'p', { endpoints: [wireEndpoint('e')], operations: [restart] }),
  ];
  service.commit(readings, new Map());
  const count = () => {
    const database = new Database(folder.file, { readonly: true });
    const tables = ['operation', 'cpu_sample', 'state_interval', 'retention'];
    const counts = tables.map(table => database.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
    database.close();
    return counts;
  };
  const before = count();
  onTestFinished(() => void vi.restoreAllMocks());
  vi.spyOn(Date, 'now').mockReturnValue(startAt + 1096 * day);
  for (let turn = 0; turn < 20; turn += 1) service.keepUp();
  expect(count()).toEqual([...before.slice(0, -1), 4]);
});
