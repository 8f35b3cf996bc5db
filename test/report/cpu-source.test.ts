import { expect, test } from 'vitest';
import { readReportHistories } from '../../src/history/merge/report-reading.ts';
import { describeCpuSources } from '../../src/report/coverage.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import { projectsReading, usageReading, wireProject } from '../support/reading-builder.ts';

const at = (text: string) => Date.parse(`2026-${text}:00Z`);

function describe(from: string, until: string, backAt?: string): readonly string[] | undefined {
  using folder = new HistoryFolder();
  const history = folder.open();
  history.commitOne(projectsReading(at('10-01T00:00'), [wireProject('p', { cpu_used_sec: 5 })]));
  const silent = projectsReading(at('10-10T12:00'), [wireProject('p', { cpu_used_sec: undefined })]);
  history.commitOne({ ...silent, cpuSource: 'project' });
  history.commitOne(usageReading(at('10-10T12:30'), 'p', { compute_time_seconds: 7 }));
  if (backAt !== undefined)
    history.commitOne(projectsReading(at(backAt), [wireProject('p', { cpu_used_sec: 6 })]));
  const span = { label: 'then', fromAt: at(from), untilAt: at(until), timezone: 'UTC' };
  return readReportHistories(
    [folder.file],
    accounts => accounts,
    past => describeCpuSources(past, span),
  );
}

test('a report says from when on compute was counted from each project, and only where it was', () => {
  expect(describe('10-01T00:00', '11-01T00:00')).toEqual([
    'From 2026-10-10 12:30 the compute of account main is counted from compute_time_seconds, which the service tells of each project, and not from cpu_used_sec in their list.',
  ]);
  expect(describe('10-01T00:00', '11-01T00:00', '10-20T00:00')).toEqual([
    'From 2026-10-10 12:30 until 2026-10-20 00:00 the compute of account main is counted from compute_time_seconds, which the service tells of each project, and not from cpu_used_sec in their list.',
  ]);
  expect(describe('10-01T00:00', '10-10T12:00')).toEqual([]);
  expect(describe('10-25T00:00', '11-01T00:00', '10-20T00:00')).toEqual([]);
});
