import type { Config } from '../../config/config.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { renderProblem } from '../../config/problem.ts';
import { listRepeated } from '../../history/file/history-list.ts';
import { createLogger } from '../../log/logger.ts';
import { Failure } from '../../resources/failure.ts';
import { describeDaemonFailure, untilAborted } from '../running-daemon.ts';
import { Viewer, type ViewerOptions } from './viewer.ts';

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
  const viewer = await start(config, { ...options, log });
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

async function start(config: Config, options: ViewerOptions): Promise<Viewer> {
  try {
    return await Viewer.start(config, options);
  } catch (error) {
    throw error instanceof Failure ? error : new Failure(describeDaemonFailure(error, config));
  }
}
