import type { Config } from '../config/config.ts';
import { renderProblem } from '../config/problem.ts';
import type { Takeover } from '../history/file/owner.ts';
import { describeError } from '../log/error-record.ts';
import type { Logger } from '../log/logger.ts';
import type { RequestPressure } from '../resources/request-budget.ts';
import { findChange, type LoadConfig, loadAgain } from './config-change.ts';
import { pressureOnHostClock } from './steady-clock.ts';
import { mayStepDown, openWatching, tryTakeOver, watchLock } from './succession.ts';
import { Watching, type WatchingOptions } from './watching.ts';

interface ReloadOptions extends WatchingOptions {
  readonly loadConfig: LoadConfig;
  readonly onReload: (succeeded: boolean) => void;
  /** Told of each reload when it begins. */
  readonly onReloading: (reload: Promise<unknown>) => void;
  /** Told when the daemon cannot go on. */
  readonly onLost: (error: unknown) => void;
}

/** What is watched now, and how another configuration takes the place of the one in use: wholly, or not at all. */
export class ReloadableWatching {
  readonly #options: ReloadOptions;
  readonly #log: Logger;
  #current: Watching;
  #config: Config;
  readonly #carried = new CarriedWork();
  #last: Promise<unknown> = Promise.resolve();
  #waiting: { close(): void } | undefined;
  #lastReload: { readonly at: number; readonly succeeded: boolean } | undefined;

  constructor(current: Watching, options: ReloadOptions) {
    this.#options = options;
    this.#log = options.log;
    this.#current = current;
    this.#config = current.config;
    this.#follow(current);
  }

  get current(): Watching {
    return this.#current;
  }

  /** Its place among the daemons of its history; undefined where it waits for no other one. */
  get succession() {
    const { config, isStandby, history } = this.#current;
    return config.history.standby ? { isStandby, takeovers: history.shown.takeovers } : undefined;
  }

  /** How hard each account's request budget is pressed, by the host's clock. */
  pressures(): (readonly [account: string, pressure: RequestPressure])[] {
    const { clock } = this.#options;
    return this.#current.accounts.map(({ account, poller }) => {
      const pressure = pressureOnHostClock(poller.pressure(clock.now()), clock);
      return [account, this.#carried.addTo(account, pressure)];
    });
  }

  /** When the configuration was last loaded again, by the host's clock, and whether it could be; undefined before. */
  get lastReload() {
    return this.#lastReload;
  }

  /** Ends waiting for the history, so that nothing takes it over any more. */
  stopWaiting(): void {
    this.#waiting?.close();
  }

  /** Resolves once no reload or takeover is under way. */
  get settled(): Promise<unknown> {
    return this.#last;
  }

  /**
   * Loads the configuration anew and goes on with it, one reload after another.
   *
   * @returns a sentence for each problem, with which all stays as it was; none when it is in use.
   */
  reload(): Promise<readonly string[]> {
    const problems = this.#inTurn(() => this.#reload());
    this.#options.onReloading(problems);
    return problems;
  }

  async #reload(): Promise<readonly string[]> {
    // They are the answer to the reload.
    const problems = (await this.#tryReload()).map(this.#log.redact);
    this.#lastReload = { at: Date.now(), succeeded: problems.length === 0 };
    this.#options.onReload(problems.length === 0);
    for (const problem of problems) {
      this.#log.error({ problem }, 'the configuration stays as it was');
    }
    return problems;
  }

  async #tryReload(): Promise<readonly string[]> {
    if (this.#options.signal.aborted) return ['the daemon is stopping'];
    const loaded = await loadAgain(this.#options.loadConfig, this.#config);
    if ('problems' in loaded) return loaded.problems;
    const { config, warnings } = loaded;
    const change = findChange(this.#config, config);
    if (change === 'watching') {
      const problem = await this.#replace(config);
      if (problem !== undefined) return [problem];
    } else if (change === 'spending') await this.#current.useSpending(config);
    this.#config = config;
    for (const warning of warnings) this.#log.warn(renderProblem(warning));
    this.#log.info({ changed: change }, 'the configuration was loaded again');
    return [];
  }

  /** The history has one writer: what was watched ends before the next begins, while its page is still served. */
  async #replace(config: Config): Promise<string | undefined> {
    const before = this.#current;
    await this.#rest(before);
    await before.close();
    try {
      await this.#begin(config);
      return undefined;
    } catch (error) {
      this.#log.error({ err: error }, 'the new configuration could not be used');
      await this.#begin(this.#config).catch(this.#options.onLost);
      return describeError(error);
    }
  }

  async #begin(config: Config): Promise<void> {
    const next = await openWatching(config, this.#options);
    this.#use(next);
    await next.poll();
  }

  #use(next: Watching): void {
    this.#current = next;
    this.#follow(next);
  }

  /** Ends the polling, and keeps what it counted. */
  async #rest(before: Watching): Promise<void> {
    await before.rest();
    for (const { account, poller } of before.accounts) {
      this.#carried.carry(account, poller.pressure(this.#options.clock.now()));
    }
    before.accounts.length = 0;
  }

  #follow(watching: Watching): void {
    this.#waiting?.close();
    this.#waiting = watching.isStandby
      ? watchLock(watching.config.history.file, takeover => this.#takeOver(takeover))
      : undefined;
    watching.history.failed.catch(error => {
      if (!mayStepDown(watching.config, error)) return this.#options.onLost(error);
      this.#inTurn(() => this.#stepDown(watching, error)).catch(this.#options.onLost);
    });
  }

  /** The page of the standby is served until the one of the daemon that it becomes is there. */
  #takeOver(takeover: Takeover): Promise<boolean> {
    return this.#inTurn(async () => {
      const before = this.#current;
      if (this.#options.signal.aborted || !before.isStandby) return false;
      const next = await tryTakeOver(before, this.#options, takeover);
      if (next === undefined) return false;
      this.#use(next);
      await before.rest();
      await before.close();
      await next.poll();
      return true;
    });
  }

  /** Another daemon has the history: nothing more is asked or written, and its page is shown. */
  async #stepDown(before: Watching, error: unknown): Promise<void> {
    if (this.#options.signal.aborted || before !== this.#current) return;
    this.#log.warn({ err: error }, 'standing by: another daemon took the history over');
    await this.#rest(before);
    this.#options.stalls.beginAnew();
    this.#use(await Watching.open(before.config, this.#options, { kind: 'standby' }));
    await before.close();
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }
}

type Skipped = Pick<RequestPressure, 'skippedListPolls' | 'lateIdle'>;

/** What pollers that are gone had counted, by account: the next ones count from 0 again. */
class CarriedWork {
  readonly #skipped = new Map<string, Skipped>();

  /** Takes over the counts of a poller that ends. */
  carry(account: string, pressure: Skipped): void {
    this.#skipped.set(account, this.addTo(account, pressure));
  }

  /** The pressure with all that was counted since the daemon started. */
  addTo<Pressure extends Skipped>(account: string, pressure: Pressure): Pressure {
    const { skippedListPolls = 0, lateIdle = 0 } = this.#skipped.get(account) ?? {};
    return {
      ...pressure,
      skippedListPolls: pressure.skippedListPolls + skippedListPolls,
      lateIdle: pressure.lateIdle + lateIdle,
    };
  }
}
