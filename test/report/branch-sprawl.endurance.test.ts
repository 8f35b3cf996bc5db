import { expect, test } from 'vitest';
import { UsageReader } from '../../src/history/usage/usage-history.ts';
import { UsageCalculator } from '../../src/report/usage-view/calculator.ts';
import { usageOptionsOf } from '../../src/report/usage-view/options.ts';
import { branchList } from '../../src/resources/branch.ts';
import { addBranch, createProject } from '../../src/simulator/model/account.ts';
import { drawBranch, drawProject } from '../../src/simulator/model/blueprint.ts';
import { connect } from '../../src/simulator/model/endpoint-life.ts';
import { showBranches } from '../../src/simulator/model/later/branch-form.ts';
import { addConsumption, deleteBranch } from '../../src/simulator/model/later/change.ts';
import { showMetered, tellAtOnce } from '../../src/simulator/model/later/consumption.ts';
import type { LaterTerms } from '../../src/simulator/model/later/later-account.ts';
import { hourOf } from '../../src/simulator/model/meter/hour-series.ts';
import { type MeterUnit, meteredMetrics } from '../../src/simulator/model/meter/metered-metric.ts';
import type { SimulatedProject } from '../../src/simulator/model/project.ts';
import { accountEnv, loadValid } from '../config/loading.ts';
import { readCsv } from '../support/csv-reader.ts';
import { LivedHistory } from '../support/lived-history.ts';
import { consumptionReading } from '../support/meter-builder.ts';
import { runReport } from '../support/report-run.ts';

const day = 86_400;
const beganAt = Date.UTC(2026, 9, 1) / 1000;
const pace = { listEverySeconds: day, projectsEvery: 1 };

/** A project with a branch that is used and others that are not, on a service that meters them. */
class Sprawl implements Disposable {
  readonly life: LivedHistory;
  readonly project: SimulatedProject;
  #meteredUntil = hourOf(beganAt);

  constructor(unused: number, { unit = 'hour' as MeterUnit, hasUsed = false } = {}) {
    const later: LaterTerms = {
      unit,
      includedBranches: 4,
      orgs: [],
      keyOf: 'organisation',
      listCpu: 'present',
      listDeleted: false,
      consumptionLagSeconds: 0,
    };
    this.life = new LivedHistory({ now: beganAt, projects: 0, historyDays: 0, later });
    const { account } = this.life;
    this.project = createProject(
      account,
      drawProject(1, 'sprawl', 1, 'paid', { name: 'shop', branches: 1, profile: 'quiet' }),
    );
    const draw = (name: string) => drawBranch(this.project.random, name, 'quiet', 'paid');
    for (let index = 0; index < unused; index += 1)
      addBranch(account, this.project, draw(`=old|${index}\u202e`), { withEndpoint: false });
    addConsumption(account, this.project, { child_branch_bytes: 200e9 });
    if (hasUsed) addBranch(account, this.project, draw('dev'));
  }

  /** Lets time pass while everything is read. */
  liveUntil(second: number): void {
    while (this.life.now / 1000 < second) {
      for (const endpoint of this.project.endpoints) connect(endpoint, 600);
      this.life.watch(Math.min(day, second - this.life.now / 1000), pace);
    }
    this.readBranches();
    this.readMeter();
  }

  deleteUnused(): void {
    const old = this.project.branches.filter(({ name }) => name.startsWith('=old'));
    for (const { id } of old) deleteBranch(this.project, id);
    addConsumption(this.life.account, this.project, { child_branch_bytes: -200e9 });
  }

  readBranches(): void {
    const { account, history, now } = this.life;
    const items = showBranches(account, this.project).map(item => branchList.decode(item));
    history.commitOne({
      ...{ kind: 'project_part', collector: 'branches' },
      ...{ account: 'main', project_id: this.project.id, readAt: now, servedAt: now, durationMs: 1 },
      list: { items: items.filter(item => item !== undefined), rejected: 0, complete: true },
    });
  }

  readMeter(): void {
    const { account, history, now } = this.life;
    const range = { fromHour: this.#meteredUntil, toHour: hourOf(now / 1000) };
    this.#meteredUntil = range.toHour;
    const told = tellAtOnce(account, this.project);
    const wire = [showMetered(account, this.project, 'hourly', range, { metrics: meteredMetrics, told })];
    // Read twice, it is known not to grow any more.
    for (let times = 0; times < 2; times += 1) history.commitOne(consumptionReading(now, wire));
  }

  report(line: string, config: string) {
    return runReport(line, { file: this.life.folder.file, now: this.life.now, config });
  }

  async findings(config: string, missing = '') {
    const { stdout, stderr, exitCode } = await this.report('findings --format csv', config);
    expect({ exitCode, stderr }).toEqual({
      exitCode: missing === '' ? 0 : 3,
      stderr: expect.stringContaining(missing),
    });
    return readCsv(stdout).rows.filter(({ kind }) => kind === 'branch_sprawl');
  }

  /** What the daemon shows. */
  shown(config: string) {
    const loaded = loadValid({
      flags: { 'config.file': 'dbpm.yaml' },
      env: accountEnv,
      files: { 'dbpm.yaml': config },
    });
    const reader = new UsageReader(this.life.folder.file, ['main']);
    const calculator = new UsageCalculator(usageOptionsOf(loaded.config), reader);
    calculator.analyze();
    const [account] = calculator.calculate()?.view.accounts ?? [];
    reader.close();
    return account?.branchFindings?.map(({ unusedBranches, costPerMonth }) => ({
      unusedBranches,
      costPerMonth,
    }));
  }

  /** What branches cost in November by the report of its bill. */
  async bill(config: string): Promise<number> {
    const { stdout } = await this.report('cost --period billing:2026-11 --by line --format csv', config);
    const branches = readCsv(stdout).rows.filter(({ line }) => /branch/.test(line ?? ''));
    return branches.reduce((sum, { cost }) => sum + Math.round(Number(cost) * 100), 0) / 100;
  }

  [Symbol.dispose](): void {
    this.life[Symbol.dispose]();
  }
}

const november = Date.UTC(2026, 10, 1) / 1000;
const pricing = (terms: string, { unit = 'hour' } = {}) => `
pricing:
  currency: USD
  meter: {unit: ${unit}}
  plans:
    - name: launch
      prices: [{from: 2026-01-01, per_compute_hour: 0.106}]
      metered: [${terms}]
`;
const storage = '{metric: child_branch_bytes_month, price: 0.35}';
const extra = '{metric: extra_branches_month, price: 1.5, included_at_once: 2}';

test.each([
  ['by the hour', { unit: 'hour' }, `${storage}, ${extra}`],
  [
    'with allowances',
    { unit: 'hour' },
    `${storage.replace('}', ', included: {quantity: 100, per: account}}')}, ${extra}`,
  ],
  ['by the month', { unit: 'month' }, `${storage}, {metric: extra_branches_month, price: 1.5}`],
] as const)(
  'what unused branches are said to cost a month is what the bill is less without them: %s',
  async (_, meter, terms) => {
    const config = pricing(terms, meter);
    using left = new Sprawl(6, meter);
    using followed = new Sprawl(6, meter);
    for (const each of [left, followed]) each.liveUntil(november - 2 * 3600);
    const [found] = await left.findings(config);
    expect(found).toMatchObject({
      project_name: 'shop',
      endpoint_id: '',
      compute_hours_per_month: '',
      up_to: 'false',
    });
    expect(found?.most_cost_per_month).toBe(found?.cost_per_month);
    const whole = expect.closeTo(Number(found?.cost_per_month), 2);
    expect(left.shown(config)).toEqual([{ unusedBranches: 6, costPerMonth: { likely: whole, most: whole } }]);
    followed.deleteUnused();
    for (const each of [left, followed]) each.liveUntil(november + 30 * day);
    const saved = (await left.bill(config)) - (await followed.bill(config));
    expect(saved).toBeGreaterThan(10);
    expect(Math.abs(Number(found?.cost_per_month) - saved)).toBeLessThan(
      meter.unit === 'hour' ? 0.02 : saved / 10,
    );
    // The 30 days begin as November did, when nothing was read.
    expect(await followed.findings(config, 'was reset while it was not read')).toEqual([]);
  },
  60_000,
);

test('where some are used, storage is saved by size at most, and extra branches are likely; names do no harm, and without prices there is no money', async () => {
  using sprawl = new Sprawl(3, { hasUsed: true });
  sprawl.liveUntil(november);
  const [found] = await sprawl.findings(pricing(`${storage}, ${extra}`));
  expect(found?.up_to).toBe('false');
  expect(Number(found?.cost_per_month)).toBeLessThan(Number(found?.most_cost_per_month));
  expect(found?.evidence).toBe(
    '3 of its 4 branches besides the root look forgotten: 1 expired, 2 never used. The oldest of them is of 2026-10-01. Unused for longest: "=old|1\u202e", "=old|2\u202e", "=old|0\u202e". In the last 30 days that was at most 145.01 GB-months of child branch storage and 1.94 branch-months of extra branches.',
  );
  for (const config of ['', pricing('')]) {
    const [unpriced] = await sprawl.findings(config);
    expect(unpriced?.cost_per_month ?? '').toBe('');
  }
  const table = (await sprawl.report('findings', pricing(''))).stdout;
  expect(table).not.toContain('\u202e');
  expect(table).toMatch(/^branch_sprawl .* unpriced {2,}no$/m);
  const groups = 'groups: {team: {web: {projects: [shop]}}}';
  const page = await sprawl.report(
    'showback --period last-30d --group team/web',
    `${pricing(`${storage}, ${extra}`)}${groups}`,
  );
  expect(page.stdout).toContain(
    `- **shop**: likely ${Number(found?.cost_per_month).toFixed(2)} USD and at most ${Number(found?.most_cost_per_month).toFixed(2)} USD a month. 3 of its 4 branches`,
  );
  expect(
    await sprawl.findings('findings: {unused_branch_after: 60d, least_unused_branches: 1}'),
  ).toMatchObject([
    { evidence: expect.stringContaining('1 of its 4 branches besides the root looks forgotten: 1 expired.') },
  ]);
  expect(await sprawl.findings('findings: {least_unused_branches: 4}')).toEqual([]);
  expect(await sprawl.findings('findings: {ignore: [{kinds: [branch_sprawl]}]}')).toEqual([]);
});
