import type { Config } from '../config/config.ts';
import { ConfigFailure } from '../config/config-failure.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { renderProblem } from '../config/problem.ts';
import { describeError } from '../log/error-record.ts';
import type { Logger } from '../log/logger.ts';
import type { RequestPressure } from '../resources/request-pressure.ts';
import { CarriedWork } from './carried-work.ts';
import { findChange, listRestartSettings } from './config-change.ts';
import { pressureOnHostClock } from './steady-clock.ts';
import { Watching, type WatchingOptions } from './watching.ts';

export interface ReloadOptions extends WatchingOptions {
  /** @throws ConfigFailure with every problem. */
  readonly loadConfig: () => Promise<Pick<LoadedConfig, 'config' | 'warnings'>>;
  readonly onReload: (succeeded: boolean) => void;
  /** Takes the keys that were ever in use out of a text. */
  readonly redact: (text: string) => string;
  /** Told of each reload when it begins. */
  readonly onReloading?: (reload: Promise<unknown>) => void;
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

  /** How hard each account's request budget is pressed, by the host's clock. */
  pressures(): (readonly [account: string, pressure: RequestPressure])[] {
    const { clock } = this.#options;
    return this.#current.accounts.map(({ account, poller }) => {
      const pressure = pressureOnHostClock(poller.pressure(clock.now()), clock);
      return [account, this.#carried.addTo(account, pressure)];
    });
  }

  /** Resolves once no reload is under way. */
  get settled(): Promise<unknown> {
    return this.#last;
  }

  /**
   * Loads the configuration anew and goes on with it, one reload after another.
   *
   * @returns a sentence for each problem, with which all stays as it was; none when it is in use.
   */
  reload(): Promise<readonly string[]> {
    const problems = this.#last.then(() => this.#reload());
    this.#last = problems.catch(() => {});
    this.#options.onReloading?.(problems);
    return problems;
  }

  async #reload(): Promise<readonly string[]> {
    // Whoever asks for a reload is told them.
    const problems = (await this.#tryReload()).map(this.#options.redact);
    this.#options.onReload(problems.length === 0);
    for (const problem of problems) {
      this.#log.error({ problem }, 'the configuration stays as it was');
    }
    return problems;
  }

  async #tryReload(): Promise<readonly string[]> {
    if (this.#options.signal.aborted) return ['the daemon is stopping'];
    let loaded: Pick<LoadedConfig, 'config' | 'warnings'>;
    try {
      loaded = await this.#options.loadConfig();
    } catch (error) {
      return error instanceof ConfigFailure ? error.problems.map(renderProblem) : [describeError(error)];
    }
    const { config, warnings } = loaded;
    const restart = listRestartSettings(this.#config, config);
    if (restart.length > 0) {
      return restart.map(key => `${key} was changed, which needs a restart: restart it, or take that back`);
    }
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
    await before.rest();
    for (const { account, poller } of before.accounts) {
      this.#carried.carry(account, poller.pressure(this.#options.clock.now()));
    }
    before.accounts.length = 0;
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
    const next = await Watching.open(config, this.#options);
    this.#follow(next);
    this.#current = next;
    await next.poll();
  }

  #follow({ history }: Watching): void {
    history.failed.catch(this.#options.onLost);
  }
}
