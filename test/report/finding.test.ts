import { expect, test } from 'vitest';
import { readCsv } from '../support/csv-reader.ts';
import { followedSeconds, liveFollowedFinding } from '../support/followed-finding.ts';
import { LivedHistory } from '../support/lived-history.ts';
import { runReport } from '../support/report-run.ts';

const prices =
  'pricing: {currency: EUR, plans: [{name: all, prices: [{from: 2026-01-01, per_compute_hour: "0.5"}]}]}\n';

const reportFindings = (life: LivedHistory, flags: readonly string[], config = prices) =>
  runReport(['findings', ...flags], { file: life.folder.file, now: life.now, config });

test('findings are listed by what they cost, also beside the daemon that writes, and add up by account', async () => {
  using life = new LivedHistory({ now: Date.UTC(2026, 9, 1) / 1000, seed: 21, projects: 8, historyDays: 30 });
  life.watch(3 * 86_400, { listEverySeconds: 1800, projectsEvery: 1 });
  const { exitCode, stdout, stderr } = await reportFindings(life, ['--format', 'csv']);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const { rows } = readCsv(stdout);
  expect(rows.length).toBeGreaterThan(2);
  for (const each of rows) {
    for (const [hours, cost] of [
      [each.compute_hours_per_month, each.cost_per_month],
      [each.most_compute_hours_per_month, each.most_cost_per_month],
    ]) {
      expect(Math.abs(Number(cost) - Number(hours) * 0.5)).toBeLessThan(0.02);
    }
    expect(Number(each.cost_per_month)).toBeLessThanOrEqual(Number(each.most_cost_per_month));
    expect(each.up_to).toBe(String(each.cost_per_month === '' && each.most_cost_per_month !== ''));
  }
  const advised = rows.filter(row => row.advised_delay_seconds !== '');
  expect(advised.map(row => row.advice)).toEqual(
    advised.map(row => `Set its auto-suspend delay to ${Number(row.advised_delay_seconds) / 60} minutes.`),
  );
  expect(advised.length).toBeGreaterThan(0);
  const figures = rows.map(row => Number(row.cost_per_month || row.most_cost_per_month));
  expect(figures).toEqual(figures.toSorted((a, b) => b - a));
  const sum = (key: string) =>
    (rows.reduce((total, row) => total + Math.round(Number(row[key]) * 100), 0) / 100).toFixed(2);
  const byAccount = readCsv((await reportFindings(life, ['--by', 'account', '--format', 'csv'])).stdout).rows;
  expect(byAccount).toHaveLength(1);
  expect(byAccount[0]).toMatchObject({
    account: 'main',
    findings: String(rows.length),
    cost_per_month: sum('cost_per_month'),
    most_cost_per_month: sum('most_cost_per_month'),
  });

  const table = (await reportFindings(life, [])).stdout.split('\n');
  expect(table[4]).toContain(`${rows[0]?.kind?.replaceAll('_', ' ')}  `);
  expect(table.slice(5, 7)).toEqual([`    ${rows[0]?.evidence}`, `    ${rows[0]?.advice}`]);
  const free = await reportFindings(life, ['--format', 'json'], '');
  expect(JSON.parse(free.stdout).rows[0]).not.toHaveProperty('cost_per_month');
});

test('findings of an account that was not read for two days are those of its last reading', async () => {
  using life = new LivedHistory({ now: Date.UTC(2026, 9, 1) / 1000, seed: 21, projects: 8, historyDays: 30 });
  life.watch(3 * 86_400, { listEverySeconds: 1800, projectsEvery: 1 });
  const findAt = async (now: number) => {
    const flags = ['findings', '--format', 'csv'];
    const { rows } = readCsv(
      (await runReport(flags, { file: life.folder.file, now, config: prices })).stdout,
    );
    return rows.map(({ kind, endpoint_id, most_compute_hours_per_month, cost_per_month, evidence }) => {
      return { kind, endpoint_id, most_compute_hours_per_month, cost_per_month, evidence };
    });
  };
  const then = await findAt(life.now);
  expect(then.length).toBeGreaterThan(2);
  expect(await findAt(life.now + 2 * 86_400)).toEqual(then);
});

test('findings of an account that pays nothing beyond its minimum save hours and no money', async () => {
  using life = new LivedHistory({
    now: Date.UTC(2026, 9, 1) / 1000,
    seed: 21,
    projects: 4,
    showcase: true,
    historyDays: 30,
  });
  life.watch(3600, { listEverySeconds: 1800, projectsEvery: 1 });
  const config = prices.replace('prices:', 'minimum: 100000, prices:');
  const { exitCode, stdout } = await reportFindings(life, ['--format', 'csv'], config);
  const { rows } = readCsv(stdout);
  expect(exitCode).toBe(0);
  expect(rows.length).toBeGreaterThan(2);
  const known = rows.filter(({ most_compute_hours_per_month }) => most_compute_hours_per_month !== '');
  expect(known.length).toBeGreaterThan(2);
  expect(new Set(known.map(({ most_cost_per_month }) => most_cost_per_month))).toEqual(new Set(['0.00']));
});

test('a finding that was followed is told as done, with what it saves, and no longer as open', async () => {
  using life = liveFollowedFinding();
  const { exitCode, stdout } = await reportFindings(life, ['--done', '--format', 'csv']);
  const { rows } = readCsv(stdout);
  expect(exitCode).toBe(0);
  expect(rows).toHaveLength(1);
  const [done] = rows;
  expect(done).toMatchObject({ kind: 'never_suspends', project_name: 'pooled-backend' });
  expect(Math.abs(Date.parse(done?.done_at ?? '') / 1000 - followedSeconds)).toBeLessThanOrEqual(
    1.5 * 86_400,
  );
  expect(done?.evidence).toBe(
    'It used 48 compute hours a day in the 28 days from 2026-09-03 to 2026-10-01, and 2.8 compute hours a day in the 14 days from 2026-10-03 to 2026-10-17. Before: It was awake 100% of 28 days. What used it in that time is not known.',
  );
  // When it was used had not been seen: nothing was claimed.
  expect([done?.claimed_compute_hours_per_month, done?.most_claimed_compute_hours_per_month]).toEqual([
    '',
    '',
  ]);
  const hours = Number(done?.saved_compute_hours_per_month);
  expect(hours).toBeGreaterThan(1300);
  expect(hours).toBeLessThan(1440);
  expect(Math.abs(Number(done?.saved_cost_per_month) - hours / 2)).toBeLessThan(0.01);
  // No sum mixes what is likely with what is possible at most.
  const listed = JSON.parse((await reportFindings(life, ['--format', 'json'])).stdout);
  expect(listed.rows.map((row: { up_to: boolean }) => row.up_to)).toContain(true);
  const sum = (key: string) =>
    listed.rows.reduce((total: number, row: Record<string, string>) => total + Number(row[key] ?? 0), 0);
  for (const key of ['cost_per_month', 'most_cost_per_month'])
    expect(listed.totals[key]).toBe(sum(key).toFixed(2));
  const open = await reportFindings(life, []);
  expect(open.stdout).not.toContain('pooled-backend');
  expect(open.stdout).toContain(
    `1 finding is done and saves ${hours.toFixed(2)} compute hours a month: see report findings --done.`,
  );
}, 180_000);

test('only findings can be done, each in a row of its own', async () => {
  using life = new LivedHistory({ now: Date.UTC(2026, 9, 1) / 1000, projects: 1 });
  expect((await reportFindings(life, ['--done', '--by', 'project'])).stderr).toContain(
    '--done has a row for each finding: leave --by out',
  );
});
