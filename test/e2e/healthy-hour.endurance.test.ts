import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { watchAccount } from '../../src/daemon/account-watch.ts';
import { History } from '../../src/history/history.ts';
import { UsageReader } from '../../src/history/usage/usage-history.ts';
import { UsageCalculator } from '../../src/report/usage-view/calculator.ts';
import type { UsageOptions } from '../../src/report/usage-view/options.ts';
import { catalog } from '../../src/resources/catalog.ts';
import { collectors } from '../../src/resources/collector.ts';
import { type SeriesMode, selectFamilies, seriesModes } from '../../src/resources/family-selection.ts';
import { startSimulator } from '../../src/simulator/server.ts';
import { readExposition, type Sample } from '../support/exposition-reader.ts';
import { viewAll } from '../support/history-folder.ts';
import { publishPage } from '../support/page-text.ts';
import { describeWithPeers } from '../support/peer.ts';
import { usualUsage } from '../support/usage-options.ts';

const ruleFile = new URL('../../dashboards/rules/dbpm.rules.yml', import.meta.url).pathname;
const stepSeconds = 30;
const steps = 121;

/** What the fleet deserves, each for a reason that was put into it on purpose. */
const deserved: readonly Readonly<Record<string, string>>[] = [
  // Made long ago, and used from wherever its jobs happen to run.
  { alertname: 'DbpmApiKeySourceAddressChanged', key_name: 'ci-pipeline' },
  { alertname: 'DbpmApiKeyTooOld', key_name: 'terraform' },
  { alertname: 'DbpmApiKeyTooOld', key_name: 'laptop of a former colleague' },
  // Last used 131, 90 and 58 days ago.
  { alertname: 'DbpmApiKeyUnused', key_name: 'laptop of a former colleague' },
  { alertname: 'DbpmApiKeyUnused', key_name: 'migration 2 (temporary)' },
  { alertname: 'DbpmApiKeyUnused', key_name: 'old-staging' },
  { alertname: 'DbpmApiKeyNeverUsed', key_name: 'backup-script' },
  { alertname: 'DbpmApiKeyNeverUsed', key_name: 'just in case' },
  // One in a hundred checks and one in fifty changed configurations fail.
  { alertname: 'DbpmOperationFailed', project_name: 'shipping-sandbox' },
  // Every sixteenth project has an operation that hangs since the day before.
  { alertname: 'DbpmOperationStuck', project_name: 'notifications-prod' },
  { alertname: 'DbpmOperationStuck', project_name: 'search-db' },
  { alertname: 'DbpmOperationUnusuallyLong', project_name: 'notifications-prod' },
];

describeWithPeers(['promtool'], 'one busy hour of the fleet of the demo', ({ promtool }) => {
  test.each(seriesModes)(
    'raises no alert but those the fleet deserves, %s',
    async mode => {
      const folder = mkdtempSync(join(tmpdir(), 'dbpm-hour-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const series = await recordFleet({
        mode,
        projects: 20,
        seed: 1,
        historyDays: 30,
        startAt: Date.parse('2026-03-03T10:00:00Z'),
        steps,
        stepSeconds,
      });
      expect(series.filter(({ name }) => name === 'dbpm_project_info').length).toBeGreaterThanOrEqual(20);
      expect(series.filter(({ name }) => name === 'dbpm_budget_projected_ratio')).toHaveLength(3);
      const file = join(folder, 'hour.test.yml');
      writeFileSync(file, renderRuleTest(series));
      await promisify(execFile)(promtool, ['test', 'rules', file]);
    },
    120_000,
  );
});

/** JSON is YAML. The rules run over the whole hour; asked at its end is what fired at any moment of it. */
function renderRuleTest(series: readonly RecordedSeries[]): string {
  const hour = `${((steps - 1) * stepSeconds) / 60}m`;
  return JSON.stringify({
    rule_files: [ruleFile],
    evaluation_interval: `${stepSeconds}s`,
    tests: [
      {
        interval: `${stepSeconds}s`,
        input_series: series.map(one => ({
          series: renderLabels(one.name, { job: 'dbpm', instance: 'demo', ...one.labels }),
          values: renderValues(one.values),
        })),
        promql_expr_test: [
          {
            expr: `group by (alertname, project_name, key_name) (last_over_time(ALERTS{alertstate="firing"}[2h]))`,
            eval_time: hour,
            exp_samples: deserved.map(labels => ({ labels: renderLabels('', labels), value: 1 })),
          },
        ],
      },
    ],
  });
}

function renderLabels(name: string, labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  return `${name}{${pairs.join(', ')}}`;
}

/** In promtool's notation; a series that goes away is `stale` at once, as after a real scrape. */
function renderValues(values: readonly (number | undefined)[]): string {
  const written = Array.from({ length: steps }, (_, step) => {
    const value = values[step];
    if (value !== undefined) return String(value).replace('Infinity', 'Inf');
    return step > 0 && values[step - 1] !== undefined ? 'stale' : '_';
  });
  return written.join(' ');
}

interface RecordingOptions {
  readonly mode: SeriesMode;
  readonly projects: number;
  readonly seed: number;
  readonly historyDays: number;
  /** Virtual time at the first page, epoch milliseconds. */
  readonly startAt: number;
  readonly steps: number;
  readonly stepSeconds: number;
}

/** Values of one series, one a step; undefined where the page did not have it. */
interface RecordedSeries {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly values: (number | undefined)[];
}

const account = 'demo';
const apiKey = 'drill-4be1c9d07a52f368';
const dayMs = 86_400_000;

/** What the fleet costs is known, and more than it will cost may be spent. */
const usageSetting: UsageOptions = {
  ...usualUsage,
  accounts: [account],
  zone: 'Europe/Berlin',
  pricing: {
    displayCurrency: 'EUR',
    billingPeriod: { kind: 'month', anchorDay: 1 },
    exchangeRates: [],
    plans: [
      {
        name: 'all',
        match: {},
        currency: 'EUR',
        prices: [{ fromAt: 0, perComputeHour: '0.16', discountPercent: '0' }],
      },
    ],
  },
  groupings: [],
  budgets: ['day', 'week', 'month'].map(per => ({
    name: `each ${per}`,
    scope: { kind: 'account', account },
    limit: { kind: 'money', amount: { day: '100', week: '600', month: '2500' }[per] ?? '' },
    per: per as 'day' | 'week' | 'month',
  })),
};

/**
 * Watches a fleet that lives in virtual time with the parts the daemon is made of, without its schedule: at every step
 * all that is due is read and recorded, and the page of that moment kept.
 *
 * @returns every series of the API metrics and of `up`, in seconds since `startAt` where it is an instant.
 */
async function recordFleet(options: RecordingOptions): Promise<readonly RecordedSeries[]> {
  const { mode, startAt, steps, stepSeconds } = options;
  const groups = selectFamilies(catalog, { mode, exclude: [], collectors });
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-recording-'));
  const simulator = await startSimulator({
    ...options,
    apiKey,
    pendingInLists: true,
    wallClock: () => startAt,
  });
  const history = new History({
    file: join(folder, 'history.sqlite'),
    accounts: [account],
    collectors,
    staleAfterMs: 45 * dayMs,
    dropAfterMs: 600_000,
  });
  const reader = new UsageReader(join(folder, 'history.sqlite'), [account]);
  const calculator = new UsageCalculator(usageSetting, reader);
  const virtualNow = () => simulator.account.timeline.now * 1000;
  const watch = openWatch(simulator.base_url, history, virtualNow, stepSeconds * 1000);
  const { signal } = new AbortController();
  const recorded = new Map<string, RecordedSeries>();
  try {
    for (let step = 0; step < steps; step += 1) {
      if (step > 0) simulator.advance(stepSeconds);
      await Promise.all([watch.poller.pollProjectList(signal), watch.poller.pollApiKeys(signal)]);
      watch.poller.beginRound(signal);
      await watch.poller.idle();
      while (history.upkeep(virtualNow()));
      calculator.analyze();
      const { text } = publishPage(groups, viewAll(history, virtualNow()), calculator.calculate()?.view);
      const up = { name: 'up', labels: {}, value: 1 };
      for (const sample of [up, ...readExposition(text)]) keep(recorded, sample, step, startAt / 1000);
    }
  } finally {
    await watch.close();
    reader.close();
    history.close();
    await simulator.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return [...recorded.values()];
}

function openWatch(base_url: string, history: History, now: () => number, scheduleMs: number) {
  const requestsPerMinute = 600_000;
  return watchAccount(
    {
      name: account,
      base_url: new URL(base_url),
      readApiKey: () => apiKey,
      requestsPerMinute,
      projects: { include: ['*'], exclude: [] },
    },
    {
      client: { userAgent: 'dbpm-exporter/test' },
      scheduleMs,
      idleRefreshMs: 900_000,
      dropAfterMs: 600_000,
      apiKeysRefreshMs: 0,
      collectors,
      now,
      commit: async reading => history.commitOne(reading),
      knownProjects: () => history.knownProjects(account),
      budget: undefined,
      onImport: () => {},
      onProblem({ error }) {
        throw error;
      },
    },
  );
}

function keep(
  recorded: Map<string, RecordedSeries>,
  { name, labels, value }: Sample,
  step: number,
  startSeconds: number,
): void {
  const key = JSON.stringify([name, labels]);
  const series = recorded.get(key) ?? { name, labels, values: [] };
  series.values[step] = name.endsWith('_timestamp_seconds') ? value - startSeconds : value;
  recorded.set(key, series);
}
