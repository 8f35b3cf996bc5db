import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchAccount } from '../../src/daemon/account-watch.ts';
import { History } from '../../src/history/history.ts';
import { UsageReader } from '../../src/history/usage/usage-history.ts';
import { catalog } from '../../src/resources/catalog.ts';
import { collectors } from '../../src/resources/collector.ts';
import { type SeriesMode, selectFamilies } from '../../src/resources/series/family-selection.ts';
import { startSimulator } from '../../src/simulator/server.ts';
import { UsageCalculator } from '../../src/usage/calculator.ts';
import type { UsageOptions } from '../../src/usage/options.ts';
import { readExposition, type Sample } from '../support/exposition-reader.ts';
import { viewAll } from '../support/history-folder.ts';
import { publishPage } from '../support/page-text.ts';

export interface RecordingOptions {
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
export interface RecordedSeries {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly values: (number | undefined)[];
}

const account = 'demo';
const apiKey = 'drill-4be1c9d07a52f368';
const dayMs = 86_400_000;

/** What the fleet costs is known, and more than it will cost may be spent. */
const usageSetting: UsageOptions = {
  historyFile: '',
  accounts: [account],
  zone: 'Europe/Berlin',
  refreshMs: 60_000,
  anomalyComputeSeconds: 3600,
  anomalyBytes: 1e10,
  anomalyBranches: 10,
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
export async function recordFleet(options: RecordingOptions): Promise<readonly RecordedSeries[]> {
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
      userAgent: 'dbpm-exporter/test',
      scheduleMs,
      idleRefreshMs: 900_000,
      dropAfterMs: 600_000,
      apiKeysRefreshMs: 0,
      collectors,
      now,
      record: async reading => history.record(reading),
      knownProjects: () => history.knownProjects(account),
      budget: undefined,
      onAttempt: () => {},
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
