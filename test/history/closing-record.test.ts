import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { readClosedPeriods, recordClosed } from '../../src/history/closing/closed-period.ts';
import type { ClosedPeriod } from '../../src/resources/closed-period.ts';
import { HistoryFolder, viewOf } from '../support/history-folder.ts';
import { day, projectsReading, startAt, wireProject } from '../support/reading-builder.ts';

const closed = (month: number, lines = '[]'): ClosedPeriod => ({
  account: 'main',
  fromAt: Date.UTC(2026, month - 1),
  untilAt: Date.UTC(2026, month),
  closedAt: startAt,
  fingerprint: 'f'.repeat(64),
  priceBook: '{}',
  lines,
  accepted: [],
});

/** What another process comes to one after the other when it closes two months, in its database. */
const steps = [
  'asks, and waits 10000 ms',
  'has the lock',
  'row',
  'row',
  'is written',
  'is committed',
] as const;

/** Tells of each step and goes on when it is told to. */
const stepCode = `
  import { readSync, writeSync } from 'node:fs';
  import Database from 'better-sqlite3';
  const tell = step => {
    writeSync(1, step + '\\n');
    readSync(0, Buffer.alloc(1));
  };
  const { prepare, transaction } = Database.prototype;
  Database.prototype.transaction = function (change) {
    const whole = transaction.call(this, () => {
      tell('has the lock');
      change();
      tell('is written');
    });
    return {
      immediate: () => {
        tell('asks, and waits ' + this.pragma('busy_timeout', { simple: true }) + ' ms');
        whole.immediate();
        tell('is committed');
      },
    };
  };
  Database.prototype.prepare = function (sql) {
    const statement = prepare.call(this, sql);
    if (!sql.startsWith('INSERT')) return statement;
    return { run: row => (statement.run(row), tell('row')) };
  };
`;

/** Another process closes two months step by step. Each has a megabyte of lines that hardly deflate. */
function closeElsewhere(file: string) {
  const module = new URL('../../src/history/closing/closed-period.ts', import.meta.url).href;
  const large = `randomBytes(500_000).toString('hex')`;
  const periods = [9, 10].map(month => JSON.stringify(closed(month, 'LINES')).replace('"LINES"', large));
  const code = `${stepCode}
    const { randomBytes } = await import('node:crypto');
    const { recordClosed } = await import(${JSON.stringify(module)});
    recordClosed(${JSON.stringify(file)}, [${periods.join(', ')}]);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.on('error', () => {});
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    exited: once(child, 'exit'),
    next: async () => (await lines.next()).value,
    goOn: () => void child.stdin.write('.'),
  };
}

test('a period is closed while a daemon records, which loses nothing', async () => {
  using folder = new HistoryFolder();
  const history = folder.openListed([wireProject('p', { cpu_used_sec: 0 })]);
  const { exited, next, goOn } = closeElsewhere(folder.file);
  let readings = 0;
  /** One that could not be written is the next one again. */
  const record = () => {
    const item = wireProject('p', { cpu_used_sec: readings + 1 });
    const [recorded] = history.commit([projectsReading(startAt + (readings + 1) * 1000, [item])]);
    const isWritten = recorded !== undefined && !('error' in recorded);
    if (isWritten) readings += 1;
    return isWritten;
  };
  const written: unknown[] = [];
  for (const _ of steps) {
    written.push([await next(), record()]);
    goOn();
  }
  expect(await exited).toEqual([0, null]);
  expect(written).toEqual(steps.map((step, index) => [step, index === 0 || index === steps.length - 1]));
  expect(viewOf(history, startAt + readings * 1000).projects[0]?.cpuUsedSeconds).toBe(2);
  expect(readClosedPeriods(folder.file)).toHaveLength(2);
});

test('closing waits for its turn while another program writes', async () => {
  using folder = new HistoryFolder();
  folder.openListed([]);
  const other = new Database(folder.file);
  other.exec('BEGIN IMMEDIATE');
  const { exited, next, goOn } = closeElsewhere(folder.file);
  expect(await next()).toBe(steps[0]);
  for (const _ of steps) goOn();
  expect(readClosedPeriods(folder.file)).toEqual([]);
  other.exec('COMMIT');
  other.close();
  expect(await exited).toEqual([0, null]);
  expect(readClosedPeriods(folder.file)).toHaveLength(2);
});

test('killed at any step, it has closed all periods or none, and the history is whole', async () => {
  using folder = new HistoryFolder();
  let history = folder.openListed([]);
  for (const [index, step] of steps.entries()) {
    const { child, exited, next, goOn } = closeElsewhere(folder.file);
    for (let passed = 0; passed < index; passed += 1) {
      await next();
      goOn();
    }
    expect(await next()).toBe(step);
    child.kill('SIGKILL');
    await exited;
    expect([step, readClosedPeriods(folder.file).length]).toEqual([step, step === 'is committed' ? 2 : 0]);
    history = folder.reopen(history);
    history.commitOne(projectsReading(startAt + (index + 1) * day, []));
    const database = new Database(folder.file, { readonly: true });
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    database.close();
  }
});

test('of two that close the same period one is told so, and changes nothing', () => {
  using folder = new HistoryFolder();
  folder.openListed([]);
  recordClosed(folder.file, [closed(10)]);
  expect(() => recordClosed(folder.file, [closed(11), closed(10)])).toThrow(
    'it was closed meanwhile: list what is closed with close --list',
  );
  expect(readClosedPeriods(folder.file).map(({ fromAt }) => fromAt)).toEqual([Date.UTC(2026, 9)]);
});
