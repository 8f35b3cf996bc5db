import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { alerts } from '../../dashboards/rules/alert-catalog.ts';
import type { SeriesMode } from '../../src/resources/family-selection.ts';
import { type Alertmanager, startAlertmanager } from '../support/alertmanager.ts';
import { type ProgramProcess, startProgram } from '../support/daemon-process.ts';
import { readSamples } from '../support/exposition-reader.ts';
import { findFreePort } from '../support/free-port.ts';
import { type Prometheus, startPrometheus } from '../support/prometheus.ts';
import { firstProject, renderYesterday, type Stage } from './drill-action.ts';
import { startWorld, worldKey } from './simulated-world.ts';

/** Each is a service of its own: what is done to one shows in no other. */
const accountNames = [
  'main',
  'failing',
  'lagging',
  'barred',
  'limited',
  'revoked',
  'frozen',
  'odd',
  'foreign',
  'unlisted',
  'crowded',
  'costly',
] as const;
type AccountName = (typeof accountNames)[number];

/** How long what happens once is news: a busy machine must read, scrape and judge it in this time. */
const eventWindow = '30s';

/** Thresholds within the patience of a test; all else about the alerts is as by default, but for their waiting. */
const thresholds: Readonly<Record<string, Readonly<Record<string, string | number>>>> = {
  DbpmHistoryWriteFailed: { window: '10s' },
  DbpmRateLimited: { window: '10s' },
  DbpmValuesImplausible: { window: '10s' },
  DbpmCollectorFailing: { window: '15s' },
  DbpmProjectUnreadable: { age: '10s' },
  DbpmFieldsLost: { window: '15s' },
  DbpmDataStale: { list_age: '10s', project_age: '10s' },
  DbpmRequestBudgetTooSmall: { overdue: '3s' },
  DbpmOperationFailed: { window: eventWindow },
  DbpmOperationStuck: { age: '5s' },
  DbpmOperationUnusuallyLong: { factor: 2, least: '3s' },
  DbpmOperationAttemptsFail: { window: eventWindow },
  // Of the last ten minutes, as long as this lasts: an endpoint that is never awake stays below.
  DbpmEndpointNeverSuspends: { window: '15s', share: 0.005 },
  DbpmEndpointFlapping: { window: eventWindow },
  // To start an endpoint takes up to five seconds.
  DbpmEndpointStuckInTransition: { for: '10s' },
  DbpmProjectGone: { window: eventWindow, list_age: '10s' },
  DbpmProjectCpuUseUnusual: { least: '1s' },
  DbpmApiKeyNeverUsed: { age: '5s' },
  DbpmApiKeyTooOld: { age: '5s' },
  DbpmApiKeySourceAddressChanged: { window: eventWindow },
  DbpmUsageStale: { age: '20s' },
  DbpmMeterStopped: { age: '10s' },
  DbpmUsageUnpriced: { least: '1s' },
  DbpmUsageUnusual: { least: '1m' },
  DbpmBudgetBurnsFast: { rate: 1.5 },
};

/** Services, the daemon that watches them, and the Prometheus and the Alertmanager behind it: all real. */
export interface Drill {
  /** How the page of the daemon shows things. */
  readonly mode: SeriesMode;
  readonly stages: Readonly<Record<AccountName, Stage>>;
  readonly prometheus: Prometheus;
  readonly alertmanager: Alertmanager;
  /** Where Prometheus scrapes the daemon. */
  readonly metricsUrl: string;
  readonly historyFile: string;
  /** A project of `main` that hardly used any compute yesterday, as Prometheus remembers. */
  readonly frugalProject: string;
  /** Gives the daemon other sections `pricing` and `budgets` when it is started next. */
  writeSpending(spending: Spending): void;
  /** Has the daemon load its configuration anew. */
  reload(): void;
  /** Puts another key where the daemon reads it. */
  writeKey(account: AccountName, key: string): void;
  stopDaemon(): Promise<void>;
  /** @param env settings it is given besides those of its file. */
  startDaemon(env?: Readonly<Record<string, string>>): Promise<void>;
  close(): Promise<void>;
}

export async function openDrill(
  peers: Readonly<Record<'prometheus' | 'promtool' | 'prometheus-alertmanager', string>>,
  mode: SeriesMode,
): Promise<Drill> {
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-drill-'));
  const url = `http://127.0.0.1:${await findFreePort()}`;
  const stages = await openStages(url);
  const historyFile = join(folder, 'history.sqlite');
  const configFile = join(folder, 'config.yml');
  const writeKey = (account: AccountName, key: string) =>
    writeFileSync(join(folder, `${account}.key`), key, { mode: 0o600 });
  for (const account of accountNames) writeKey(account, worldKey);
  const writeSpending = (spending: Spending) =>
    writeFileSync(configFile, renderConfig(stages, { url, historyFile, mode, spending }));
  writeSpending(amplePrices);
  const ruleFile = join(folder, 'rules.yml');
  writeFileSync(ruleFile, await printRules(configFile));

  let daemon: ProgramProcess | undefined;
  const startDaemon = async (env: Readonly<Record<string, string>> = {}) => {
    daemon = startProgram(['serve', '--config.file', configFile], env);
    await daemon.untilWritten('stderr', /msg=serving url=(\S+)/);
  };
  await startDaemon();
  const frugalProject = (await firstProject(stages.main)).project_id;
  const alertmanager = await startAlertmanager(peers['prometheus-alertmanager']);
  const past = { promtool: peers.promtool, openMetrics: renderYesterday(new URL(url).host, frugalProject) };
  const metricsUrl = `${url}/metrics`;
  const options = { ruleFile, alertmanager: alertmanager.url, past };
  const prometheus = await startPrometheus(peers.prometheus, { dbpm: metricsUrl }, options);
  return {
    ...{
      mode,
      stages,
      prometheus,
      alertmanager,
      metricsUrl,
      historyFile,
      frugalProject,
      writeSpending,
      writeKey,
      startDaemon,
    },
    reload: () => daemon?.signal('SIGHUP'),
    async stopDaemon() {
      await daemon?.stop('SIGTERM');
    },
    async close() {
      await prometheus.close();
      await alertmanager.close();
      await daemon?.stop('SIGKILL');
      await Promise.all(Object.values(stages).map(({ world }) => world.close()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function openStages(url: string): Promise<Readonly<Record<AccountName, Stage>>> {
  const open = async (name: AccountName, index: number) => {
    const life = name === 'costly' ? { historyDays: 6, showcase: true } : { historyDays: 1 };
    // Only a later version has quotas.
    const version = name === 'odd' ? ({ api: 'later' } as const) : {};
    const world = await startWorld({
      projects: 2,
      seed: index + 1,
      pendingInLists: true,
      ...life,
      ...version,
    });
    return [name, { world, scrape: () => readSamples(url) }] as const;
  };
  return Object.fromEntries(await Promise.all(accountNames.map(open))) as Record<AccountName, Stage>;
}

/** JSON is YAML. Everything is read every second, which the budget of `crowded` allows for its two projects and few more. */
function renderConfig(
  stages: Readonly<Record<AccountName, Stage>>,
  {
    url,
    historyFile,
    mode,
    spending,
  }: {
    readonly url: string;
    readonly historyFile: string;
    readonly mode: SeriesMode;
    readonly spending: Spending;
  },
): string {
  const shortened = alerts.map(({ name, keepFiringFor }) => [
    name,
    { for: '1s', ...(keepFiringFor !== undefined && { keep_firing_for: '1s' }), ...thresholds[name] },
  ]);
  return JSON.stringify({
    accounts: Object.entries(stages).map(([name, { world }]) => ({
      name,
      base_url: world.simulator.base_url,
      api_key_file: `${name}.key`,
      requests_per_minute: name === 'crowded' ? 600 : 60_000,
    })),
    collect: { schedule: '* * * * * *', idle_refresh: '1s', api_keys_refresh: '1s' },
    series: { mode },
    keys: { stale_after: '10s' },
    history: { file: historyFile },
    usage: { refresh: '1s', anomaly_compute_hours: 1 },
    ...spending,
    web: { listen_address: new URL(url).host },
    rules: { alerts: Object.fromEntries(shortened) },
  });
}

/** The rule file as its user gets it. */
async function printRules(configFile: string): Promise<string> {
  const program = startProgram(['rules', '--config.file', configFile]);
  const { code } = await program.exited;
  if (code !== 0) throw new Error(`rules ended with ${code}: ${program.stderr()}`);
  return program.stdout();
}

/** Sections of the daemon's configuration. */
interface Spending {
  readonly pricing: object;
  readonly budgets: readonly object[];
}

const day = 86_400_000;
const date = (at: number) => new Date(at).toISOString().slice(0, 10);

function pricesOf(plans: readonly object[]): object {
  // The fleet is six days old.
  return { currency: 'EUR', billing_period: { hours: 744, from: date(Date.now() - 5 * day) }, plans };
}

/** Everything has a price, next to nothing is charged, and far more may be spent than ever is. */
export const amplePrices: Spending = {
  pricing: pricesOf([{ name: 'all', prices: [{ from: '2020-01-01', per_compute_hour: '0.0001' }] }]),
  budgets: [
    { name: 'short', account: 'costly', compute_hours: '1000000', per: 'billing' },
    { name: 'hasty', account: 'costly', compute_hours: '1000000', per: 'billing' },
  ],
};

/** A price that makes every finding worth an alert, none for the other accounts, and budgets that will not do. */
export const scarceBudgets: Spending = {
  pricing: pricesOf([
    {
      name: 'dear',
      match: { accounts: ['costly'] },
      prices: [{ from: '2020-01-01', per_compute_hour: '10' }],
    },
  ]),
  budgets: [
    { name: 'short', account: 'costly', compute_hours: '1', per: 'billing' },
    // Of some hundred compute hours a day, the fleet uses this up in about ten days.
    { name: 'hasty', account: 'costly', compute_hours: '1100', per: 'billing' },
  ],
};
