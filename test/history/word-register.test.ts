import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { History } from '../../src/history/history.ts';
import { HistoryFolder, viewOf } from '../support/history-folder.ts';
import {
  projectReading,
  startAt,
  wireEndpoint,
  wireOperation,
  wireProject,
} from '../support/reading-builder.ts';
import { linesOf, sampleValue } from '../support/sample-line.ts';

/** Reads operations of these actions, the last the newest, with ids of their own. */
function readActions(history: History, actions: readonly string[], status = 'finished'): void {
  const operations = actions.map(action => wireOperation(`${action} ${status}`, { action, status }));
  history.record(projectReading(startAt, 'p', { operations: operations.reverse() }));
}
function watching(folder: HistoryFolder): History {
  const history = folder.openListed([wireProject('p')]);
  return history;
}
const fifty = Array.from({ length: 50 }, (_, index) => `word_${index}`);
const count = (history: History, action: string) =>
  sampleValue(
    viewOf(history, startAt),
    `dbpm_operations_total{project_id="p",action="${action}",status="finished"}`,
  );

test('the 51st distinct word of a kind becomes other, known ones pass, also after a restart', () => {
  using folder = new HistoryFolder();
  const history = watching(folder);
  readActions(history, [...fifty, 'word_50', 'word_51', 'apply_config']);
  const shown = (from: History) =>
    ['word_0', 'word_49', 'word_50', 'word_51', 'other', 'apply_config'].map(word => count(from, word));
  expect(shown(history)).toEqual([1, 1, undefined, undefined, 2, 1]);
  const restarted = folder.reopen(history);
  expect(shown(restarted)).toEqual([1, 1, undefined, undefined, 2, 1]);
  readActions(restarted, ['word_52', 'start_compute']);
  expect(shown(restarted)).toEqual([1, 1, undefined, undefined, 3, 1]);
  expect(count(restarted, 'start_compute')).toBe(1);
});

test('words of operations under way that became the same label are one sample', () => {
  using folder = new HistoryFolder();
  const history = watching(folder);
  readActions(history, [...fifty, 'word_50', 'word_51'], 'brewing');
  expect(
    linesOf(viewOf(history, startAt), 'dbpm_operations_in_progress').filter(line => line.includes('other')),
  ).toEqual(['dbpm_operations_in_progress{project_id="p",action="other",status="brewing"} 2']);
});

test('states, actions and statuses are kinds of their own', () => {
  using folder = new HistoryFolder();
  const history = watching(folder);
  readActions(history, fifty);
  const endpoints = [wireEndpoint('ep-1', { current_state: 'warming', pending_state: 'glowing' })];
  history.record(projectReading(startAt, 'p', { endpoints }));
  expect(viewOf(history, startAt).projects[0]?.endpoints[0]).toMatchObject({
    current_state: 'warming',
    pending_state: 'glowing',
  });
});

test('the 51st state becomes other, and exactly one state is 1', () => {
  using folder = new HistoryFolder();
  const history = watching(folder);
  const endpoints = [...fifty, 'word_50'].map(current_state =>
    wireEndpoint(current_state, { current_state }),
  );
  history.record(projectReading(startAt, 'p', { endpoints, operations: [] }));
  const lines = linesOf(viewOf(history, startAt), 'dbpm_endpoint_state{');
  expect(lines.filter(line => line.includes('endpoint_id="word_50"') && line.endsWith(' 1'))).toEqual([
    'dbpm_endpoint_state{project_id="p",endpoint_id="word_50",state="other"} 1',
  ]);
});

test('a word of a reading that was rolled back takes no place', () => {
  using folder = new HistoryFolder();
  const history = watching(folder);
  const other = new Database(folder.file);
  other.exec(`CREATE TRIGGER full BEFORE INSERT ON operation BEGIN SELECT raise(ABORT, 'full'); END`);
  const lost = fifty.map(word => `lost ${word}`);
  expect(() => readActions(history, lost, 'running')).toThrow('(full)');
  other.exec('DROP TRIGGER full');
  other.close();
  readActions(history, fifty);
  expect(fifty.map(word => count(history, word))).toEqual(fifty.map(() => 1));
  expect(count(history, 'other')).toBeUndefined();
});
