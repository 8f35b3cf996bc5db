import type { Config } from '../../config/config.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { renderProblem } from '../../config/problem.ts';
import type { LiveState } from '../../console/live-state.ts';
import { listRepeated } from '../../history/file/history-list.ts';
import { HttpServer } from '../../http/server.ts';
import { describeError } from '../../log/error-record.ts';
import { createLogger, type Logger } from '../../log/logger.ts';
import { ProblemLog } from '../../log/problem-log.ts';
import { Failure } from '../../resources/failure.ts';
import { allowGivingBack } from '../../thread/garbage.ts';
import { type LoadConfig, loadAgain } from '../config-change.ts';
import { readDescriptorLimit, shareDescriptors } from '../descriptor-share.ts';
import { describeDaemonFailure, untilAborted } from '../running-daemon.ts';
import { webOptions } from '../serving.ts';
import { SteadyClock } from '../steady-clock.ts';
import { HistoryConsole } from './history-console.ts';

interface ViewerOptions {
  readonly log: Logger;
  readonly version: string;
  /** Descriptors of the sockets that systemd handed over. */
  readonly inheritedSockets: readonly number[];
  readonly loadConfig: LoadConfig;
}

/** Settings that a daemon has only from its start, and that are read anew where nothing is written. */
const readAnew: ReadonlySet<string> = new Set(['history.file', 'history.standby', 'shard', 'log.heartbeat']);

/** The console over histories that others write: it asks the service nothing, and writes nothing. */
class Viewer {
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
    this.#problems = new ProblemLog(options.log, new SteadyClock());
    this.#config = config;
    this.#console = this.#open(config);
  }

  /**
   * Opens the histories and serves the console over them.
   *
   * @throws Failure when one cannot be read, or an address cannot be listened on; then nothing stays open.
   */
  static async start(config: Config, options: ViewerOptions): Promise<Viewer> {
    let viewer: Viewer | undefined;
    try {
      viewer = new Viewer(config, options);
      await viewer.#serve(config, options);
      return viewer;
    } catch (error) {
      await viewer?.close();
      throw error instanceof Failure ? error : new Failure(describeDaemonFailure(error, config));
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
    // The next one begins, and the end comes, whatever this one fails with.
    this.#last = problems.catch(() => {});
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

  async #serve(config: Config, options: ViewerOptions): Promise<void> {
    this.#http = await HttpServer.start({
      ...webOptions(config, {
        ...{ ...options, problems: this.#problems, reload: () => this.reload() },
        answer: (question, gone) => this.#console.answer(question, gone),
      }),
      mostConnections: shareDescriptors(readDescriptorLimit(), 0).connections,
      isReady: () => this.#console.isReadable,
    });
  }
}

/** The surroundings of a console that runs until it is told to stop. */
interface ViewerHost extends Omit<ViewerOptions, 'log'> {
  readonly signal: AbortSignal;
  /** Takes the lines of the log. */
  readonly write: (line: string) => void;
  readonly hasColors: boolean;
  /** Takes what is to happen at a SIGHUP. */
  readonly onHangup: (listener: () => void) => void;
  /** Told the address once it serves. */
  readonly onReady?: (url: string) => void;
}

/**
 * Serves the console over histories until the signal is aborted.
 *
 * @throws Failure when it cannot start.
 */
export async function runViewer(
  { config, warnings }: Pick<LoadedConfig, 'config' | 'warnings'>,
  { signal, write, hasColors, onHangup, onReady = () => {}, ...options }: ViewerHost,
): Promise<void> {
  if (!config.web.console)
    throw new Failure('web.console is false: set it to true, or leave it out', 'usage');
  const log = createLogger({ ...config.log, write, hasColors, secrets: () => [] });
  for (const warning of warnings.filter(({ key }) => key.startsWith('web.')))
    log.warn(renderProblem(warning));
  for (const file of listRepeated(config.history.file)) log.warn(`${file} is named twice: it counts once`);
  // Until it serves there is nothing newer to read.
  let reload = () => {};
  onHangup(() => reload());
  const viewer = await Viewer.start(config, { ...options, log });
  reload = () => void viewer.reload();
  try {
    log.info({ url: viewer.url, histories: viewer.files.length }, 'serving the console');
    onReady(viewer.url);
    await untilAborted(signal);
    log.info('stopping');
  } finally {
    await viewer.close();
  }
}
