import { setTimeout as sleep } from 'node:timers/promises';
import { activeCollectors, type Config, retentionTimes } from '../config/config.ts';
import { consoleConfigOf } from '../console/console-config.ts';
import type { LiveState } from '../console/live-state.ts';
import type { PageQuestion } from '../console/page.ts';
import { LockBeat } from '../history/file/lock.ts';
import type { Takeover } from '../history/file/owner.ts';
import type { MadePage, RefusedPage } from '../http/console-answer.ts';
import { usageOptionsOf } from '../report/usage-view/options.ts';
import { compact } from '../resources/field.ts';
import type { AccountWatch } from './account-watch.ts';
import { ConsoleClient } from './console-client.ts';
import { HistoryClient } from './history-client.ts';
import { type PollingOptions, startPolling } from './polling.ts';
import { historyWork, ImplausibleLog, logClockJump, usageWork } from './repeated-work.ts';
import { convertBudget } from './steady-clock.ts';
import { UsageClient } from './usage-client.ts';

/** How long the start waits for what a large fleet uses to be worked out. */
const longestUsageWaitMs = 2000;

export type WatchingOptions = Omit<PollingOptions, 'config' | 'history'> & {
  /** The state of the running daemon, for the pages that show it. */
  readonly readLive: () => LiveState;
};

/** The part of a daemon: it writes the history, having waited for it or not, or it waits for it. */
type Role = { readonly kind: 'active'; readonly takeover?: Takeover } | { readonly kind: 'standby' };

/** Everything that follows from one configuration: the history that is written, what is worked out, and the polling. */
export class Watching {
  readonly config: Config;
  readonly isStandby: boolean;
  readonly history: HistoryClient;
  /** The accounts being watched, once they are polled. */
  readonly accounts: AccountWatch[];
  readonly #options: WatchingOptions;
  #usage: UsageClient;
  #console: ConsoleClient | undefined;
  #polling: AsyncDisposableStack | undefined;
  readonly #beats: LockBeat | undefined;

  private constructor(config: Config, options: WatchingOptions, { history, accounts, beats }: OpenedHistory) {
    this.config = config;
    this.history = history;
    this.isStandby = beats === undefined;
    this.accounts = accounts;
    this.#beats = beats;
    this.#options = options;
    this.#usage = this.#startUsage(config);
    this.#console = this.#openConsole(config);
  }

  /** Whether another daemon took the history, which this one is only about to notice: it shows what was. */
  get isOutdated(): boolean {
    return this.#beats !== undefined && !this.#beats.isOurs();
  }

  /** A page of the console, where it is on. */
  answerPage(question: PageQuestion, gone?: AbortSignal): Promise<MadePage | RefusedPage> {
    if (this.#console === undefined) throw new Error('the console is off');
    return this.#console.answer(question, gone);
  }

  /**
   * Opens the history and shows what is known from it, with what was used where that is worked out soon.
   *
   * @throws HistoryError when the history cannot be used; then nothing stays open.
   */
  static async open(config: Config, options: WatchingOptions, role: Role): Promise<Watching> {
    const accounts: AccountWatch[] = [];
    // A daemon that takes long to open the history has it already.
    const beats = role.kind === 'active' ? new LockBeat(config.history.file) : undefined;
    let watching: Watching | undefined;
    try {
      const history = await startHistory(config, options, { role, watches: accounts });
      const { ownerToken } = history;
      if (ownerToken !== undefined) beats?.noteTaken(ownerToken);
      // Use is worked out while the page is made: each has a thread of its own.
      watching = new Watching(config, options, { history, accounts, beats });
      await history.opened;
      await watching.#waitForUsage();
      return watching;
    } catch (error) {
      await watching?.rest();
      await watching?.close();
      beats?.close();
      throw error;
    }
  }

  /** Begins to poll every account, but for a standby. */
  async poll(): Promise<void> {
    if (this.isStandby) return;
    const { config, history } = this;
    this.#logAccounts();
    this.#polling = await startPolling({ ...this.#options, config, history }, this.accounts);
  }

  /** Resolves when use and cost were worked out for the first time since this configuration holds. */
  get workedOut(): Promise<void> {
    return this.#usage.workedOut;
  }

  /** Works out use and cost by other prices, budgets and groups from now on. */
  async useSpending(config: Config): Promise<void> {
    await this.#usage.close();
    this.#usage = this.#startUsage(config);
    const before = this.#console;
    this.#console = this.#openConsole(config);
    await before?.close();
  }

  /** Ends the polling, and then working out what was used; what is known is still shown. */
  async rest(): Promise<void> {
    await this.#polling?.disposeAsync();
    await this.#usage.close();
  }

  /** Leaves the history to the next one, after `rest`. */
  async close(): Promise<void> {
    await this.#console?.close();
    await this.history.close();
    this.#beats?.close();
  }

  /** A line for each account; of one that was never read there is nothing known. */
  #logAccounts(): void {
    const { log } = this.#options;
    const known = new Map(this.history.shown.overviews.map(overview => [overview.summary.account, overview]));
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
      onFailed: error => {
        problems.fail(usageWork, {}, error);
        damage.look(error);
      },
      onDone: () => problems.succeed(usageWork, {}),
      ...(config.web.console && {
        reports: consoleConfigOf(config),
        onFollowed: () => this.#console?.renewReports(),
      }),
    });
  }

  #openConsole(config: Config): ConsoleClient | undefined {
    if (!config.web.console) return undefined;
    return new ConsoleClient(consoleConfigOf(config), { ...this.#options, usage: () => this.#usage });
  }

  /** A page without what an earlier run showed would look to Prometheus as if it were gone. */
  async #waitForUsage(): Promise<void> {
    if (!this.history.shown.hasData) return;
    const patience = sleep(longestUsageWaitMs, undefined, { ref: false });
    await Promise.race([this.history.usageShown, this.#usage.nothingToShow, patience]);
  }
}

const copyLines = {
  opened: 'the history is a copy: counters are shown as soon as they were read again',
  caught_up: 'all of the copy was read again',
} as const;

interface OpenedHistory {
  readonly history: HistoryClient;
  readonly accounts: AccountWatch[];
  /** Signs of life for a standby; a standby gives none. */
  readonly beats: LockBeat | undefined;
}

interface HistoryUse {
  readonly role: Role;
  /** The accounts being watched, whose request budgets are remembered. */
  readonly watches: readonly AccountWatch[];
}

function startHistory(
  config: Config,
  { log, self, clock, problems, damage, usedKeys }: WatchingOptions,
  { role, watches }: HistoryUse,
): Promise<HistoryClient> {
  const { accounts, collect, history, keys, series, pricing, shard } = config;
  const collectors = activeCollectors(collect);
  const implausibleLog = new ImplausibleLog(problems);
  return HistoryClient.start(
    {
      file: history.file,
      ...(role.kind === 'standby' ? { isStandby: true } : compact({ takeover: role.takeover })),
      accounts: accounts.map(({ name }) => name),
      collectors,
      projects: new Map(accounts.map(({ name, projects }) => [name, projects])),
      selection: { ...series, collectors },
      seriesLimit: series.limitPerFamily,
      staleAfterMs: keys.staleAfterMs,
      sourceAddresses: keys.sourceAddresses,
      people: keys.people,
      ...(shard && { shard }),
      ...(pricing?.meter && { meterUnit: pricing.meter.unit }),
      dropAfterMs: collect.dropAfterMs,
      keep: retentionTimes(history),
      backup: {
        everyMs: history.backupEveryMs,
        keep: history.backupKeep,
        directory: history.backupDirectory,
      },
    },
    {
      readBudgets: () =>
        new Map(
          watches.map(({ account, budget }) => [
            account,
            usedKeys.markBudget(
              account,
              convertBudget(budget(), at => clock.toHostClock(at)),
            ),
          ]),
        ),
      onSetAside: setAside => damage.noteSetAside(setAside),
      onBackup(at, isNew) {
        self.noteBackup(at);
        if (isNew) self.noteBackupOutcome(true);
      },
      onCopy: what => log.info({ history: history.file }, copyLines[what]),
      onClockJump: jump => logClockJump(log, jump),
      onFailed(work, error) {
        if (work === 'budgets' || work === 'accruals') self.historyWriteFailures.inc();
        if (work === 'backup') self.noteBackupOutcome(false);
        problems.fail(historyWork[work], {}, error);
        damage.look(error);
      },
      onRecovered: work => problems.succeed(historyWork[work], {}),
      onCommitted: (reading, implausible) => implausibleLog.note(reading, implausible),
    },
  );
}
