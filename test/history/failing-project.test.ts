import { expect, test } from 'vitest';
import { HistoryFolder, viewOf } from '../support/history-folder.ts';
import {
  failedReading,
  minute,
  projectReading,
  projectsReading,
  startAt,
} from '../support/reading-builder.ts';
import { linesOf } from '../support/sample-line.ts';

test('how many projects a collector fails at, and since when, is shown until it does not', () => {
  using folder = new HistoryFolder();
  const history = folder.openListed([{ id: 'p' }, { id: 'q' }, { id: 'r' }]);
  const at = (minutes: number) => startAt + minutes * minute;
  const shown = () => linesOf(viewOf(history, at(30)), 'dbpm_collector_failing');
  const read = { endpoints: [], operations: [] };
  for (const id of ['p', 'q', 'r']) history.record(projectReading(at(0), id, read));
  expect(shown()).toEqual([]);
  history.record(failedReading(at(1), 'endpoints', 'unauthorized', 'p'));
  history.record(failedReading(at(6), 'endpoints', 'unauthorized', 'p'));
  history.record(failedReading(at(7), 'endpoints', 'locked', 'q'));
  history.record(failedReading(at(8), 'operations', 'timeout', 'r'));
  expect(shown()).toEqual([
    'dbpm_collector_failing_projects{collector="endpoints"} 2',
    'dbpm_collector_failing_projects{collector="operations"} 1',
    `dbpm_collector_failing_since_timestamp_seconds{collector="endpoints"} ${at(1) / 1000}`,
    `dbpm_collector_failing_since_timestamp_seconds{collector="operations"} ${at(8) / 1000}`,
  ]);
  history.record(projectReading(at(9), 'p', read));
  history.record(projectReading(at(9), 'r', read));
  expect(shown()).toEqual([
    'dbpm_collector_failing_projects{collector="endpoints"} 1',
    `dbpm_collector_failing_since_timestamp_seconds{collector="endpoints"} ${at(7) / 1000}`,
  ]);
  // A list that fails is no project, nor is one that leaves projects out.
  history.record(failedReading(at(10), 'projects', 'timeout'));
  history.record(projectsReading(at(10), [{ id: 'p' }], { complete: false }));
  history.record(projectReading(at(11), 'q', read));
  expect(shown()).toEqual([]);
});
