import { setTimeout as sleep } from 'node:timers/promises';
import { activeCollectors, type Config, retentionTimes } from '../config/config.ts';
import { usageOptionsOf } from '../usage/options.ts';
import type { AccountWatch } from './account-watch.ts';
import { logClockJump } from './clock-jump-log.ts';
import { HistoryClient } from './history-client.ts';
import { ImplausibleLog } from './implausible-log.ts';
import { type PollingOptions, startPolling } from './polling.ts';
import { historyWork, usageWork } from './repeated-work.ts';
import { budgetOnHostClock } from './steady-clock.ts';
import { UsageClient } from './usage-client.ts';

/** How long the start waits for what a large fleet uses to be worked out. */
const longestUsageWaitMs = 2000;

export type WatchingOptions = Omit<PollingOptions, 'config' | 'history'>;

/** Everything that follows from one configuration: the history that is written, what is worked out, and the polling. */
export class Watching {
  readonly config: Config;
  readonly history: HistoryClient;
  /** The accounts being watched, once they are polled. */
  readonly accounts: AccountWatch[];
  readonly #options: WatchingOptions;
  #usage: UsageClient;
  #polling: AsyncDisposableStack | undefined;

  private constructor(
    config: Config,
    options: WatchingOptions,
    history: HistoryClient,
    accounts: AccountWatch[],
  ) {
    this.config = config;
    this.history = history;
    this.accounts = accounts;
    this.#options = options;
    this.#usage = this.#startUsage(config);
  }

  /**
   * Opens the history and shows what is known from it, with what was used where that is worked out soon.
   *
   * @throws HistoryError when the history cannot be used; then nothing stays open.
   */
  static async open(config: Config, options: WatchingOptions): Promise<Watching> {
    const accounts: AccountWatch[] = [];
    const history = await openHistory(config, options, accounts);
    const watching = new Watching(config, options, history, accounts);
    await watching.#waitForUsage();
    return watching;
  }

  /** Begins to poll every account. */
  async poll(): Promise<void> {
    const { config, history } = this;
    this.#logAccounts();
    this.#polling = await startPolling({ ...this.#options, config, history }, this.accounts);
  }

  /** Works out use and cost by other prices, budgets and groups from now on. */
  async useSpending(config: Config): Promise<void> {
    await this.#usage.close();
    this.#usage = this.#startUsage(config);
  }

  /** Ends the polling, and then working out what was used; what is known is still shown. */
  async rest(): Promise<void> {
    await this.#polling?.disposeAsync();
    await this.#usage.close();
  }

  /** Leaves the history to the next one, after `rest`. */
  async close(): Promise<void> {
    await this.history.close();
  }

  /** A line for each account; of one that was never read there is nothing known. */
  #logAccounts(): void {
    const { log } = this.#options;
    const known = new Map(this.history.overviews.map(overview => [overview.summary.account, overview]));
    for (const { name, requestsPerMinute } of this.config.accounts) {
      const { projects = 0, endpoints = 0 } = known.get(name) ?? {};
      const isKnown = projects > 0 && { known_projects: projects, known_endpoints: endpoints };
      log.info({ account: name, requests_per_minute: requestsPerMinute, ...isKnown }, 'watching');
    }
  }

  #startUsage(config: Config): UsageClient {
    const { problems, damage } = this.#options;
    return new UsageClient(usageOptionsOf(config), {
      onStarted: calculations => this.history.showUsage(calculations),
      onFailed: error => problems.fail(usageWork, {}, error),
      onDamage: () => damage.note(),
      onDone: () => problems.succeed(usageWork, {}),
    });
  }

  /** A page without what an earlier run showed would look to Prometheus as if it were gone. */
  async #waitForUsage(): Promise<void> {
    if (!this.history.hasData) return;
    const patience = sleep(longestUsageWaitMs, undefined, { ref: false });
    await Promise.race([this.history.usageShown, this.#usage.nothingToShow, patience]);
  }
}

/** @param watches the accounts being watched, whose request budgets are remembered. */
function openHistory(
  config: Config,
  { log, self, clock, problems, damage, usedKeys }: WatchingOptions,
  watches: readonly AccountWatch[],
): Promise<HistoryClient> {
  const { accounts, collect, history, keys, series } = config;
  const collectors = activeCollectors(collect);
  const implausibleLog = new ImplausibleLog(problems);
  return HistoryClient.open(
    {
      file: history.file,
      accounts: accounts.map(({ name }) => name),
      collectors,
      projects: new Map(accounts.map(({ name, projects }) => [name, projects])),
      selection: { ...series, collectors },
      seriesLimit: series.limitPerFamily,
      staleAfterMs: keys.staleAfterMs,
      sourceAddresses: keys.sourceAddresses,
      people: keys.people,
      dropAfterMs: collect.dropAfterMs,
      keep: retentionTimes(history),
    },
    {
      readBudgets: () =>
        new Map(
          watches.map(({ account, budget }) => [
            account,
            usedKeys.markBudget(account, budgetOnHostClock(budget(), clock)),
          ]),
        ),
      onSetAside: setAside => damage.noteSetAside(setAside),
      onClockJump: jump => logClockJump(log, jump),
      onFailed(work, error) {
        if (work === 'budgets' || work === 'accruals') self.historyWriteFailures.inc();
        problems.fail(historyWork[work], {}, error);
        damage.look(error);
      },
      onRecovered: work => problems.succeed(historyWork[work], {}),
      onRecorded: (reading, implausible) => implausibleLog.note(reading, implausible),
    },
  );
}
