import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteProject, liveProjects } from '../../src/simulator/model/account.ts';
import { readCsv } from '../support/csv-reader.ts';
import { LivedHistory } from '../support/lived-history.ts';
import { MeteredHistory } from './bill/metered-history.ts';
import { SmallHistory } from './small-history.ts';

const lived = new LivedHistory({ now: Date.UTC(2026, 9, 20) / 1000, seed: 9, projects: 6, historyDays: 40 });
beforeAll(() => {
  lived.watch(6 * 3600, { listEverySeconds: 900, projectsEvery: 2 });
  const [first] = liveProjects(lived.account);
  if (first !== undefined) deleteProject(first);
  lived.watch(0.7 * 3600, { listEverySeconds: 900, projectsEvery: 1 });
});
afterAll(() => lived[Symbol.dispose]());

const plan = (more: string) =>
  `pricing: {currency: EUR, plans: [{name: all, prices: [{from: 2026-01-01, ${more}}]}]}`;
const included = (per: string) =>
  `pricing: {currency: EUR, plans: [{name: all, prices: [{from: 2026-01-01, per_compute_hour: 0.4}], included: {compute_hours: 9, per: ${per}}}]}`;

test.each([
  ['no prices', '{}'],
  ['one price', plan('per_compute_hour: 12.5')],
  ['hours included in the account', included('account')],
  ['hours included in each project', included('project')],
  ['tiers', plan('tiers: [{up_to: 40, per_compute_hour: 2}, {per_compute_hour: 0.5}]')],
  [
    'a time zone and another billing day',
    `${plan('per_compute_hour: 3')}\nusage: {timezone: America/New_York}`,
  ],
  [
    'a plan that is for few',
    'pricing: {currency: EUR, plans: [{name: few, match: {projects: ["*-a*"]}, prices: [{from: 2026-01-01, per_compute_hour: 3}]}]}',
  ],
])('each project is forecast as it is alone: %s', async (_what, yaml) => {
  using small = new SmallHistory();
  const { file } = lived.folder;
  small.write('dbpm.yaml', `${yaml}\n`);
  const asked = { now: lived.now, file };
  const list = readCsv((await small.report('forecast --by project --format csv', asked)).stdout).rows;
  expect(list.length).toBeGreaterThan(3);
  for (const row of list) {
    const line = `forecast --project main/${row.project_id} --format csv`;
    const alone = readCsv((await small.report(line, asked)).stdout).rows;
    const of = (what: string) => alone.find(each => each.what === what);
    expect(row, row.project_id).toMatchObject({
      compute_hours_so_far: of('compute_hours')?.so_far,
      expected_compute_hours: of('compute_hours')?.expected,
    });
    if (of('cost') !== undefined)
      expect(row, row.project_id).toMatchObject({
        cost_so_far: of('cost')?.so_far,
        expected_cost: of('cost')?.expected,
      });
  }
});

test('what is metered is in it, the dearest project is first, and it says what it does not add up to', async () => {
  using world = new MeteredHistory();
  const { stdout } = await world.run('report forecast --by project --format json');
  const { rows, notes } = JSON.parse(stdout);
  const [row] = rows;
  const [alone] = JSON.parse(
    (await world.run('report forecast --project main/p-shop --format json')).stdout,
  ).rows;
  expect(row).toMatchObject({
    project_id: 'p-shop',
    cost_so_far: alone.so_far,
    expected_cost: alone.expected,
  });
  expect(Number(row.expected_cost)).toBeGreaterThan(0);
  expect(notes.join(' ')).toContain('do not add up to that of their account');
});

test('a project that has no price is unpriced, not free, and the hours without a price are told', async () => {
  using small = new SmallHistory();
  const few = '{name: few, match: {projects: ["*-a*"]}, prices: [{from: 2026-01-01, per_compute_hour: 3}]}';
  small.write('dbpm.yaml', `pricing: {currency: EUR, plans: [${few}]}\n`);
  const asked = { now: lived.now, file: lived.folder.file };
  const list = JSON.parse((await small.report('forecast --by project --format json', asked)).stdout);
  const unpriced = list.rows.filter(
    (row: { project_id: string; project_name: string }) =>
      !`${row.project_id} ${row.project_name}`.includes('-a'),
  );
  expect(unpriced.length).toBeGreaterThan(0);
  for (const { cost_so_far, expected_cost, compute_hours_so_far } of unpriced) {
    expect({ cost_so_far, expected_cost }).toEqual({ cost_so_far: null, expected_cost: null });
    expect(Number(compute_hours_so_far)).toBeGreaterThan(0);
  }
  const said = 'compute hours are unpriced: no plan or price is for them, and the cost is without them.';
  expect(list.notes.join(' ')).toContain(said);
  const [{ project_id }] = unpriced;
  const alone = await small.report(`forecast --project main/${project_id}`, asked);
  expect(alone.stdout).toContain(said);
  expect(alone.stdout).toMatch(/^cost +EUR +unpriced +unpriced/m);
});
