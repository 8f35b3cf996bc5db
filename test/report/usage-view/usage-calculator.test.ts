import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { UsageReader } from '../../../src/history/usage/usage-history.ts';
import { UsageCalculator } from '../../../src/report/usage-view/calculator.ts';
import type { UsageOptions } from '../../../src/report/usage-view/options.ts';
import type { SpendingBudget } from '../../../src/resources/spending-budget.ts';
import { laterTermsOf } from '../../../src/simulator/server.ts';
import { HistoryFolder } from '../../support/history-folder.ts';
import { LivedHistory } from '../../support/lived-history.ts';
import {
  projectReading,
  projectsReading,
  wireEndpoint,
  wireOperation,
} from '../../support/reading-builder.ts';
import { usualUsage } from '../../support/usage-options.ts';
import { setMeterUnusual } from '../../support/written-meter.ts';

const day = 86_400;
const begin = Date.UTC(2026, 9, 20) / 1000;
const pace = { listEverySeconds: 900, projectsEvery: 2 };

function open(life: LivedHistory, more: Partial<UsageOptions> = {}): UsageCalculator {
  const reader = new UsageReader(life.folder.file, ['main']);
  onTestFinished(() => reader.close());
  return new UsageCalculator({ ...usualUsage, historyFile: life.folder.file, ...more }, reader);
}

const pricing: UsageOptions['pricing'] = {
  displayCurrency: 'USD',
  billingPeriod: { kind: 'month', anchorDay: 1 },
  exchangeRates: [],
  plans: [
    {
      name: 'scale',
      match: {},
      currency: 'USD',
      prices: [{ fromAt: 0, perComputeHour: '0.16', discountPercent: '0' }],
    },
  ],
};

const wholeBudget: UsageOptions['budgets'][number] = {
  name: 'all',
  scope: { kind: 'account', account: 'main' },
  limit: { kind: 'money', amount: '1000' },
  per: 'billing',
};

function calculated(calculator: UsageCalculator) {
  const result = calculator.calculate();
  if (result === undefined) throw new Error('nothing is known');
  const [account] = result.view.accounts;
  if (account === undefined) throw new Error('there is no account');
  return { ...result, account };
}

test('before anything was read there is nothing to calculate', () => {
  using life = new LivedHistory({ now: begin });
  expect(open(life).calculate()).toBeUndefined();
});

test('groups that are made of whose projects are add up to the account, and only those that have any are there', () => {
  const orgs = ['org-calm-sky-12345678', 'org-quiet-sea-12345678'];
  using life = new LivedHistory({ now: begin, projects: 6, historyDays: 3, later: laterTermsOf({ orgs }) });
  life.watch(day, pace);
  const groupings = [{ name: 'customer', groups: [], by: 'owner' }] as const;
  const { account } = calculated(open(life, { groupings }));
  expect(account.groups.map(({ group }) => group).toSorted()).toEqual(['Calm Sky', 'Quiet Sea', 'ungrouped']);
  const sum = account.groups.reduce((total, { computeSeconds }) => total + computeSeconds, 0);
  expect(sum).toBeCloseTo(account.computeSeconds, 3);
  expect(sum).toBeGreaterThan(0);
});

test('what is written while use is calculated is for the next time', () => {
  using life = new LivedHistory({ now: begin, seed: 5, projects: 2, historyDays: 3 });
  life.watch(3600, pace);
  const reader = new UsageReader(life.folder.file, ['main']);
  onTestFinished(() => reader.close());
  const used = () => {
    const { usage } = reader.look();
    return usage.projects.map(({ project_ref }) => usage.usedUntil(project_ref, life.now + 10 * day * 1000));
  };
  const [before, after] = reader.steadily(() => {
    const before = used();
    life.watch(day, pace);
    return [before, used()];
  });
  expect(after).toEqual(before);
  expect(used()).not.toEqual(before);
});

test('what a month used and cost is what the service counted, and the month is forecast', () => {
  using life = new LivedHistory({ now: begin, seed: 5, projects: 8, historyDays: 20, showcase: true });
  life.watch(6 * 3600, pace);
  const calculator = open(life, {
    pricing,
    groupings: [{ name: 'region', groups: [{ name: 'us', match: { regions: ['aws-us-*'] } }] }],
    budgets: [
      {
        name: 'all',
        scope: { kind: 'account', account: 'main' },
        limit: { kind: 'money', amount: '1000' },
        per: 'billing',
      },
    ],
  });
  expect(calculated(calculator).account).not.toHaveProperty('findings');
  expect(calculator.analyze()).toBe(true);
  expect(calculator.analyze()).toBe(false);
  const { account, view } = calculated(calculator);
  const used = life.truth().projects.reduce((sum, project) => sum + project.cpu_used_sec_ever, 0);
  expect(account.cost).toBeCloseTo(((account.computeSeconds ?? 0) / 3600) * 0.16, 6);
  expect(account.costTotal).toBeCloseTo((used / 3600) * 0.16, 6);
  expect(account.unpricedComputeSeconds).toBe(0);
  expect(account.groups.map(({ group }) => group)).toEqual(['us', 'ungrouped']);
  expect(account.groups.reduce((sum, { computeSeconds }) => sum + computeSeconds, 0)).toBeCloseTo(
    account.computeSeconds,
    3,
  );
  const { reconstruction, forecast } = account;
  expect(reconstruction?.lowerComputeSeconds).toBeLessThanOrEqual(
    (reconstruction?.reportedComputeSeconds ?? 0) + 60,
  );
  expect(reconstruction?.upperComputeSeconds).toBeGreaterThanOrEqual(
    (reconstruction?.reportedComputeSeconds ?? 0) - 60,
  );
  expect(forecast?.cost?.expected).toBeGreaterThan(account.cost ?? 0);
  expect(forecast?.cost?.low95).toBeLessThan(forecast?.cost?.low80 ?? 0);
  expect(view.budgets[0]?.spent).toBeCloseTo(account.cost ?? 0, 9);
  expect(view.budgets[0]?.projected).toBeCloseTo(forecast?.cost?.expected ?? 0, 6);
  expect(new Set(account.findings?.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(4);
});

test('what is written while an analysis begins is analyzed the next time', () => {
  using life = new LivedHistory({ now: begin, seed: 3, projects: 2, historyDays: 2 });
  life.watch(day, pace);
  const reader = new UsageReader(life.folder.file, ['main']);
  onTestFinished(() => reader.close());
  const [first, second] = reader.look().usage.projects.map(({ project_id }) => project_id);
  setMeterUnusual(life.folder.file, 'main', first ?? '');
  const database = new Database(life.folder.file);
  database.exec('UPDATE meter_pass SET settled_until_at = settled_until_at - 1');
  database.close();
  let writes = 1;
  const look = () => {
    const seen = reader.look();
    if (writes > 0) setMeterUnusual(life.folder.file, 'main', second ?? '');
    writes -= 1;
    return seen;
  };
  const calculator = new UsageCalculator(
    { ...usualUsage, historyFile: life.folder.file },
    { look, steadily: work => reader.steadily(work) },
  );
  expect([1, 2, 3].map(() => calculator.analyze())).toEqual([true, true, false]);
});

test('what findings save is the difference of two invoices, and nothing of a bill that is its minimum', () => {
  using life = new LivedHistory({ now: begin, seed: 5, projects: 8, historyDays: 20, showcase: true });
  life.watch(6 * 3600, pace);
  const savingsWith = (minimum: string) => {
    const plans = (pricing?.plans ?? []).map(plan => ({ ...plan, minimum }));
    const calculator = open(life, { pricing: pricing && { ...pricing, plans } });
    calculator.analyze();
    return (calculated(calculator).account.findings ?? []).map(({ costPerMonth }) => costPerMonth?.most ?? 0);
  };
  const sum = (savings: readonly number[]) => savings.reduce((total, saving) => total + saving, 0);
  const free = savingsWith('0');
  expect(sum(free)).toBeGreaterThan(100);
  expect(sum(savingsWith('100000'))).toBe(0);
  const part = sum(savingsWith('500'));
  expect(part).toBeGreaterThan(0);
  expect(part).toBeLessThan(sum(free));
});

test('the cost that was counted never falls and counts everything once, over restarts and months', () => {
  using life = new LivedHistory({ now: begin, seed: 6, projects: 5, historyDays: 3 });
  let settledAt: number | undefined;
  let calculator = open(life, { pricing });
  let before = 0;
  for (let turn = 0; turn < 40; turn += 1) {
    life.watch(turn % 5 === 0 ? 4 * 3600 : 1800, pace);
    const { account, accruals } = calculated(calculator);
    expect(account.costTotal).toBeGreaterThanOrEqual(before);
    before = account.costTotal ?? 0;
    life.history.saveAccruals(accruals);
    while (life.history.upkeep(life.now));
    settledAt = accruals[0]?.periodFromAt;
    if (turn % 3 === 0) calculator = open(life, { pricing });
    life.miss(turn % 7 === 0 ? 2 * day : 60);
  }
  life.watch(3600, pace);
  const { account } = calculated(calculator);
  const used = life.truth().projects.reduce((sum, project) => sum + project.cpu_used_sec_ever, 0);
  expect(new Date(life.now).toISOString().slice(0, 7)).toBe('2026-11');
  expect(settledAt).toBe(Date.UTC(2026, 10, 1));
  expect(account.costTotal).toBeCloseTo((used / 3600) * 0.16, 6);
});

test('an account that is new has no figures and no analysis until its operations tell when it used what', () => {
  using life = new LivedHistory({ now: begin, seed: 6, projects: 5, historyDays: 40 });
  const calculator = open(life, { pricing, budgets: [wholeBudget] });
  life.readLists();
  expect([calculator.calculate(), calculator.analyze(), calculator.isImporting()]).toEqual([
    undefined,
    false,
    true,
  ]);
  life.readProjects();
  const used = life.truth().projects.reduce((sum, project) => sum + project.cpu_used_sec_ever, 0);
  const { account, view } = calculated(calculator);
  expect(account.costTotal).toBeCloseTo((used / 3600) * 0.16, 6);
  expect(account.unattributedComputeSeconds).toBe(0);
  expect(view.budgets).toHaveLength(1);
  expect([calculator.isImporting(), calculator.analyze()]).toEqual([false, true]);
});

test('an account whose operations cannot be read has figures after a day, and later those from before', () => {
  using life = new LivedHistory({ now: begin, seed: 6, projects: 5, historyDays: 40 });
  const used = () => life.truth().projects.reduce((sum, project) => sum + project.cpu_used_sec_ever, 0);
  const calculator = open(life, { pricing });
  life.readLists();
  const before = used();
  expect(calculator.calculate()).toBeUndefined();
  life.miss(day - 60);
  life.readLists();
  expect(calculator.calculate()).toBeUndefined();
  life.miss(60);
  life.readLists();
  const { account } = calculated(calculator);
  expect(account.costTotal).toBeCloseTo(((used() - before) / 3600) * 0.16, 6);
  expect(account.computeSeconds).toBeCloseTo(used() - before, 3);
  expect(account.unattributedComputeSeconds).toBeCloseTo(before, 3);
  expect(account.projects).toEqual([]);
  life.watch(3600, pace);
  const later = calculated(calculator).account;
  expect(later.costTotal).toBeCloseTo((used() / 3600) * 0.16, 6);
  expect(later.unattributedComputeSeconds).toBe(0);
});

test('a project that joins with a past leaves the figures of its account as they were until its operations are read', () => {
  using folder = new HistoryFolder();
  const history = folder.open({ accounts: ['main'] });
  const at = (hours: number) => (begin + hours * 3600) * 1000;
  const list = (hours: number, ...items: readonly (readonly [id: string, cpu_used_sec: number])[]) => {
    const created_at = new Date(at(-24 * 300)).toISOString();
    const wire = items.map(([id, cpu_used_sec]) => ({ id, created_at, cpu_used_sec }));
    history.commitOne(projectsReading(at(hours), wire, { account: 'main' }));
  };
  const read = (hours: number, id: string, ...awake: readonly number[]) => {
    const endpoint = wireEndpoint(`ep-${id}`, {
      created_at: new Date(at(-24 * 300)).toISOString(),
      ...{ autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 1 },
    });
    const operations = awake
      .map((hour, index) => {
        const instant = new Date(at(hour)).toISOString();
        const action = index % 2 === 0 ? 'start_compute' : 'suspend_compute';
        return wireOperation(`${id}-${index}`, {
          ...{ endpoint_id: `ep-${id}`, action, created_at: instant, updated_at: instant },
        });
      })
      .toReversed();
    history.commitOne(projectReading(at(hours), id, { endpoints: [endpoint], operations }));
  };
  list(0, ['old', 7200]);
  read(0, 'old', -48, -46);
  const reader = new UsageReader(folder.file, ['main']);
  onTestFinished(() => reader.close());
  const options = { ...usualUsage, historyFile: folder.file, pricing, budgets: [wholeBudget] };
  const calculator = new UsageCalculator(options, reader);
  const calculate = () => {
    const { account, view, accruals } = calculated(calculator);
    history.saveAccruals(accruals);
    const { computeSeconds, cost, costTotal, unattributedComputeSeconds, projects } = account;
    const costs = projects.map(project => [project.project_id, project.cost]);
    const spent = view.budgets[0]?.spent;
    return { computeSeconds, cost, costTotal, unattributedComputeSeconds, spent, costs };
  };
  const alone = {
    ...{ computeSeconds: 7200, cost: 0.32, costTotal: 0.32, spent: 0.32 },
    ...{ unattributedComputeSeconds: 0, costs: [['old', 0.32]] },
  };
  expect(calculate()).toEqual(alone);
  list(1, ['old', 7200], ['new', 3_600_000]);
  expect(calculate()).toEqual({ ...alone, unattributedComputeSeconds: 3_600_000 });
  // What it uses from now on counts at once.
  list(2, ['old', 7200], ['new', 3_603_600]);
  const joined = { computeSeconds: 10_800, cost: 0.48, costTotal: 0.48, spent: 0.48 };
  expect(calculate()).toEqual({ ...alone, ...joined, unattributedComputeSeconds: 3_600_000 });
  calculator.analyze();
  expect(calculated(calculator).account.projects).toEqual([
    { account: 'main', project_id: 'old', currency: 'USD', cost: 0.32 },
  ]);
  // It was awake for 1000 hours in the year before, ten of them in October.
  read(2, 'new', -24 * 200, -24 * 200 + 990, -30, -20, 1, 2);
  const known = calculate();
  expect(known.unattributedComputeSeconds).toBe(0);
  expect(known.computeSeconds).toBeCloseTo(10_800 + 36_000, 0);
  expect(known.costTotal).toBeCloseTo(0.48 + 1.6, 4);
  expect(calculate()).toEqual(known);
});

test('an account that could not be read for a while is not taken for one that uses nothing', () => {
  using folder = new HistoryFolder();
  const accounts = ['main', 'other'];
  const history = folder.open({ accounts });
  const startAt = begin * 1000;
  const created_at = new Date(startAt).toISOString();
  // Both use one compute unit all the time; the last twelve hours of one of them are not known.
  for (let hour = 0; hour <= 96; hour += 1) {
    for (const account of accounts) {
      if (account === 'other' && hour > 84) continue;
      const item = { id: `p-${account}`, created_at, cpu_used_sec: hour * 3600 };
      history.commitOne(projectsReading(startAt + hour * 3_600_000, [item], { account }));
    }
  }
  const reader = new UsageReader(folder.file, accounts);
  onTestFinished(() => reader.close());
  const budgets = accounts.map((account): SpendingBudget => {
    const limit = { kind: 'compute', computeHours: '800' } as const;
    return { name: account, scope: { kind: 'account', account }, limit, per: 'month' };
  });
  const options = { ...usualUsage, historyFile: folder.file, accounts, budgets };
  const calculator = new UsageCalculator(options, reader);
  calculator.analyze();
  const days = (Date.UTC(2026, 10, 1) - startAt) / 86_400_000;
  const view = calculator.calculate()?.view;
  const expected = view?.accounts.map(({ account, forecast }) => [
    account,
    Math.round(forecast?.computeSeconds.expected ?? 0),
  ]);
  expect(expected).toEqual([
    ['main', days * 86_400],
    ['other', days * 86_400],
  ]);
  expect(view?.budgets.map(({ budget, projected = 0 }) => [budget, Math.round(projected)])).toEqual([
    ['main', days * 24],
    ['other', days * 24],
  ]);
});

test('a project that used much more than ever in the last day is shown with its anomaly, the others are not', () => {
  using folder = new HistoryFolder();
  const history = folder.open({ accounts: ['main'] });
  const startAt = begin * 1000;
  const created_at = new Date(startAt).toISOString();
  // A minute of compute an hour for eight days; then one project uses the whole hour for a day.
  for (let hour = 0; hour <= 216; hour += 1) {
    const usual = hour * 60;
    const items = [
      { id: 'p-usual', created_at, cpu_used_sec: usual },
      { id: 'p-runaway', created_at, cpu_used_sec: usual + Math.max(0, hour - 192) * 3540 },
    ];
    history.commitOne(projectsReading(startAt + hour * 3_600_000, items, { account: 'main' }));
  }
  const reader = new UsageReader(folder.file, ['main']);
  onTestFinished(() => reader.close());
  const calculator = new UsageCalculator({ ...usualUsage, historyFile: folder.file }, reader);
  calculator.analyze();
  const [account] = calculator.calculate()?.view.accounts ?? [];
  expect(account?.projects).toEqual([
    { account: 'main', project_id: 'p-runaway', anomalyComputeSeconds: 24 * 3540 },
  ]);
});
