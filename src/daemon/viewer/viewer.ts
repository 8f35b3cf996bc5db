import type { Config } from '../../config/config.ts';
import { renderProblem } from '../../config/problem.ts';
import type { LiveState } from '../../console/live-state.ts';
import { HttpServer } from '../../http/server.ts';
import { describeError } from '../../log/error-record.ts';
import type { Logger } from '../../log/logger.ts';
import { ProblemLog } from '../../log/problem-log.ts';
import { allowGivingBack } from '../../report/usage/garbage.ts';
import { asksForLogin } from '../../resources/web-access.ts';
import { readDescriptorLimit, shareDescriptors } from '../descriptor-share.ts';
import { type LoadConfig, loadAgain } from '../loaded-again.ts';
import { noteLogin } from '../login-log.ts';
import { answerWork } from '../repeated-work.ts';
import { listenPlaces } from '../serving.ts';
import { watchWebFile } from '../web-access-watch.ts';
import { HistoryConsole } from './history-console.ts';

export interface ViewerOptions {
  readonly log: Logger;
  readonly version: string;
  /** Descriptors of the sockets that systemd handed over. */
  readonly inheritedSockets: readonly number[];
  readonly loadConfig: LoadConfig;
}

/** Settings that a daemon has only from its start, and that are read anew where nothing is written. */
const readAnew: ReadonlySet<string> = new Set(['history.file', 'history.standby', 'shard', 'log.heartbeat']);

const clock = {
  now: () => performance.now(),
  toHostClock: (at: number) => Date.now() - (performance.now() - at),
};

/** The console over histories that others write: it asks the service nothing, and writes nothing. */
export class Viewer {
  readonly #options: ViewerOptions;
  readonly #problems: ProblemLog;
  readonly #startedAt = Date.now();
  #config: Config;
  #console: HistoryConsole;
  #http: HttpServer | undefined;
  #lastReload: LiveState['lastReload'];
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  private constructor(config: Config, options: ViewerOptions) {
    allowGivingBack();
    this.#options = options;
    this.#problems = new ProblemLog(options.log, clock);
    this.#config = config;
    this.#console = this.#open(config);
  }

  /**
   * Opens the histories and serves the console over them.
   *
   * @throws Failure when one cannot be read; the system's error when an address cannot be listened on.
   */
  static async start(config: Config, options: ViewerOptions): Promise<Viewer> {
    const viewer = new Viewer(config, options);
    try {
      await viewer.#serve(config, options);
      return viewer;
    } catch (error) {
      await viewer.close();
      throw error;
    }
  }

  get url(): string {
    return this.#http?.url ?? '';
  }

  get files(): readonly string[] {
    return this.#console.files;
  }

  /**
   * Loads the configuration anew and goes on with it, one reload after another; patterns of histories are looked up again.
   *
   * @returns a sentence for each problem, with which all stays as it was; none when it is in use.
   */
  reload(): Promise<readonly string[]> {
    const problems = this.#last.then(() => this.#reload());
    this.#last = problems;
    return problems;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#last;
    await this.#http?.close();
    await this.#console.close();
  }

  async #reload(): Promise<readonly string[]> {
    const { log } = this.#options;
    const problems = await this.#tryReload();
    this.#lastReload = { at: Date.now(), succeeded: problems.length === 0 };
    for (const problem of problems) log.error({ problem }, 'the configuration stays as it was');
    if (problems.length === 0)
      log.info({ histories: this.files.length }, 'the configuration was loaded again');
    return problems;
  }

  async #tryReload(): Promise<readonly string[]> {
    if (this.#isClosed) return ['the console is stopping'];
    const loaded = await loadAgain(this.#options.loadConfig, this.#config, key => !readAnew.has(key));
    if ('problems' in loaded) return loaded.problems;
    const { config, warnings } = loaded;
    const before = this.#console;
    try {
      this.#console = this.#open(config);
    } catch (error) {
      return [describeError(error)];
    }
    this.#config = config;
    for (const warning of warnings) this.#options.log.warn(renderProblem(warning));
    await before.close();
    return [];
  }

  #open(config: Config): HistoryConsole {
    const { version } = this.#options;
    const lastReload = () => this.#lastReload;
    return new HistoryConsole(config, {
      ...{ problems: this.#problems, version, startedAt: this.#startedAt, lastReload },
    });
  }

  async #serve({ web, webFile }: Config, { log, inheritedSockets }: ViewerOptions): Promise<void> {
    const access = watchWebFile(webFile, log);
    this.#http = await HttpServer.start({
      listen: listenPlaces(web, inheritedSockets),
      telemetryPath: web.telemetryPath,
      healthWithoutLogin: web.healthWithoutLogin,
      healthListen: web.healthAddress,
      externalUrl: web.externalUrl,
      onLogin: (outcome, address) => noteLogin(this.#problems, outcome, address),
      access: () => access.access,
      mostConnections: shareDescriptors(readDescriptorLimit(), 0).connections,
      answerPage: (question, gone) => {
        const showsPersonal = web.personalDataWithoutLogin || asksForLogin(access.access);
        return this.#console.answer({ ...question, showsPersonal }, gone);
      },
      isReady: () => this.#console.isReadable,
      ...(web.enableLifecycle && { reload: () => this.reload() }),
      onError: error => this.#problems.fail(answerWork, {}, error),
    });
  }
}
