import { expect, test } from 'vitest';
import { HistoryFolder, viewOf } from '../support/history-folder.ts';
import {
  instant,
  minute,
  projectReading,
  projectsReading,
  startAt,
  type WireItem,
  wireOperation,
} from '../support/reading-builder.ts';
import { linesOf, sampleValue } from '../support/sample-line.ts';

const hour = 60 * minute;
const created_at = instant(startAt - hour);
const updated_at = instant(startAt - hour + 2000);

function read(operations: readonly WireItem[]) {
  const folder = new HistoryFolder();
  const history = folder.open();
  history.record(projectsReading(startAt, [{ id: 'p' }]));
  history.record(projectReading(startAt, 'p', { endpoints: [], operations }));
  return { folder, history };
}

const durations = (operations: readonly WireItem[]) => {
  const { folder, history } = read(operations);
  using _ = folder;
  const value = (part: string) =>
    sampleValue(viewOf(history, startAt), `dbpm_operation_duration_seconds_${part}{action="start_compute"}`);
  return { count: value('count'), sum: value('sum') };
};

test('a duration is as exact as the service measured it, and whole seconds where it did not', () => {
  const operation = wireOperation('a', { created_at, updated_at });
  expect(durations([operation])).toEqual({ count: 1, sum: 2 });
  expect(durations([{ ...operation, total_duration_ms: 1234 }])).toEqual({ count: 1, sum: 1.234 });
});

test('a duration longer than the operation exists is lost, and its instants count', () => {
  const { folder, history } = read([
    wireOperation('a', { created_at, updated_at, total_duration_ms: 3 * hour }),
    wireOperation('b', { created_at, updated_at, total_duration_ms: 'long' }),
  ]);
  using _ = folder;
  const view = viewOf(history, startAt);
  expect(sampleValue(view, 'dbpm_operation_duration_seconds_sum{action="start_compute"}')).toBe(4);
  expect(linesOf(view, 'dbpm_account_lost_fields_total')).toEqual([
    'dbpm_account_lost_fields_total{field="total_duration_ms"} 2',
  ]);
});

test('the next attempt at an operation is shown while it has not ended', () => {
  const retry_at = instant(startAt + minute);
  const waiting = wireOperation('a', { status: 'running', retry_at });
  const later = wireOperation('b', { status: 'running', retry_at: instant(startAt + hour) });
  const { folder, history } = read([later, waiting]);
  using _ = folder;
  const shown = () => linesOf(viewOf(history, startAt), 'dbpm_operation_next_retry_timestamp_seconds');
  expect(shown()).toEqual([
    `dbpm_operation_next_retry_timestamp_seconds{project_id="p"} ${startAt / 1000 + 60}`,
  ]);
  const ended = [wireOperation('b', { retry_at }), wireOperation('a', { retry_at })];
  history.record(projectReading(startAt, 'p', { endpoints: [], operations: ended }));
  expect(shown()).toEqual([]);
});

test('fields of the specification alone name no metric of later versions', () => {
  const { folder, history } = read([wireOperation('a', { status: 'running' }), wireOperation('b')]);
  using _ = folder;
  const view = viewOf(history, startAt);
  expect(linesOf(view, 'dbpm_operation_next_retry')).toEqual([]);
  expect(linesOf(view, 'dbpm_account_lost_fields')).toEqual([]);
});
