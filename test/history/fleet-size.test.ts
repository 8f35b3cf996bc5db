import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readKnownFleets } from '../../src/history/fleet/fleet-size.ts';
import type { History } from '../../src/history/history.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import {
  apiKeysReading,
  minute,
  projectGoneReading,
  projectReading,
  projectsReading,
  startAt,
  wireEndpoint,
  wireKey,
  wireOperation,
  wireProject,
} from '../support/reading-builder.ts';

/** Four projects: idle with two endpoints, awake, idle with a running operation, and gone. */
function recordFleet(history: History): void {
  const projects = ['idle', 'awake', 'working', 'gone'].map(id => wireProject(id));
  const running = wireOperation('op-1', { status: 'running', updated_at: '2026-11-21T09:00:00Z' });
  const starting = wireEndpoint('ep-3', { current_state: 'idle', pending_state: 'active' });
  const stopped = wireEndpoint('ep-2', { current_state: 'stopped' });
  history.record(projectsReading(startAt, projects));
  history.record(apiKeysReading(startAt, [wireKey(1), wireKey(2)]));
  const read = (id: string, endpoints: readonly unknown[], operations: readonly unknown[] = []) =>
    history.record(projectReading(startAt + minute, id, { endpoints, operations }));
  read('idle', [wireEndpoint('ep-1'), stopped]);
  read('awake', [starting]);
  read('working', [wireEndpoint('ep-4')], [running]);
  read('gone', [wireEndpoint('ep-5', { current_state: 'active' })]);
  history.record(projectGoneReading(startAt + 2 * minute, 'gone'));
}

const known = { projects: 3, endpoints: 4, busyProjects: 2, apiKeys: 2, operationsPerDay: 1 };

describe('the fleet a history knows', () => {
  test('is what is there, not what is gone, by account; an account never read is not among them', () => {
    using folder = new HistoryFolder();
    const history = folder.open({ accounts: ['main', 'never-read'] });
    recordFleet(history);
    folder.close(history);
    expect(readKnownFleets(folder.file)).toEqual(new Map([['main', known]]));
  });

  test.each([
    { what: 'the days that are known', hours: 72, perDay: 13 / 3 },
    { what: 'a week where more is known', hours: 300, perDay: 4 },
    { what: 'a day where less is known', hours: 18, perDay: 4 },
  ])('has its operations counted over $what', ({ hours, perDay }) => {
    using folder = new HistoryFolder();
    const history = folder.open();
    history.record(projectsReading(startAt, [wireProject('busy')]));
    const operations = Array.from({ length: hours / 6 + 1 }, (_, index) => {
      const created_at = new Date(startAt - index * 360 * minute).toISOString();
      return wireOperation(`op-${index}`, { status: 'finished', created_at, updated_at: created_at });
    });
    history.record(projectReading(startAt, 'busy', { endpoints: [], operations }));
    folder.close(history);
    expect(readKnownFleets(folder.file).get('main')?.operationsPerDay).toBeCloseTo(perDay);
  });

  test('is read while a daemon writes, which goes on undisturbed', () => {
    using folder = new HistoryFolder();
    const history = folder.open();
    recordFleet(history);
    const files = readdirSync(folder.path);
    expect(readKnownFleets(folder.file)).toEqual(new Map([['main', known]]));
    expect(readdirSync(folder.path)).toEqual(files);
    history.record(apiKeysReading(startAt + 3 * minute, [wireKey(1)]));
    expect(readKnownFleets(folder.file)).toEqual(new Map([['main', { ...known, apiKeys: 1 }]]));
  });

  test('is read without a trace: no file appears, none changes, also when a killed daemon left its log', () => {
    using folder = new HistoryFolder();
    const history = folder.open();
    recordFleet(history);
    using killed = new HistoryFolder();
    for (const suffix of ['', '-wal', '-shm']) copyFileSync(folder.file + suffix, killed.file + suffix);
    folder.close(history);
    for (const file of [folder.file, killed.file]) {
      const before = readAll(dirname(file));
      expect(readKnownFleets(file)).toEqual(new Map([['main', known]]));
      expect(readAll(dirname(file))).toEqual(before);
    }
  });

  test('is empty where there is no history yet, and nothing is created', () => {
    using folder = new HistoryFolder();
    expect(readKnownFleets(folder.file)).toEqual(new Map());
    writeFileSync(folder.file, '');
    expect(readKnownFleets(folder.file)).toEqual(new Map());
    expect(readdirSync(folder.path)).toEqual(['dbpm.sqlite']);
  });

  test('cannot be told from a file that is no history', () => {
    using folder = new HistoryFolder();
    writeFileSync(folder.file, 'not a database, though as long as a header of one would be'.repeat(20));
    expect(() => readKnownFleets(folder.file)).toThrow(
      `${folder.file} cannot be used as a history (file is not a database): restore it from a backup or choose another file`,
    );
  });
});

/** What is on disk but for the shared memory, which every reader marks. */
function readAll(folder: string): Record<string, string> {
  const names = readdirSync(folder).sort();
  return Object.fromEntries(
    names.map(name => [name, name.endsWith('-shm') ? '' : readFileSync(join(folder, name), 'base64')]),
  );
}
