import { expect, test } from 'vitest';
import { readReportHistories } from '../../src/history/merge/report-reading.ts';
import type { ReportHistory } from '../../src/history/usage/report-history.ts';
import { describeCoverage } from '../../src/report/coverage.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import {
  projectGoneReading,
  projectReading,
  projectsReading,
  wireEndpoint,
  wireOperation,
  wireProject,
} from '../support/reading-builder.ts';

const at = (text: string) => Date.parse(`2026-${text}:00Z`);
const now = at('11-01T00:00');

/** An account with a project of October. */
function coverageOf(from: string, until: string, kept: Partial<ReportHistory['keptFromAt']> = {}) {
  using folder = new HistoryFolder();
  const history = folder.open();
  const list = (when: string, hours: number) => {
    const fields = { created_at: '2026-10-01T00:00:00Z', cpu_used_sec: hours * 3600 };
    history.commitOne(projectsReading(at(when), [wireProject('p', fields)]));
  };
  history.commitOne(projectsReading(at('09-30T00:00'), []));
  list('10-01T00:00', 0);
  list('10-10T00:00', 9);
  list('10-12T00:00', 1);
  const sizes = { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 1 };
  const endpoints = [wireEndpoint('ep-1', { ...sizes, created_at: '2026-10-01T00:00:00Z' })];
  const ended = (action: string, when: string) =>
    wireOperation(action, { action, created_at: when, updated_at: when });
  const operations = [
    ended('suspend_compute', '2026-10-11T00:00:00Z'),
    ended('start_compute', '2026-10-10T00:00:00Z'),
  ];
  history.commitOne(projectReading(at('10-12T00:00'), 'p', { endpoints, operations }));
  history.commitOne(projectGoneReading(at('10-20T00:00'), 'p'));
  history.commitOne(projectsReading(now, []));
  const span = { label: 'then', fromAt: at(from), untilAt: at(until), timezone: 'UTC' };
  return readReportHistories(
    [folder.file],
    accounts => accounts,
    past => describeCoverage({ ...past, keptFromAt: { ...past.keptFromAt, ...kept } }, span, now),
  );
}

test('a period that is all known and over has nothing to be said of it', () => {
  expect(coverageOf('10-01T00:00', '10-09T00:00')).toEqual({ gaps: [], notes: [] });
});

test('borders within what is kept by hour or day alone are told', () => {
  const kept = { samples: at('10-08T00:00'), hours: at('10-04T00:00') };
  expect(coverageOf('10-02T00:00', '10-06T05:00', kept)?.gaps).toEqual([]);
  expect(coverageOf('10-02T05:00', '10-06T05:30', kept)?.gaps).toEqual([
    'Around 2026-10-02 05:00 use is kept by day alone: what of that day was used before and after it is estimated, as if it had been used evenly.',
    'Around 2026-10-06 05:30 use is kept by hour alone: what of that hour was used before and after it is estimated, as if it had been used evenly.',
  ]);
  expect(coverageOf('10-02T00:00', '10-06T00:00', { ...kept, days: at('10-03T00:00') })?.gaps).toEqual([
    'Use is kept only from 2026-10-03 00:00 on.',
  ]);
});

test('an account that was read and has no projects is all known', () => {
  using folder = new HistoryFolder();
  folder.open().commitOne(projectsReading(now, []));
  const span = { label: 'then', fromAt: at('10-01T00:00'), untilAt: now, timezone: 'UTC' };
  const coverage = readReportHistories(
    [folder.file],
    accounts => accounts,
    past => describeCoverage(past, span, now),
  );
  expect(coverage).toEqual({ gaps: [], notes: ['Account main has no projects.'] });
});
