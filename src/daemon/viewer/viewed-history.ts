import { activeCollectors, type Config } from '../../config/config.ts';
import { type ConsoleConfig, consoleConfigOf } from '../../console/console-config.ts';
import { StateWatch } from '../../history/browse/several/history-states.ts';
import { historySeparator, listHistories } from '../../history/file/history-list.ts';
import { Failure } from '../../resources/failure.ts';

/** Histories that are looked at, and the configuration that they are shown by. */
export interface ViewedHistories {
  readonly files: readonly string[];
  readonly config: ConsoleConfig;
  readonly watch: StateWatch;
}

/** Nobody is asked: an account is a name alone. */
const nowhere = { requestsPerMinute: 0, base_url: 'http://localhost/' };

/**
 * Opens the histories that a configuration names. Their accounts are those of the configuration, or all that they know.
 *
 * @throws Failure when one cannot be read, with a sentence for the first of them.
 */
export function openViewed(config: Config): ViewedHistories {
  const files = listHistories(config.history.file);
  const watch = new StateWatch(files, activeCollectors(config.collect));
  try {
    const { files: states, accounts } = watch.read();
    const broken = states.find(({ problem }) => problem !== undefined);
    if (broken?.problem !== undefined)
      throw new Failure(`${broken.problem}: name a history with --history.file`);
    const { shard: _part, ...whole } = consoleConfigOf(config);
    const known = accounts.map(({ summary: { account: name } }) => ({ name, ...nowhere }));
    return {
      ...{ files, watch },
      config: {
        ...whole,
        history: { ...config.history, file: files.join(historySeparator) },
        accounts: whole.accounts.length > 0 ? whole.accounts : known,
        histories: files,
      },
    };
  } catch (error) {
    watch.close();
    throw error;
  }
}
