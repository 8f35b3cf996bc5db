import { expect, test } from 'vitest';
import type { ForecastBounds } from '../../src/resources/usage/view.ts';
import { readCsv } from '../support/csv-reader.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import { LivedHistory } from '../support/lived-history.ts';
import { projectReading, startAt, wireEndpoint, wireProject } from '../support/reading-builder.ts';
import { workOutUsage } from '../support/worked-out-usage.ts';
import { MeteredHistory } from './bill/metered-history.ts';
import { SmallHistory } from './small-history.ts';

const prices = `
pricing:
  currency: EUR
  plans:
    - name: all
      prices: [{from: 2026-01-01, per_compute_hour: 0.125}]
      included: {compute_hours: 5, per: account}
`;
const bounds = ['expected', 'low80', 'high80', 'low95', 'high95'] as const;

const accountOf = async (configFile: string, historyFile: string) =>
  (await workOutUsage(configFile, historyFile))?.accounts[0];

const texts = (forecast: ForecastBounds | undefined, unit: number, decimals: number) =>
  Object.fromEntries(bounds.map(bound => [bound, ((forecast?.[bound] ?? 0) / unit).toFixed(decimals)]));

test('the only project of an account ends its billing period as the account does, also within an hour, where nothing else is charged', async () => {
  using small = new SmallHistory();
  using life = new LivedHistory({ now: Date.UTC(2026, 9, 20) / 1000, seed: 5, projects: 1, historyDays: 20 });
  life.watch(6.6 * 3600, { listEverySeconds: 900, projectsEvery: 2 });
  const { file } = life.folder;
  const [project] = life.account.projects.keys();
  const line = `forecast --project main/${project} --format csv`;
  const account = await accountOf(small.write('dbpm.yaml', prices), file);
  const now = account?.knownUntilAt ?? 0;
  const [cost, hours] = readCsv((await small.report(line, { now, file })).stdout).rows;
  const { forecast, computeSeconds = 0, cost: spent } = account ?? {};
  expect(forecast?.computeSeconds.expected).toBeGreaterThan(computeSeconds);
  expect(hours).toMatchObject({ what: 'compute_hours', so_far: (computeSeconds / 3600).toFixed(2) });
  expect(hours).toMatchObject(texts(forecast?.computeSeconds, 3600, 2));
  expect(cost).toMatchObject({ what: 'cost', unit: 'EUR', so_far: spent?.toFixed(2) });
  expect(cost).toMatchObject(texts(forecast?.cost, 1, 2));
  const { stdout } = await small.report(line.replace('csv', 'table'), { now, file });
  expect(stdout).toContain('Expected is the whole period, which is until 2026-10-31 (UTC).');
});

test.each([1, 2, 5])(
  'weekdays and the ends of months are those of the configured zone, as in metrics (seed %i)',
  async seed => {
    using small = new SmallHistory();
    using life = new LivedHistory({ now: Date.UTC(2026, 9, 25) / 1000, seed, projects: 1, historyDays: 160 });
    life.watch(6 * 3600, { listEverySeconds: 900, projectsEvery: 2 });
    const { file } = life.folder;
    const [project] = life.account.projects.keys();
    const account = await accountOf(small.write('dbpm.yaml', 'usage: {timezone: Pacific/Auckland}\n'), file);
    const asked = { now: account?.knownUntilAt ?? 0, file };
    const expected = texts(account?.forecast?.computeSeconds, 3600, 2);
    const [alone] = readCsv(
      (await small.report(`forecast --project main/${project} --format csv`, asked)).stdout,
    ).rows;
    expect(alone).toMatchObject(expected);
    const [listed] = readCsv((await small.report('forecast --by project --format csv', asked)).stdout).rows;
    expect(listed).toMatchObject({ expected_compute_hours: expected.expected });
  },
);

test('without prices there are the hours alone, and before two days of history nothing is expected', async () => {
  using small = new SmallHistory();
  using life = new LivedHistory({ now: Date.UTC(2026, 9, 20) / 1000, seed: 5, projects: 1, historyDays: 0 });
  life.watch(6 * 3600, { listEverySeconds: 900, projectsEvery: 2 });
  const [project] = life.account.projects.keys();
  small.write('dbpm.yaml', '{}\n');
  const { stdout } = await small.report(`forecast --project main/${project} --format json`, {
    ...{ now: life.now, file: life.folder.file },
  });
  const { rows, notes } = JSON.parse(stdout);
  expect(rows).toMatchObject([{ what: 'compute_hours', expected: null, low80: null, high95: null }]);
  expect(notes).toContain('There is no forecast: it needs two days of history.');
});

test('a project that is still to be imported has no forecast, however long its account is known', async () => {
  using small = new SmallHistory();
  using folder = new HistoryFolder();
  small.write('dbpm.yaml', prices);
  const created_at = '2026-09-01T00:00:00Z';
  const history = folder.openListed([
    wireProject('p-read', { created_at, cpu_used_sec: 5400 }),
    wireProject('p-left', { created_at, cpu_used_sec: 5400 }),
    wireProject('p-new', { created_at }),
  ]);
  const endpoints = [wireEndpoint('ep-1', { created_at })];
  history.commitOne(projectReading(startAt, 'p-read', { endpoints, operations: [] }));
  folder.close(history);
  const at = { now: startAt + 7_200_000, file: folder.file };
  const { stdout } = await small.report('forecast --by project --format json', at);
  const { rows } = JSON.parse(stdout);
  const expected = new Map(rows.map((row: Record<string, unknown>) => [row.project_id, row.expected_cost]));
  expect([...expected.keys()].toSorted()).toEqual(['p-left', 'p-read']);
  expect(expected.get('p-left')).toBe(null);
  expect(Number(expected.get('p-read'))).toBeGreaterThanOrEqual(0);
  const own = await small.report('forecast --project main/p-left --format json', at);
  expect(JSON.parse(own.stdout).rows).toMatchObject([
    { what: 'cost', so_far: '0.00', expected: null, low95: null, high95: null },
    { what: 'compute_hours', expected: null },
  ]);
});

test('what a project is metered ends as the meter of its account does, in the units of the price book', async () => {
  using world = new MeteredHistory();
  const { stdout } = await world.run('report forecast --project main/p-shop --format csv');
  const rows = new Map(readCsv(stdout).rows.map(row => [row.what, row]));
  const account = await accountOf(world.configFile, world.file);
  const metered = new Map(account?.forecast?.metered?.map(each => [each.metric, each]));
  expect([...metered.keys()]).toContain('public_network_transfer_bytes');
  // The other project has storage alone, and is gone.
  expect(rows.get('public_network_transfer_bytes')).toMatchObject({
    ...{ unit: 'GB', so_far: '0.000' },
    ...texts(metered.get('public_network_transfer_bytes'), 1e9, 3),
  });
  expect(rows.get('extra_branches_month')).toMatchObject({
    unit: 'branch-month',
    ...texts(metered.get('extra_branches_month'), 744, 3),
  });
  const { expected, low80, high80, low95, high95 } = rows.get('root_branch_bytes_month') ?? {};
  const inOrder = [low95, low80, expected, high80, high95].map(Number);
  expect(inOrder).toEqual(inOrder.toSorted((a, b) => a - b));
  expect(inOrder[0]).toBeGreaterThan(0);
});

test.each([
  [
    'forecast --by group',
    'report forecast is of accounts or projects: write --by account or --by project, or --project such as main/p-1',
  ],
  [
    'forecast --project main/p-shop --by account',
    'report forecast has a row for each quantity of the billing period now: leave --by and --period out',
  ],
  [
    'forecast --project main/p-shop --period 2026-10',
    'report forecast has a row for each quantity of the billing period now: leave --by and --period out',
  ],
])('report %s is told what to write', async (line, advice) => {
  using world = new MeteredHistory();
  const { exitCode, stderr } = await world.run(`report ${line}`);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(advice)]);
});

test('accounts are forecast, and budgets stand, as metrics show them', async () => {
  using small = new SmallHistory();
  using life = new LivedHistory({ now: Date.UTC(2026, 9, 20) / 1000, seed: 5, projects: 3, historyDays: 20 });
  life.watch(6 * 3600, { listEverySeconds: 900, projectsEvery: 2 });
  const { file } = life.folder;
  const budgets = `
groups: {team: {web: {projects: ["*a*"]}}}
budgets:
  - {name: all, account: main, amount: 7, per: billing}
  - {name: web, group: team/web, amount: 2000, per: month}
  - {name: hours, projects: ["*"], compute_hours: 50, per: week}
`;
  const view = await workOutUsage(small.write('dbpm.yaml', prices + budgets), file);
  const [account] = view?.accounts ?? [];
  const now = account?.knownUntilAt ?? 0;
  const read = async (line: string) => readCsv((await small.report(line, { now, file })).stdout).rows;
  const rows = await read('forecast --account main --format csv');
  expect(rows).toEqual(await read('forecast --format csv'));
  const [cost, hours] = rows;
  expect(cost).toMatchObject({ account: 'main', what: 'cost', so_far: account?.cost?.toFixed(2) });
  expect(cost).toMatchObject(texts(account?.forecast?.cost, 1, 2));
  expect(hours).toMatchObject(texts(account?.forecast?.computeSeconds, 3600, 2));
  const standing = await read('budgets --format csv');
  for (const [index, { budget, limit, spent, projected = 0 }] of (view?.budgets ?? []).entries()) {
    const shown = { limit: limit.toFixed(2), spent: spent.toFixed(2), expected: projected.toFixed(2) };
    expect(standing[index]).toMatchObject({ budget, ...shown });
  }
  expect(standing.map(({ state }) => state)).toEqual(['over', 'within', 'expected_over']);
});
