import { expect, onTestFinished, test } from 'vitest';
import type { History } from '../../src/history/history.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import {
  projectGoneReading,
  projectReading,
  projectsReading,
  wireEndpoint,
  wireOperation,
  wireProject,
} from '../support/reading-builder.ts';
import { runReport } from '../support/report-run.ts';

const at = (text: string) => Date.parse(`2026-${text}:00Z`);
const created_at = '2026-10-01T00:00:00Z';
const now = at('11-01T00:00');

const config = `
usage: {timezone: Europe/Berlin}
pricing:
  currency: USD
  plans:
    - name: all
      included: {compute_hours: 1000, per: account}
      prices:
        - {from: 2026-01-01, per_compute_hour: 0.1}
        - {from: 2026-10-11, per_compute_hour: 0.16}
`;

/** A history of October that a test fills, and the reports of it. */
function openAccount() {
  const folder = new HistoryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const history = folder.open();
  const report = async (line: string) => {
    const made = await runReport(line, { file: folder.file, now, config });
    return { ...made, notes: made.stdout.split('\n').filter(text => text.startsWith('- ')) };
  };
  return { folder, history, report };
}

function list(history: History, when: string, hoursById: Readonly<Record<string, number>>): void {
  const items = Object.entries(hoursById).map(([id, hours]) =>
    wireProject(id, { name: `the ${id}`, created_at, cpu_used_sec: hours * 3600 }),
  );
  history.commitOne(projectsReading(at(when), items));
}

/** @param awake begin and end of its only time awake. */
function read(history: History, when: string, id: string, awake?: readonly [string, string]): void {
  const sizes = { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 1 };
  const ended = (action: string, instant: string) =>
    wireOperation(`${action}-${id}`, {
      action,
      endpoint_id: `ep-${id}`,
      created_at: `2026-${instant}:00Z`,
      updated_at: `2026-${instant}:00Z`,
    });
  const [from, until] = awake ?? [];
  const operations =
    from === undefined || until === undefined
      ? []
      : [ended('suspend_compute', until), ended('start_compute', from)];
  const endpoints = [wireEndpoint(`ep-${id}`, { ...sizes, created_at, current_state: 'idle' })];
  history.commitOne(projectReading(at(when), id, { endpoints, operations }));
}

/** Projects that were awake for all of October 10 and whose counters have an hour of it: they were set back. */
function setBack(history: History, ids: readonly string[]): void {
  const all = (hours: number) => Object.fromEntries(ids.map(id => [id, hours]));
  history.commitOne(projectsReading(at('09-30T00:00'), []));
  list(history, '10-01T00:00', all(0));
  list(history, '10-10T00:00', all(9));
  list(history, '10-12T00:00', all(1));
  for (const id of ids) read(history, '10-12T00:00', id, ['10-10T00:00', '10-11T00:00']);
  list(history, '11-01T00:00', all(1));
  for (const id of ids) read(history, '11-01T00:00', id);
}

test('a counter that was set back while nobody watched leaves a gap with its project, time and bound', async () => {
  const { history, report } = openAccount();
  setBack(history, ['p']);
  const usage = await report('usage --period 2026-10-05..2026-10-15');
  const sentence =
    'The counter of project the p (p) of account main was reset while it was not read: what it used between 2026-10-10 02:00 and 2026-10-11 01:00 is not known, at most 23.00 compute hours.';
  expect(usage.exitCode).toBe(3);
  expect(usage.notes[0]).toBe(`- ${sentence}`);
  expect(usage.stderr).toContain(`partial: ${sentence}\n`);
  const cost = await report('cost --period 2026-10-05..2026-10-15 --format json');
  expect(JSON.parse(cost.stdout)).toMatchObject({
    partial: true,
    notes: [
      'The counter of project the p (p) of account main was reset while it was not read: what it used between 2026-10-10 02:00 and 2026-10-11 01:00 is not known, at most 23.00 compute hours, 2.30 USD.',
    ],
    gaps: [
      {
        kind: 'counter_reset',
        account: 'main',
        project_id: 'p',
        project_name: 'the p',
        from: '2026-10-10T00:00:00Z',
        until: '2026-10-10T23:00:00Z',
        compute_hours_at_most: '23.00',
        cost_at_most: '2.30',
      },
    ],
  });
  const part = await report('usage --period 2026-10-10T12:00:00Z..2026-10-10T18:00:00Z');
  expect(part.notes[0]).toContain('between 2026-10-10 14:00 and 2026-10-10 20:00 is not known, at most 6.00');
  const rest = await report('usage --period 2026-10-12..2026-10-15 --format json');
  expect(rest.exitCode).toBe(0);
  expect(JSON.parse(rest.stdout)).toMatchObject({ gaps: [] });
});

test('of many gaps the largest are named and the others counted', async () => {
  const { history, report } = openAccount();
  setBack(history, ['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  const { notes } = await report('cost --period 2026-10-05..2026-10-15');
  expect(notes.slice(0, 6)).toEqual([
    ...['a', 'b', 'c', 'd', 'e'].map(id =>
      expect.stringContaining(`The counter of project the ${id} (${id})`),
    ),
    '- The counters of 2 more projects were reset while they were not read: what they used just before, between 2026-10-10 02:00 and 2026-10-11 01:00, is not known, at most 46.00 compute hours, 4.60 USD together.',
  ]);
});

test('a project that was deleted while nobody watched may have used compute until then', async () => {
  const { folder, history, report } = openAccount();
  history.commitOne(projectsReading(at('09-30T00:00'), []));
  list(history, '10-01T00:00', { p: 0, q: 0 });
  read(history, '10-01T00:00', 'p');
  list(history, '10-10T00:00', { p: 0, q: 0 });
  const next = folder.reopen(history);
  // Down for a day; the size is 1, and the price rose at midnight.
  list(next, '10-11T12:00', { q: 0 });
  list(next, '11-01T00:00', { q: 0 });
  const cost = await report('cost --period 2026-10-02..2026-10-31');
  expect(cost.exitCode).toBe(3);
  expect(cost.notes[0]).toBe(
    '- Project the p (p) of account main was deleted after it was last read: what it used between 2026-10-10 02:00 and 2026-10-11 14:00 is not known, at most 36.00 compute hours, 5.76 USD.',
  );
});

test('a project that was deleted between two readings of every day has a note, no gap', async () => {
  const { history, report } = openAccount();
  history.commitOne(projectsReading(at('09-30T00:00'), []));
  list(history, '10-01T00:00', { p: 0, q: 1 });
  read(history, '10-01T00:00', 'p');
  list(history, '10-10T00:00', { p: 0, q: 1 });
  history.commitOne(projectGoneReading(at('10-10T00:10'), 'p'));
  list(history, '11-01T00:00', { q: 1 });
  const usage = await report('usage --period 2026-10-02..2026-10-31');
  expect(usage.exitCode).toBe(0);
  expect(usage.notes).toContain(
    '- Project the p (p) of account main was deleted after it was last read: what it used between 2026-10-10 02:00 and 2026-10-10 02:10 is not known, at most 0.17 compute hours.',
  );
});

test('a project that was deleted without a size being known of it has a gap without a bound', async () => {
  const { folder, history, report } = openAccount();
  history.commitOne(projectsReading(at('09-30T00:00'), []));
  list(history, '10-01T00:00', { p: 3, q: 1 });
  const next = folder.reopen(history);
  list(next, '10-11T12:00', { q: 1 });
  list(next, '11-01T00:00', { q: 1 });
  const usage = await report('usage --period 2026-10-02..2026-10-31 --format json');
  expect(usage.exitCode).toBe(3);
  expect(JSON.parse(usage.stdout)).toMatchObject({
    notes: expect.arrayContaining([
      'Project the p (p) of account main was deleted after it was last read: what it used between 2026-10-02 00:00 and 2026-10-11 14:00 is not known, nor how much at most.',
    ]),
    gaps: [{ kind: 'project_deleted', project_id: 'p', compute_hours_at_most: null }],
  });
});

test('of a project that moved to another account it is said where it moved, and that its use is counted there', async () => {
  const folder = new HistoryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const history = folder.open({ accounts: ['main', 'other'] });
  const commit = (account: string, when: string, hours?: number) => {
    const items =
      hours === undefined
        ? []
        : [wireProject('p', { name: 'the p', created_at, cpu_used_sec: hours * 3600 })];
    history.commitOne({ ...projectsReading(at(when), items), account });
  };
  commit('other', '10-01T00:00');
  commit('main', '10-01T00:00', 0);
  commit('main', '10-10T00:00', 9);
  commit('main', '10-10T12:00');
  commit('main', '10-10T12:10');
  commit('other', '10-10T13:00', 15);
  for (const account of ['main', 'other'])
    commit(account, '11-01T00:00', account === 'main' ? undefined : 20);
  const ask = async (what: string) => {
    const { stdout } = await runReport(`${what} --format json`, { file: folder.file, now, config: '' });
    return JSON.parse(stdout);
  };
  const { notes, gaps, totals } = await ask('usage --period 2026-10');
  expect(notes).toContain(
    'Project the p (p) of account main moved to account other after it was last read: what it used between 2026-10-10 00:00 and 2026-10-10 12:00 is counted there.',
  );
  expect(gaps).toMatchObject([
    { kind: 'project_deleted', account: 'main', project_id: 'p', moved_to: 'other' },
  ]);
  expect(totals).toMatchObject({ compute_hours: '20.00' });
  expect(await ask('usage --period 2026-10 --account main')).toMatchObject({ partial: false });
});
