import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import type { History } from '../../src/history/history.ts';
import { HistoryFolder, viewOf } from '../support/history-folder.ts';
import {
  apiKeysReading,
  failedReading,
  minute,
  projectReading,
  projectsReading,
  startAt,
  wireProject,
} from '../support/reading-builder.ts';
import { linesOf, sampleValue } from '../support/sample-line.ts';

const projectIds = (history: History, now = startAt) =>
  viewOf(history, now).projects.map(({ project_id }) => project_id);
const two = [wireProject('a', { cpu_used_sec: 10 }), wireProject('b', { cpu_used_sec: 20 })];

describe('a collector', () => {
  const health = (history: History, collector: string) =>
    linesOf(viewOf(history, startAt), 'dbpm_collector').filter(
      line => line.includes(`"${collector}"`) && !(line.includes('_errors_') && line.endsWith(' 0')),
    );

  test('never tried has only its errors, born at 0, and the account neither up nor down', () => {
    using folder = new HistoryFolder();
    const view = viewOf(folder.open(), startAt);
    expect([view.up, view.authOk, view.cpuUsedSeconds]).toEqual([undefined, undefined, undefined]);
    const lines = linesOf(view, 'dbpm_collector');
    expect(lines).toHaveLength(48);
    expect(lines.every(line => /^dbpm_collector_errors_total\{.*\} 0$/.test(line))).toBe(true);
  });

  test('keeps the time of its last success when it fails, and counts why', () => {
    using folder = new HistoryFolder();
    const history = folder.open();
    history.record(projectsReading(startAt, two, { durationMs: 250 }));
    history.record(failedReading(startAt + minute, 'projects', 'rate_limited'));
    history.record(failedReading(startAt + minute, 'projects', 'rate_limited', undefined, 120));
    const expected = [
      'dbpm_collector_success{collector="projects"} 0',
      `dbpm_collector_last_success_timestamp_seconds{collector="projects"} ${startAt / 1000}`,
      'dbpm_collector_last_duration_seconds{collector="projects"} 0.12',
      'dbpm_collector_errors_total{collector="projects",reason="rate_limited"} 2',
    ];
    expect(health(history, 'projects')).toEqual(expected);
    expect(viewOf(history, startAt).up).toBe(false);
    expect(health(folder.reopen(history), 'projects')).toEqual(expected);
  });

  test('that is off counts for nothing, whatever is remembered of it', () => {
    using folder = new HistoryFolder();
    const history = folder.openListed(two);
    history.record(failedReading(startAt, 'api_keys', 'unauthorized'));
    expect(viewOf(history, startAt)).toMatchObject({ up: false, authOk: false });
    const without = folder.reopen(history, { collectors: ['projects', 'endpoints', 'operations'] });
    expect(viewOf(without, startAt)).toMatchObject({ up: true, authOk: true });
    expect(viewOf(without, startAt).collectors.map(({ collector }) => collector)).toEqual([
      'projects',
      'endpoints',
      'operations',
    ]);
  });

  test('that is off is not waited for by the refresh of a project', () => {
    using folder = new HistoryFolder();
    const lastRefreshAt = (history: History) => viewOf(history, startAt).projects[0]?.lastRefreshAt;
    const history = folder.openListed(two);
    history.record(projectReading(startAt + 1000, 'a', { endpoints: [] }));
    expect(lastRefreshAt(history)).toBeUndefined();
    const without = folder.reopen(history, { collectors: ['projects', 'endpoints'] });
    without.record(projectReading(startAt + 2000, 'a', { endpoints: [] }));
    expect(lastRefreshAt(without)).toBe(startAt + 2000);
  });

  test('succeeds though items were unusable, and counts those as malformed', () => {
    using folder = new HistoryFolder();
    const history = folder.openListed([...two, { id: null }, 'junk']);
    expect(projectIds(history)).toEqual(['a', 'b']);
    expect(health(history, 'projects')).toContain(
      'dbpm_collector_errors_total{collector="projects",reason="malformed"} 2',
    );
    expect(viewOf(history, startAt).up).toBe(true);
  });

  test('says how many projects the list calls unavailable once it called any so', () => {
    using folder = new HistoryFolder();
    const history = folder.openListed(two);
    const shown = () => linesOf(viewOf(history, startAt), 'dbpm_account_projects_unavailable');
    expect(shown()).toEqual([]);
    history.record({ ...projectsReading(startAt + minute, two), complete: false, unavailable: 3 });
    expect(shown()).toEqual(['dbpm_account_projects_unavailable{} 3']);
    history.record(projectsReading(startAt + 2 * minute, two));
    expect(shown()).toEqual(['dbpm_account_projects_unavailable{} 0']);
  });

  test('of many projects succeeds only while none of them fails', () => {
    using folder = new HistoryFolder();
    const history = folder.open();
    const succeeded = () =>
      sampleValue(viewOf(history, startAt), 'dbpm_collector_success{collector="endpoints"}');
    history.record(projectsReading(startAt, two));
    history.record(failedReading(startAt, 'endpoints', 'timeout', 'a'));
    history.record(projectReading(startAt, 'b', { endpoints: [] }));
    expect(succeeded()).toBe(0);
    history.record(projectReading(startAt, 'a', { endpoints: [] }));
    expect(succeeded()).toBe(1);
  });

  test('is not kept down by the failure of a project that is gone', () => {
    using folder = new HistoryFolder();
    const history = folder.openListed(two);
    history.record(failedReading(startAt, 'endpoints', 'timeout', 'a'));
    history.record(projectsReading(startAt + minute, two.slice(1)));
    history.record(failedReading(startAt + minute, 'endpoints', 'timeout', 'a'));
    history.record(projectReading(startAt + minute, 'b', { endpoints: [] }));
    expect(sampleValue(viewOf(history, startAt), 'dbpm_collector_success{collector="endpoints"}')).toBe(1);
  });

  test('is not kept down by a reading of a project that is gone, though it could not be written', () => {
    using folder = new HistoryFolder();
    const history = folder.openListed(two);
    history.record(projectsReading(startAt + minute, two.slice(1)));
    const other = new Database(folder.file);
    other.exec('BEGIN IMMEDIATE');
    expect(() => history.record(projectReading(startAt + minute, 'a', { endpoints: [] }))).toThrow(
      /could not be written/,
    );
    other.close();
    history.record(projectReading(startAt + minute, 'b', { endpoints: [] }));
    expect(sampleValue(viewOf(history, startAt), 'dbpm_collector_success{collector="endpoints"}')).toBe(1);
  });

  test('that gets 401 says that the key is not accepted, until it is; other failures say nothing of it', () => {
    using folder = new HistoryFolder();
    const history = folder.open();
    const authOk = () => viewOf(history, startAt).authOk;
    history.record(failedReading(startAt, 'projects', 'forbidden'));
    expect(authOk()).toBeUndefined();
    history.record(failedReading(startAt, 'projects', 'unauthorized'));
    history.record(failedReading(startAt, 'projects', 'timeout'));
    expect(authOk()).toBe(false);
    history.record(projectsReading(startAt, two));
    expect(authOk()).toBe(true);
  });

  test('that gets 401 keeps the key refused until it is accepted itself, whatever the others get', () => {
    using folder = new HistoryFolder();
    const history = folder.open();
    history.record(failedReading(startAt, 'api_keys', 'unauthorized'));
    history.record(projectsReading(startAt, two));
    expect(viewOf(history, startAt).authOk).toBe(false);
    const restarted = folder.reopen(history);
    expect(viewOf(restarted, startAt).authOk).toBe(false);
    restarted.record(apiKeysReading(startAt + minute, []));
    expect(viewOf(restarted, startAt).authOk).toBe(true);
  });

  test('that gets 401 for a project says nothing of the key: what the whole account says counts', () => {
    using folder = new HistoryFolder();
    const history = folder.openListed(two);
    const shown = (view = viewOf(history, startAt)) => ({
      authOk: view.authOk,
      endpoints: sampleValue(view, 'dbpm_collector_success{collector="endpoints"}'),
    });
    history.record(failedReading(startAt, 'endpoints', 'unauthorized', 'a'));
    expect(shown()).toEqual({ authOk: true, endpoints: 0 });
    history.record(failedReading(startAt + minute, 'projects', 'unauthorized'));
    history.record(projectReading(startAt + minute, 'a', { endpoints: [] }));
    expect(shown()).toEqual({ authOk: false, endpoints: 1 });
  });

  test('that got 401 for a project under an earlier version does not keep the key refused', () => {
    using folder = new HistoryFolder();
    const history = folder.openListed(two);
    history.record(failedReading(startAt, 'endpoints', 'unauthorized', 'a'));
    folder.close(history);
    const file = new Database(folder.file);
    file.exec("UPDATE collector SET auth_ok = 0 WHERE collector = 'endpoints'");
    file.close();
    expect(viewOf(folder.open(), startAt).authOk).toBe(true);
  });
});
