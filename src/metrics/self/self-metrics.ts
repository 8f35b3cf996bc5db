import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { listRoutes } from '../../resources/catalog.ts';
import type { Collector } from '../../resources/collector.ts';
import { seconds } from '../../resources/family.ts';
import { type Reason, reasons } from '../../resources/reason.ts';
import type { Shard } from '../../resources/shard.ts';
import {
  type LoginOutcome,
  loginOutcomes,
  type TurnedAwayReason,
  turnedAwayReasons,
} from '../../resources/web-access.ts';
import type { Format } from '../page/exposition.ts';
import type { RenderedPage } from '../publication/publication.ts';
import type { DelayFigures } from './loop-delay.ts';
import { ProcessMetrics } from './process-metrics.ts';
import {
  declarePressure,
  declareSuccession,
  metricOptions,
  type ReadPressures,
  type SuccessionState,
} from './scrape-metrics.ts';
import { type SelfFamily, selfFamilies } from './self-family.ts';
import { SelfText } from './self-text.ts';

/** One request to the service that came to an end. */
interface RequestAttempt {
  readonly route: string;
  readonly outcome: 'ok' | Reason;
  readonly durationMs: number;
}

/** Figures that are read at every scrape. */
export interface SelfReadings {
  readonly historySizeBytes: () => number;
  readonly budgets: () => Iterable<readonly [account: string, perMinute: number]>;
  /** Instants in epoch milliseconds; only of accounts that are to be left alone. */
  readonly pauses: () => Iterable<readonly [account: string, untilAt: number]>;
  readonly pressures: ReadPressures;
  readonly stalled: () => Iterable<readonly [account: string, isStalled: boolean]>;
  readonly loopDelay: () => DelayFigures;
  /** Undefined where it waits for no other daemon; absent where there can be none. */
  readonly succession?: () => SuccessionState | undefined;
  /** Undefined before the first. */
  readonly lastPage: () =>
    | Pick<RenderedPage, 'series' | 'missing' | 'publishedAt' | 'durationMs'>
    | undefined;
}

interface SelfOptions {
  readonly version: string;
  readonly revision: string;
  /** Absent where there are none. */
  readonly shard?: Shard;
  readonly read: SelfReadings;
}

const optionalNames: ReadonlySet<string> = new Set(
  Object.values<SelfFamily>(selfFamilies).flatMap(({ name, isOptional }) => (isOptional ? [name] : [])),
);

/** The daemon's metrics about itself, through prom-client; rendered beside the page. */
export class SelfMetrics {
  readonly #registry = new Registry();
  readonly #process = new ProcessMetrics(() => performance.now());
  readonly #text = new SelfText();
  readonly historyWriteFailures: Counter;
  readonly #historyDamaged: Gauge;
  readonly #historySetAside: Gauge;
  readonly #backupTimestamp: Gauge;
  readonly #backupSuccess: Gauge;
  readonly #turnedAway: Counter;
  readonly #logins: Counter;
  readonly #dateOffset: Gauge;
  readonly #apiRequests: Counter;
  readonly #apiRequestDuration: Histogram;
  #isLoaded = true;
  /** Accounts whose key file cannot be used. */
  readonly #lostKeys = new Set<string>();
  readonly #reloadSuccessful: Gauge;
  readonly #reloadTimestamp: Gauge;

  constructor(options: SelfOptions) {
    const buildInfo = new Gauge(this.#declare(selfFamilies.buildInfo));
    const { version, revision } = options;
    buildInfo.set({ version, revision, node_version: process.version }, 1);
    this.#declareShard(options.shard);
    this.#apiRequests = new Counter(this.#declare(selfFamilies.apiRequests));
    this.#apiRequestDuration = new Histogram({
      ...this.#declare(selfFamilies.apiRequestDuration),
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    });
    this.historyWriteFailures = new Counter(this.#declare(selfFamilies.historyWriteFailures));
    this.#historyDamaged = new Gauge(this.#declare(selfFamilies.historyDamaged));
    this.#historySetAside = new Gauge(this.#declare(selfFamilies.historySetAsideTimestamp));
    // Without labels it would begin at 0.
    this.#historySetAside.remove();
    this.#backupTimestamp = new Gauge(this.#declare(selfFamilies.historyBackupTimestamp));
    this.#backupTimestamp.remove();
    this.#backupSuccess = new Gauge(this.#declare(selfFamilies.historyBackupSuccess));
    this.#backupSuccess.remove();
    this.#dateOffset = new Gauge(this.#declare(selfFamilies.dateOffset));
    this.#turnedAway = new Counter(this.#declare(selfFamilies.httpTurnedAway));
    for (const reason of turnedAwayReasons) this.#turnedAway.inc({ reason }, 0);
    this.#logins = new Counter(this.#declare(selfFamilies.httpLogins));
    for (const outcome of loginOutcomes) this.#logins.inc({ outcome }, 0);
    this.#reloadSuccessful = new Gauge(this.#declare(selfFamilies.lastReloadSuccessful));
    this.#reloadTimestamp = new Gauge(this.#declare(selfFamilies.lastReloadSuccessTimestamp));
    this.noteReload(true);
    this.#declareReadings(options.read);
  }

  /** Takes down whether the configuration was loaded without a problem. */
  readonly noteReload = (succeeded: boolean): void => {
    this.#isLoaded = succeeded;
    if (succeeded) {
      // Every key was read with it.
      this.#lostKeys.clear();
      this.#reloadTimestamp.setToCurrentTime();
    }
    this.#showReload();
  };

  /** Takes down whether the key file of an account can be used; while one cannot, the configuration would not be loaded. */
  readonly noteKeyFile = (account: string, isUsable: boolean): void => {
    if (isUsable) this.#lostKeys.delete(account);
    else this.#lostKeys.add(account);
    this.#showReload();
  };

  #showReload(): void {
    this.#reloadSuccessful.set(this.#isLoaded && this.#lostKeys.size === 0 ? 1 : 0);
  }

  #declareShard(shard: Shard | undefined): void {
    if (shard === undefined) return;
    const { index, count } = shard;
    new Gauge(this.#declare(selfFamilies.shardInfo)).set({ shard: String(index), shards: String(count) }, 1);
    new Gauge(this.#declare(selfFamilies.shards)).set(count);
  }

  /** Takes down that the history is damaged, which only a restart can end. */
  readonly noteHistoryDamaged = (): void => this.#historyDamaged.set(1);

  /** Takes down when a damaged history was set aside, in epoch milliseconds. */
  readonly noteHistorySetAside = (at: number): void => {
    this.#historySetAside.set(at / 1000);
  };

  /** Takes down when the newest backup was made, in epoch milliseconds. */
  readonly noteBackup = (at: number): void => this.#backupTimestamp.set(at / 1000);

  /** Takes down how the last attempt to make a backup ended. */
  readonly noteBackupOutcome = (succeeded: boolean): void => this.#backupSuccess.set(Number(succeeded));

  /** Takes down how far the date of an account's answer is from the instant it was taken for, in milliseconds; 0 where it is believed. */
  readonly noteDate = (account: string, offMs: number): void => {
    if (offMs === 0) this.#dateOffset.remove({ account });
    else this.#dateOffset.set({ account }, offMs / 1000);
  };

  /** Forgets the dates of all accounts: some may be gone. */
  readonly forgetDates = (): void => this.#dateOffset.reset();

  /** Counts a client that was not served to the end. */
  readonly countTurnedAway = (reason: TurnedAwayReason): void => this.#turnedAway.inc({ reason });

  /** Counts a request that came with a login. */
  readonly countLogin = (outcome: LoginOutcome): void => this.#logins.inc({ outcome });

  #declareReadings(read: SelfReadings): void {
    const { historySizeBytes, loopDelay, lastPage } = read;
    const declare = (family: SelfFamily, measure: () => number | undefined) =>
      this.#declareReadAtScrape(family, gauge => gauge.set(measure() ?? Number.NaN));
    const declareByAccount = (
      family: SelfFamily,
      measure: () => Iterable<readonly [account: string, value: number | boolean]>,
    ) =>
      this.#declareReadAtScrape(family, gauge => {
        // An account that is gone has none.
        gauge.reset();
        for (const [account, value] of measure()) gauge.set({ account }, Number(value));
      });
    declare(selfFamilies.historySize, historySizeBytes);
    declareByAccount(selfFamilies.requestBudget, read.budgets);
    declareByAccount(selfFamilies.pausedUntilTimestamp, () =>
      Iterator.from(read.pauses()).map(([account, untilAt]) => [account, untilAt / 1000] as const),
    );
    declareByAccount(selfFamilies.pollingStalled, read.stalled);
    declarePressure(this.#registry, read.pressures);
    declare(selfFamilies.eventLoopDelayP99, () => loopDelay().p99Seconds);
    declare(selfFamilies.eventLoopDelayMax, () => loopDelay().maxSeconds);
    declare(selfFamilies.publishedSeries, () => lastPage()?.series);
    if (read.succession !== undefined) declareSuccession(this.#registry, read.succession);
    this.#declareReadAtScrape(selfFamilies.seriesDropped, gauge => {
      for (const [family, series] of lastPage()?.missing ?? []) gauge.set({ family }, series);
    });
    declare(selfFamilies.publishedTimestamp, () => seconds(lastPage()?.publishedAt));
    declare(selfFamilies.publishDuration, () => seconds(lastPage()?.durationMs));
  }

  /**
   * Counts the requests of an account; every outcome of every route is born at 0, of one that is rarely asked with its first.
   *
   * @param collectors the ones that are on: routes of others are not asked, and have no series.
   */
  requestCounter(account: string, collectors: readonly Collector[]): (attempt: RequestAttempt) => void {
    const born = new Set<string>();
    const bear = (route: string) => {
      for (const outcome of ['ok', ...reasons]) this.#apiRequests.inc({ account, route, outcome }, 0);
      born.add(route);
    };
    for (const route of listRoutes(collectors)) bear(route);
    return ({ route, outcome, durationMs }) => {
      // Of what not every service offers nothing is shown until it is asked for.
      if (!born.has(route)) bear(route);
      this.#apiRequests.inc({ account, route, outcome });
      this.#apiRequestDuration.observe({ route }, durationMs / 1000);
    };
  }

  /** All self-metrics as they are now, to be appended to the page; OpenMetrics with its end mark. */
  async render(format: Format): Promise<string> {
    const [ofProcess, own] = await Promise.all([this.#process.read(), this.#registry.getMetricsAsJSON()]);
    const shown = own.filter(({ name, values }) => values.length > 0 || !optionalNames.has(name));
    return this.#text.render(ofProcess, shown, format);
  }

  #declare(family: SelfFamily) {
    return metricOptions(family, this.#registry);
  }

  #declareReadAtScrape(family: SelfFamily, read: (gauge: Gauge) => void): void {
    new Gauge({
      ...this.#declare(family),
      collect() {
        read(this);
      },
    });
  }
}
