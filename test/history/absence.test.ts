import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openReportHistory } from '../../src/history/usage/report-history.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import { day, minute, projectsReading, startAt, wireProject } from '../support/reading-builder.ts';

test('what a project used while others watched it was not all used since the last list, which did not have it', () => {
  using folder = new HistoryFolder();
  const own = wireProject('own');
  const lent = (cpu_used_sec: number) => wireProject('lent', { cpu_used_sec });
  const first = folder.open();
  first.record(projectsReading(startAt, [own, lent(100)]));
  const second = folder.reopen(first);
  second.record(projectsReading(startAt + minute, [own]));
  second.record(projectsReading(startAt + day, [own]));
  const third = folder.reopen(second);
  third.record(projectsReading(startAt + day + minute, [own, lent(50_000)]));
  folder.close(third);
  const database = new Database(folder.file, { readonly: true });
  const { usage } = openReportHistory(database, ['main']);
  const project_ref = usage.projects.find(({ project_id }) => project_id === 'lent')?.project_ref ?? 0;
  const usedAfter = (ms: number) =>
    usage.usedUntil(project_ref, startAt + day + minute) - usage.usedUntil(project_ref, startAt + ms);
  expect(usedAfter(0)).toBe(49_900_000);
  // Evenly, as nothing tells when it was awake.
  expect(usedAfter(day / 2) / usedAfter(0)).toBeCloseTo(0.5, 2);
  database.close();
});
