import { expect, onTestFinished, test } from 'vitest';
import { UsageReader } from '../../../src/history/usage/usage-history.ts';
import { UsageCalculator } from '../../../src/report/usage-view/calculator.ts';
import type { UsageOptions } from '../../../src/report/usage-view/options.ts';
import { ViewAsOf } from '../../../src/report/usage-view/view-as-of.ts';
import type { CostAccrual } from '../../../src/resources/cost-accrual.ts';
import type { UsageView } from '../../../src/resources/usage/view.ts';
import { deleteProject, liveProjects } from '../../../src/simulator/model/account.ts';
import { LivedHistory } from '../../support/lived-history.ts';
import { usualUsage } from '../../support/usage-options.ts';

const hour = 3_600_000;
const day = 24 * hour;
const begin = Date.UTC(2026, 9, 28) / 1000;
const pace = { listEverySeconds: 900, projectsEvery: 2 };

const settings: UsageOptions = {
  ...usualUsage,
  pricing: {
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
  },
  groupings: [{ name: 'region', groups: [{ name: 'us', match: { regions: ['aws-us-*'] } }] }],
  budgets: [
    {
      name: 'all',
      scope: { kind: 'account', account: 'main' },
      limit: { kind: 'money', amount: '20' },
      per: 'billing',
    },
    {
      name: 'hours',
      scope: { kind: 'group', grouping: 'region', group: 'us' },
      limit: { kind: 'compute', computeHours: '30' },
      per: 'week',
    },
  ],
};

function open(life: LivedHistory): UsageReader {
  const reader = new UsageReader(life.folder.file, ['main']);
  onTestFinished(() => reader.close());
  return reader;
}

/** What is on the page does not depend on the settings and uses of endpoints, which are known as of now. */
function withoutFindings(view: UsageView | undefined) {
  return view && { ...view, accounts: view.accounts.map(({ findings: _now, ...account }) => account) };
}

test('views are what the daemon showed at the time, over new and deleted projects and the end of a billing period', () => {
  using life = new LivedHistory({ now: begin, seed: 5, projects: 5, historyDays: 12 });
  life.watch(3600, pace);
  const shown = new Map<number, UsageView | undefined>();
  const calculator = new UsageCalculator(settings, open(life));
  for (let turn = 0; turn < 5; turn += 1) {
    life.watch(21 * 3600, pace);
    life.miss(600);
    if (turn === 2) deleteProject(liveProjects(life.account)[0] ?? fail());
    life.watch(3000, pace);
    calculator.analyze();
    shown.set(life.now, calculator.calculate()?.view);
  }
  const views = new ViewAsOf(settings, open(life).look());
  for (const [at, view] of shown)
    expect(withoutFindings(views.viewAt(at)), new Date(at).toISOString()).toEqual(withoutFindings(view));
  expect(new Set([...shown.values()].map(view => view?.accounts[0]?.period.fromAt)).size).toBe(2);
  expect(shown.values().every(view => view?.accounts[0]?.forecast !== undefined)).toBe(true);
});

function fail(): never {
  throw new Error('there is no project');
}

test('before anything was known there is no view, and the first views have no forecast', () => {
  using life = new LivedHistory({ now: begin, seed: 5, projects: 3, historyDays: 10 });
  life.watch(3600, pace);
  const views = new ViewAsOf(settings, open(life).look());
  expect(views.viewAt(life.now - 300 * day)).toBeUndefined();
  const early = views.viewAt(life.now - 9 * day)?.accounts[0];
  expect(early).toMatchObject({ knownUntilAt: life.now - 9 * day, currency: 'USD' });
  expect(early?.forecast).toBeUndefined();
  const late = views.viewAt(life.now - day)?.accounts[0];
  expect(late?.forecast?.cost?.expected).toBeGreaterThan(late?.cost ?? Number.POSITIVE_INFINITY);
});

test.each([
  ['more', '0.32', 0.5],
  ['less', '0.08', 2],
])(
  'costs that were charged at other prices end at what was charged: %s is asked now',
  (_word, price, times) => {
    using life = new LivedHistory({ now: begin, seed: 5, projects: 3, historyDays: 10 });
    life.watch(3600, pace);
    const [charged] = new UsageCalculator(settings, open(life)).calculate()?.accruals ?? [];
    life.history.saveAccruals([charged as CostAccrual]);
    const plans = (settings.pricing?.plans ?? []).map(plan => ({
      ...plan,
      prices: [{ fromAt: 0, perComputeHour: price, discountPercent: '0' }],
    }));
    const pricing = settings.pricing && { ...settings.pricing, plans };
    const views = new ViewAsOf({ ...settings, ...(pricing && { pricing }) }, open(life).look());
    const totals = [9, 5, 2, 1, 0].map(
      days => views.viewAt(life.now - days * day)?.accounts[0]?.costTotal ?? Number.NaN,
    );
    expect(totals).toEqual(totals.toSorted((one, other) => one - other));
    expect(totals[0]).toBeGreaterThanOrEqual(0);
    const end = views.viewAt(life.now)?.accounts[0];
    expect(end?.costTotal).toBeCloseTo(Number(charged?.total) / hour, 9);
    expect((end?.computeSeconds ?? 0) > 0 && times > 0).toBe(true);
  },
);
