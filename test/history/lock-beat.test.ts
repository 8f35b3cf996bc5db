import { expect, onTestFinished, test, vi } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../src/history/file/database.ts';
import { LockBeat } from '../../src/history/file/lock-beat.ts';
import type { Takeover } from '../../src/history/file/owner.ts';
import { HistoryFolder } from '../support/history-folder.ts';

/** A daemon as far as it takes a history; all are of one process and one host, as in containers that share a host name. */
interface Holder {
  readonly beats: LockBeat;
  readonly database: OpenDatabase;
}

function hold(file: string, takeover?: Takeover): Holder {
  const beats = new LockBeat(file);
  const database = openDatabase(file, { beats: true, takeover });
  beats.noteTaken(database.ownerToken);
  onTestFinished(() => {
    beats.close();
    if (database.database.open) database.close();
  });
  return { beats, database };
}

/** Time that passes for all, until the test is over. */
function holdTime() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
}

test('a history is that of its daemon, whoever looks at it and however long it was stopped', () => {
  holdTime();
  using folder = new HistoryFolder();
  const { beats } = hold(folder.file);
  expect(beats.isOurs()).toBe(true);
  vi.advanceTimersByTime(10_000);
  expect(beats.isOurs()).toBe(true);
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
  expect(beats.isOurs()).toBe(true);
});

test('who was stopped is told from another one with the same process id and host name', () => {
  holdTime();
  using folder = new HistoryFolder();
  const { beats } = hold(folder.file);
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 6000);
  const other = hold(folder.file, 'held');
  expect(beats.isOurs()).toBe(false);
  expect(other.beats.isOurs()).toBe(true);
});

test('who goes on just before another one takes the history notices at once, without a write', () => {
  holdTime();
  using folder = new HistoryFolder();
  const { beats } = hold(folder.file);
  vi.advanceTimersByTime(3000);
  expect(beats.isOurs()).toBe(true);
  vi.advanceTimersByTime(300);
  const other = hold(folder.file, 'held');
  expect([beats.isOurs(), other.beats.isOurs()]).toEqual([false, true]);
  vi.advanceTimersByTime(10_000);
  expect([beats.isOurs(), other.beats.isOurs()]).toEqual([false, true]);
});

test('who lets the history go to take it anew, as for another configuration, may show meanwhile what was', () => {
  holdTime();
  using folder = new HistoryFolder();
  const before = hold(folder.file);
  before.database.close();
  before.beats.close();
  vi.advanceTimersByTime(300);
  const after = hold(folder.file);
  vi.advanceTimersByTime(5000);
  expect([before.beats.isOurs(), after.beats.isOurs()]).toEqual([true, true]);
});

test('who lost the history before it let it go never shows again what was', () => {
  holdTime();
  using folder = new HistoryFolder();
  const before = hold(folder.file);
  vi.advanceTimersByTime(300);
  hold(folder.file, 'held');
  before.beats.close();
  expect(before.beats.isOurs()).toBe(false);
});
