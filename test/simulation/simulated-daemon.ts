import { gunzipSync } from 'node:zlib';
import type { Config } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { renderProblem } from '../../src/config/problem.ts';
import { Activity } from '../../src/daemon/activity.ts';
import { DamageWatch } from '../../src/daemon/damage-watch.ts';
import { PollWatchdog } from '../../src/daemon/poll-watchdog.ts';
import { ReloadableWatching } from '../../src/daemon/reload.ts';
import { SteadyClock } from '../../src/daemon/steady-clock.ts';
import { openWatching } from '../../src/daemon/succession.ts';
import { UsedKeys } from '../../src/daemon/used-key.ts';
import { createLogger } from '../../src/log/logger.ts';
import { ProblemLog } from '../../src/log/problem-log.ts';
import { SelfMetrics } from '../../src/metrics/self/self-metrics.ts';
import { startSchedule } from '../../src/poll/schedule.ts';
import type { MortalDaemon } from '../world/killed-daemon.ts';
import { Life } from './life.ts';

/** The settings of a daemon as a user gives them: variables, and the text of a configuration file. */
export interface Settings {
  readonly env: Readonly<Record<string, string>>;
  readonly file?: string;
}

function load({ env, file }: Settings): Config {
  const loaded = loadConfig({
    flags: file === undefined ? {} : { 'config.file': 'dbpm.yaml' },
    // A backup is made by a thread, which a simulated daemon has not.
    env: { DBPM_HISTORY_BACKUP_KEEP: '0', ...env },
    readFile: () => ({ text: file ?? '', readableByAll: false }),
    checks: {
      schedule: () => undefined,
      historyFile: () => undefined,
      hostName: 'simulation',
      baseUrl: () => undefined,
      familyNames: [],
      alerts: [],
    },
    now: Date.now(),
  });
  if ('problems' in loaded) throw new Error(loaded.problems.map(renderProblem).join('\n'));
  return loaded.config;
}

/** Figures of a process, which a simulated daemon is not. */
const noReadings = {
  historySizeBytes: () => 0,
  budgets: () => [],
  pauses: () => [],
  pressures: () => [],
  stalled: () => [],
  loopDelay: () => ({ p99Seconds: 0, maxSeconds: 0 }),
  lastPage: () => undefined,
};

/** A daemon without process, threads and sockets: all else is what `serve` runs. */
export class SimulatedDaemon implements MortalDaemon {
  readonly #life = new Life();
  readonly #lines: string[] = [];
  #watching: ReloadableWatching | undefined;
  readonly #opened: Promise<void>;
  readonly #stopping = new AbortController();
  #failure: unknown;

  /** Resolves when it is dead. */
  get died(): Promise<void> {
    return this.#life.over;
  }

  /** Starts as a process does: what becomes of it is seen later. */
  constructor(settings: Settings) {
    this.#opened = this.#life.run(() => this.#open(load(settings)));
    this.#opened.catch(error => this.#fail(error));
  }

  /** Why it ended by itself, as a process with an exit code; undefined where it did not. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Lets it die just before a statement of the database, counted from now, and so in the middle of a transaction. */
  dieBeforeStatement(count: number): void {
    this.#life.endBeforeStatement(count);
  }

  get isOver(): boolean {
    return this.#life.isOver;
  }

  /** What it logged, a line each. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  /** Resolves when it shows a page; never does when its life ends before. @throws why it refused to start. */
  async untilServing(): Promise<void> {
    await this.#opened;
  }

  async readPage(): Promise<string | undefined> {
    const publication = this.#watching?.current.history.publication;
    if (this.#life.isOver || publication?.latest === undefined) return undefined;
    const page = this.#life.run(() => publication.read('text', true, ''));
    // Of one that dies meanwhile, none comes.
    const found = await Promise.race([page, this.#life.over]);
    if (found === undefined) return undefined;
    const parts: Uint8Array[] = [];
    for await (const piece of found.pieces) parts.push(piece);
    found.done();
    return gunzipSync(Buffer.concat(parts)).toString();
  }

  /** Whether it has the history, so that a scrape of it is not refused. */
  get isActive(): boolean {
    const current = this.#watching?.current;
    return !this.#life.isOver && current !== undefined && !current.isStandby && !current.isOutdated;
  }

  async kill(): Promise<void> {
    this.#life.end();
  }

  /** Ends it as SIGTERM does, whatever statement it was to die before; one that is dead already has nothing to end. */
  async stop(): Promise<void> {
    if (this.#life.isOver) return;
    this.#life.endBeforeStatement(Number.POSITIVE_INFINITY);
    await this.#opened;
    await this.#life.run(async () => {
      this.#stopping.abort();
      this.#watching?.stopWaiting();
      await this.#watching?.settled;
      await this.#watching?.current.rest();
      await this.#watching?.current.close();
    });
    this.#life.end();
  }

  #fail(error: unknown): void {
    if (!this.#life.isOver) this.#failure = error;
    this.#life.end();
  }

  /** As `startDaemon` does it. */
  async #open(config: Config): Promise<void> {
    const log = createLogger({ ...config.log, write: line => this.#lines.push(line), secrets: () => [] });
    const clock = new SteadyClock();
    const problems = new ProblemLog(log, clock);
    const stalls = new PollWatchdog();
    stalls.close();
    const self = new SelfMetrics({ version: '1.2.3', revision: 'abc', read: noReadings });
    const use = {
      ...{ log, problems, clock, stalls, self, startSchedule },
      activity: new Activity(),
      version: '1.2.3',
      signal: this.#stopping.signal,
      serviceConnections: 1000,
      damage: new DamageWatch(log, self, config.history.file),
      usedKeys: new UsedKeys(),
      readLive: () => {
        throw new Error('the console is off');
      },
    };
    const first = await openWatching(config, use);
    this.#watching = new ReloadableWatching(first, {
      ...use,
      onReloading: () => {},
      loadConfig: async () => ({ config, warnings: [] }),
      onReload: () => {},
      onLost: error => this.#fail(error),
    });
    await first.poll();
  }
}
