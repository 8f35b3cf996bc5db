import type { Config } from '../config/config.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { ConfigFailure, renderProblem } from '../config/problem.ts';
import { describeError } from '../log/error-record.ts';
import { listRestartSettings } from './config-change.ts';

/** Loads the configuration anew, from the same places. @throws ConfigFailure with every problem. */
export type LoadConfig = () => Promise<Pick<LoadedConfig, 'config' | 'warnings'>>;

/** The configuration as it is by now, or a sentence for each problem with it. */
type LoadedAgain = Awaited<ReturnType<LoadConfig>> | { readonly problems: readonly string[] };

/**
 * Loads the configuration of a program that runs.
 *
 * @param needsRestart whether a setting that was changed needs a restart, of the ones that need one of a daemon.
 */
export async function loadAgain(
  load: LoadConfig,
  before: Config,
  needsRestart: (key: string) => boolean = () => true,
): Promise<LoadedAgain> {
  try {
    const loaded = await load();
    const restart = listRestartSettings(before, loaded.config).filter(needsRestart);
    if (restart.length === 0) return loaded;
    return {
      problems: restart.map(
        key => `${key} was changed, which needs a restart: restart it, or take that back`,
      ),
    };
  } catch (error) {
    return {
      problems: error instanceof ConfigFailure ? error.problems.map(renderProblem) : [describeError(error)],
    };
  }
}
