import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { BudgetLoans } from '../../src/api/pacing/request-budget.ts';
import { BudgetLending } from '../../src/daemon/budget-lending.ts';
import { SteadyClock } from '../../src/daemon/steady-clock.ts';
import { renderNote, type ShareNote } from '../../src/lending/share-note.ts';
import { createLogger } from '../../src/log/logger.ts';
import { ProblemLog } from '../../src/log/problem-log.ts';

/** Lending of shard 0 of 3 that needs nothing, on a clock that is moved by hand. */
function openLending(folder: string) {
  const lines: string[] = [];
  const log = createLogger({ level: 'info', format: 'logfmt', write: line => lines.push(line) });
  let [runningMs, hostMs] = [0, 0];
  const clock = new SteadyClock({ hostNow: () => hostMs, runningMs: () => runningMs });
  const used: BudgetLoans[] = [];
  const budget = {
    account: 'main',
    requestsPassed: () => 0,
    budgetPerMinute: () => 100,
    isSlowed: () => false,
    neededPerMinute: () => 0,
    useLoans: (loans: BudgetLoans) => void used.push(loans),
  };
  const lending = new BudgetLending(budget, {
    ...{ folder, clock, shard: { index: 0, count: 3 }, share: 100, ceiling: 300, turnMs: 5 },
    problems: new ProblemLog(log, clock),
  });
  onTestFinished(() => lending.close());
  const pass = (ms: number, hostGoesOnFor = ms) => {
    runningMs += ms;
    hostMs += hostGoesOnFor;
  };
  return { lending, used, pass, lines };
}

function openFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-lending-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = (index: number) => join(folder, `main.${index}-of-3.json`);
  return {
    folder,
    read: (index: number) => JSON.parse(readFileSync(path(index), 'utf8')) as ShareNote,
    write: (note: ShareNote) => writeFileSync(path(note.shard), renderNote(note)),
  };
}

const noteOf = (shard: number, more: Partial<ShareNote> = {}): ShareNote => ({
  ...{ shard, shards: 3, ceiling: 300, turn: `turn of ${shard}`, wanted: 0, lent: 0, loans: [] },
  ...more,
});

test('a shard that cannot know what it lent before does without it for a lease, and lends after that', async () => {
  const { folder, read, write } = openFolder();
  write(noteOf(1, { wanted: 500 }));
  const { lending, used, pass } = openLending(folder);
  expect(used).toEqual([{ lentPerMinute: 80, borrowedPerMinute: 0, borrowedUntil: 0 }]);
  await vi.waitFor(() => expect(read(0)).toMatchObject({ lent: 80, loans: [] }), 10_000);
  pass(22_000);
  await vi.waitFor(
    () => expect(read(0).loans).toEqual([{ to: 1, turn: 'turn of 1', perMinute: 80 }]),
    10_000,
  );
  expect(lending.state()).toEqual({ lent: 80, borrowed: 0 });
});

test('a shard borrows, and no more once its host has slept', async () => {
  const { folder, read, write } = openFolder();
  write(noteOf(0, { lent: 0 }));
  const { lending, pass } = openLending(folder);
  await vi.waitFor(() => expect(read(0).turn).not.toBe('turn of 0'), 10_000);
  const lend = () => write(noteOf(1, { loans: [{ to: 0, turn: read(0).turn, perMinute: 40 }] }));
  lend();
  await vi.waitFor(() => expect(lending.state()).toEqual({ lent: 0, borrowed: 40 }), 10_000);
  // The clock that leases are measured by stood still meanwhile.
  pass(0, 60_000);
  await vi.waitFor(() => expect(lending.state().borrowed).toBe(0), 10_000);
});

test('a shard that another process speaks for, too, lends nothing, and says so', async () => {
  const { folder, read, write } = openFolder();
  write(noteOf(0));
  write(noteOf(1, { wanted: 500 }));
  const { pass, lines, lending } = openLending(folder);
  await vi.waitFor(() => expect(read(0).turn).not.toBe('turn of 0'), 10_000);
  const other = setInterval(() => write(noteOf(0, { turn: 'of another process' })), 1);
  onTestFinished(() => clearInterval(other));
  await vi.waitFor(() => expect(lines.join('')).toContain('another process speaks for this shard'), 10_000);
  pass(30_000);
  await new Promise(resolve => setTimeout(resolve, 50));
  expect(lending.state().lent).toBe(0);
});

test('a folder that is gone is said once, and again when it is back', async () => {
  const { folder } = openFolder();
  rmSync(folder, { recursive: true });
  const { lending, lines, pass } = openLending(folder);
  const said =
    'the other shards cannot be told in collect.lending_folder: this one goes on with its own share';
  await vi.waitFor(() => expect(lines).toHaveLength(1), 10_000);
  expect(lines[0]).toContain(`level=warn`);
  expect(lines[0]).toContain(said);
  expect(lending.state()).toEqual({ lent: 80, borrowed: 0 });
  mkdirSync(folder);
  await vi.waitFor(() => expect(existsSync(join(folder, 'main.0-of-3.json'))).toBe(true), 10_000);
  pass(60_000);
  await vi.waitFor(() => expect(lines[1]).toContain('the other shards are told again'), 10_000);
});
