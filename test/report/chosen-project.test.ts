import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCsv } from '../support/csv-reader.ts';
import { SmallHistory } from './small-history.ts';

let small: SmallHistory;
beforeAll(() => {
  small = new SmallHistory();
});
afterAll(() => small[Symbol.dispose]());

async function read(line: string) {
  const report = await small.report(`${line} --format csv`);
  return readCsv(report.stdout).rows;
}

test('a report of one project has the rows that the report of all has for it, in each step and by endpoint', async () => {
  for (const line of ['usage --step day --by endpoint', 'operations']) {
    const all = await read(`${line} --period 2026-10`);
    const own = await read(`${line} --period 2026-10 --project main/p-shop`);
    const wanted = all.filter(({ project_id }) => project_id === 'p-shop');
    // A share is of what the report is of.
    const withoutShare = (rows: typeof own) => rows.map(({ share_percent: _, ...row }) => row);
    expect(own.length, line).toBeGreaterThan(0);
    expect(withoutShare(own), line).toEqual(withoutShare(wanted));
  }
  for (const line of ['cost --step day', 'cost --by endpoint']) {
    const all = await read(`${line} --period 2026-10`);
    const own = await read(`${line} --period 2026-10 --project main/p-shop`);
    expect(own, line).toEqual(all.filter(({ project_id }) => project_id === 'p-shop'));
  }
});

test('included hours of the account are shared out as if all projects were reported, and its charges are left out', async () => {
  const { stdout } = await small.report('cost --period 2026-10 --project main/p-shop');
  expect(stdout).toContain('main     p-shop   shop  5.46       40.00            4.00         36.00');
  expect(stdout).toContain(
    '- Base fees, minimums and other charges are of the account: they are in no cost of one project.',
  );
  expect(stdout).not.toContain('minimum charge');
});

test('gaps and unpriced hours are those of the project alone', async () => {
  const own = await small.report('cost --period 2026-10 --project main/p-stray');
  expect(own.exitCode).toBe(3);
  expect(own.stderr).toContain('2.00 compute hours are unpriced');
  const other = await small.report('cost --period 2026-10 --project main/p-dw');
  expect(other.stdout).not.toContain('unpriced: no plan');
});

test.each([
  ['usage --project main/p-nobody', '--project: there is no project "p-nobody" of account "main" in DIR/'],
  ['usage --project p-shop', '--project: "p-shop" is not written account/project_id, such as main/p-1'],
  ['usage --account main --project other/p', '--project: other/p is not of account "main": leave --account'],
  [
    'findings --project main/p-shop',
    '--project of report findings goes with --suspend-after or --min-cu: write one of them, or leave it out',
  ],
  ['cost --share --project main/p-shop', 'charges are of an account and not of a project: leave --project,'],
  [
    'cost --by line --project main/p-shop',
    'charges are of an account and not of a project: leave --project,',
  ],
])('%s is refused with what is possible', async (line, words) => {
  const { exitCode, stderr } = await small.report(line);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(words);
});

test('other settings of its endpoints are replayed in place of findings, and what cannot be is said', async () => {
  const { stdout, exitCode } = await small.report(
    'findings --period 2026-10 --project main/p-shop --min-cu 0.5 --suspend-after 60',
  );
  expect(exitCode).toBe(0);
  expect(stdout).toContain('Other settings, 2026-10: 2026-10-02 00:00 to 2026-11-01 00:00 (UTC), in EUR');
  expect(stdout).toContain('Nothing can be said of ep-1: when it is suspended now is not known.');
  const [sized] = await read('findings --period 2026-10 --project main/p-shop --min-cu 0.5');
  // Half of the size of 25 hours awake, at most: nothing shows that it is enough.
  expect(sized).toMatchObject({ endpoint_id: 'ep-1', min_cu: '1', more_wakes_per_day: '0.0', up_to: 'true' });
  expect(sized?.saved_hours_per_month).toBe('');
  expect(Number(sized?.most_saved_hours_per_month)).toBeCloseTo(Number(sized?.used_hours_per_month) / 2, 1);
});

test('other settings are those of one project', async () => {
  const { exitCode, stderr } = await small.report('findings --suspend-after 60');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('--suspend-after and --min-cu are for findings of one project: write report');
});
