import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { activeCollectors, type Config } from '../../config/config.ts';
import { type ConsoleConfig, consoleConfigOf, shownFileOf } from '../../console/console-config.ts';
import type { LiveState } from '../../console/live-state.ts';
import type { PageQuestion } from '../../console/page.ts';
import { historySeparator, listHistories } from '../../history/file/history-list.ts';
import { type SeveralStates, StateWatch } from '../../history/merge/history-states.ts';
import { followHistories, makeFolder } from '../../history/merge/joined-history.ts';
import type { MadePage, RefusedPage } from '../../http/console-answer.ts';
import type { ProblemLog } from '../../log/problem-log.ts';
import { usageOptionsOf } from '../../report/usage-view/options.ts';
import { secondMs } from '../../resources/duration.ts';
import { Failure } from '../../resources/failure.ts';
import { ConsoleClient } from '../console-client.ts';
import { usageWork } from '../repeated-work.ts';
import { UsageClient } from '../usage-client.ts';

/** Histories that are looked at, and the configuration that they are shown by. */
interface ViewedHistories {
  readonly files: readonly string[];
  readonly config: ConsoleConfig;
  readonly watch: StateWatch;
  /** Where they are joined, if they are several. */
  readonly folder: string | undefined;
}

/** No service is asked: an account is a name alone. */
const nowhere = { requestsPerMinute: 0, base_url: 'http://localhost/' };

/**
 * Opens the histories that a configuration names. Their accounts are those of the configuration, or all that they know.
 *
 * @throws Failure when one cannot be read, with a sentence for the first of them.
 */
function openViewed(config: Config): ViewedHistories {
  const files = listHistories(config.history.file);
  const watch = new StateWatch(files, activeCollectors(config.collect));
  const folder = files.length > 1 ? makeFolder() : undefined;
  try {
    const { files: states, accounts } = watch.read();
    const broken = states.find(({ problem }) => problem !== undefined);
    if (broken?.problem !== undefined)
      throw new Failure(`${broken.problem}: name a history with --history.file`);
    const { shard: _part, ...whole } = consoleConfigOf(config);
    const known = accounts.map(({ summary: { account: name } }) => ({ name, ...nowhere }));
    const joinedFile = folder && join(folder, 'joined.sqlite');
    if (joinedFile !== undefined) followHistories(files, joinedFile);
    return {
      ...{ files, watch, folder },
      config: {
        ...whole,
        history: { ...config.history, file: files.join(historySeparator) },
        accounts: whole.accounts.length > 0 ? whole.accounts : known,
        ...(joinedFile !== undefined && { joinedFile }),
      },
    };
  } catch (error) {
    close({ watch, folder });
    throw error;
  }
}

function close({ watch, folder }: Pick<ViewedHistories, 'watch' | 'folder'>): void {
  watch.close();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}

interface HistoryConsoleOptions {
  readonly problems: ProblemLog;
  readonly version: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly lastReload: () => LiveState['lastReload'];
}

/** How the histories are is looked at again after so long, or more where that takes long. */
const statesFreshMs = 2 * secondMs;
const statesRestPerWork = 19;

/** What daemons wrote is shown after so long, or more where it takes long to work out. */
const joinEveryMs = 10 * secondMs;

/** The pages over histories by one configuration: another configuration takes another one. */
export class HistoryConsole {
  readonly #options: HistoryConsoleOptions;
  readonly #viewed: ViewedHistories;
  readonly #console: ConsoleClient;
  readonly #usage: UsageClient;
  #states: { readonly value: SeveralStates; readonly freshUntil: number } | undefined;

  /** @throws Failure when a history cannot be read. */
  constructor(config: Config, options: HistoryConsoleOptions) {
    this.#options = options;
    this.#viewed = openViewed(config);
    const { problems, version } = options;
    const { shard: _part, ...whole } = config;
    const accounts = this.#viewed.config.accounts.map(({ name }) => name);
    const usage = usageOptionsOf(whole);
    this.#usage = new UsageClient(
      {
        ...{ ...usage, accounts, histories: this.#viewed.files },
        historyFile: shownFileOf(this.#viewed.config),
        refreshMs: Math.min(usage.refreshMs, joinEveryMs),
      },
      {
        onStarted: calculations => calculations.close(),
        onFailed: error => problems.fail(usageWork, {}, error),
        onDone: () => problems.succeed(usageWork, {}),
        reports: this.#viewed.config,
        onFollowed: () => this.#console.renewReports(),
      },
    );
    this.#console = new ConsoleClient(this.#viewed.config, {
      ...{ problems, version, usage: () => this.#usage, readLive: () => this.#readLive() },
    });
  }

  get files(): readonly string[] {
    return this.#viewed.files;
  }

  /** Whether any of the histories can be read. */
  get isReadable(): boolean {
    return this.#readStates().files.some(({ problem }) => problem === undefined);
  }

  answer(question: PageQuestion, gone?: AbortSignal): Promise<MadePage | RefusedPage> {
    return this.#console.answer(question, gone);
  }

  async close(): Promise<void> {
    await Promise.all([this.#console.close(), this.#usage.close()]);
    close(this.#viewed);
  }

  /** The state of the histories: what only a running daemon knows is absent. */
  #readLive(): LiveState {
    const { problems, startedAt } = this.#options;
    const lastReload = this.#options.lastReload();
    const { files, accounts } = this.#readStates();
    const names = new Set(this.#viewed.config.accounts.map(({ name }) => name));
    return {
      ...{ now: Date.now(), startedAt, ...(lastReload && { lastReload }) },
      overviews: accounts.filter(({ summary }) => names.has(summary.account)),
      ...{ accounts: [], stalled: [], problems: problems.list() },
      historySizeBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      histories: files,
    };
  }

  #readStates(): SeveralStates {
    const beganAt = performance.now();
    if (this.#states !== undefined && beganAt < this.#states.freshUntil) return this.#states.value;
    const value = this.#viewed.watch.read();
    const restMs = statesRestPerWork * (performance.now() - beganAt);
    this.#states = { value, freshUntil: beganAt + Math.max(statesFreshMs, restMs) };
    return value;
  }
}
