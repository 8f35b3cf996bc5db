import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { loadCheckedConfig } from '../../src/check/config/loaded-config.ts';
import { closeCommand } from '../../src/cli/close.ts';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { exportCommand } from '../../src/cli/export.ts';
import type { Io } from '../../src/cli/io.ts';
import { reconcileCommand } from '../../src/cli/reconcile.ts';
import { reportCommand } from '../../src/cli/report.ts';
import type { Config } from '../../src/config/config.ts';
import { type AccountWatch, watchAccount } from '../../src/daemon/account-watch.ts';
import { renderDemoConfig } from '../../src/daemon/demo/config.ts';
import { History } from '../../src/history/history.ts';
import { UsageReader } from '../../src/history/usage/usage-history.ts';
import { scheduleIntervalMs } from '../../src/poll/schedule.ts';
import { UsageCalculator } from '../../src/report/usage-view/calculator.ts';
import { usageOptionsOf } from '../../src/report/usage-view/options.ts';
import { catalog } from '../../src/resources/catalog.ts';
import { selectFamilies } from '../../src/resources/family-selection.ts';
import { type Simulator, startSimulator } from '../../src/simulator/server.ts';
import { makeFakeIo } from '../cli/fake-io.ts';
import { viewAll } from './history-folder.ts';
import { publishPage } from './page-text.ts';

/** Fleet of the demo with half of its past, at a fixed instant: the documents show the same figures whenever it runs. */
const fleet = { projects: 20, seed: 1, historyDays: 30 };
const apiKey = 'demo-3f9c01d8a64be275';

/** Epoch milliseconds of the last reading. */
export const recordedAt = Date.parse('2026-10-30T14:00:00Z');

/** A demo that was watched for a moment: its page, its history and the commands that read it. */
export class RecordedDemo implements Disposable {
  readonly page: string;
  readonly #folder: string;

  private constructor(folder: string, page: string) {
    this.#folder = folder;
    this.page = page;
  }

  /** Watches the demo's simulated fleet with the parts the daemon is made of, in virtual time. */
  static async record(): Promise<RecordedDemo> {
    const folder = mkdtempSync(join(tmpdir(), 'dbpm-recorded-demo-'));
    writeFileSync(join(folder, 'demo.yaml'), renderDemoConfig(recordedAt, fleet.projects));
    const options = {
      ...fleet,
      apiKey,
      pendingInLists: true,
      showcase: true,
      aroundTheClock: true,
      wallClock: () => recordedAt,
    };
    const simulator = await startSimulator(options);
    try {
      return new RecordedDemo(folder, await watchOnce(simulator, folder));
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    } finally {
      await simulator.close();
    }
  }

  /**
   * Output of `report` with these arguments at the instant of the recording.
   *
   * @param config text of another configuration than the demo's.
   */
  report(line: string, config?: string): Promise<string> {
    return this.#run('report', `${line}${this.#flagOf(config)}`, io =>
      reportCommand(io, { now: () => recordedAt }),
    );
  }

  /** Output of `close`, likewise. */
  close(line: string, config: string): Promise<string> {
    return this.#run('close', `${line}${this.#flagOf(config)}`, io =>
      closeCommand(io, { now: () => recordedAt }),
    );
  }

  /** Output of `reconcile` with an invoice that may differ, likewise. */
  reconcile(line: string, invoice: string, config: string): Promise<string> {
    const path = join(this.#folder, 'invoice.csv');
    writeFileSync(path, invoice);
    const words = `${line.replace('invoice.csv', path)}${this.#flagOf(config)}`;
    return this.#run('reconcile', words, io => reconcileCommand(io, { now: () => recordedAt }), [0, 3]);
  }

  /** Output of `export` with these arguments at the instant of the recording. */
  export(line: string): Promise<string> {
    return this.#run('export', line, io => exportCommand(io, () => recordedAt));
  }

  /** Copies its configuration and its history, for other commands to read. */
  copyTo(to: { readonly configFile: string; readonly historyFile: string }): void {
    const [configFile, historyFile] = filesIn(this.#folder);
    copyFileSync(configFile, to.configFile);
    copyFileSync(historyFile, to.historyFile);
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** The flag that names a file with this text. */
  #flagOf(config: string | undefined): string {
    if (config === undefined) return '';
    const path = join(this.#folder, 'other.yaml');
    writeFileSync(path, config);
    return ` --config.file ${path}`;
  }

  async #run(
    name: string,
    line: string,
    make: (io: Io) => Command,
    allowed: readonly number[] = [0],
  ): Promise<string> {
    const { io, printed } = makeFakeIo();
    const [configFile, historyFile] = filesIn(this.#folder);
    const argv = [name, '--config.file', configFile, '--history.file', historyFile, ...line.split(' ')];
    const exitCode = await runCommandLine(io, argv, [make(io)]);
    if (!allowed.includes(exitCode))
      throw new Error(`${name} ${line} ended with ${exitCode}: ${printed.stderr}`);
    return printed.stdout;
  }
}

function filesIn(folder: string): readonly [configFile: string, historyFile: string] {
  return [join(folder, 'demo.yaml'), join(folder, 'dbpm.sqlite')];
}

/** Reads all there is once, as a daemon that has just started does. @returns the page after it. */
async function watchOnce({ base_url, api_key }: Simulator, folder: string): Promise<string> {
  const [configFile, historyFile] = filesIn(folder);
  const { config } = await loadCheckedConfig({
    flags: { 'config.file': configFile, 'history.file': historyFile },
    env: { DBPM_BASE_URL: base_url, DBPM_API_KEY: api_key, DBPM_ACCOUNT_NAME: 'demo' },
  });
  const accounts = config.accounts.map(({ name }) => name);
  const { keys, collect, series } = config;
  const history = new History({
    file: historyFile,
    accounts,
    collectors: collect.collectors,
    staleAfterMs: keys.staleAfterMs,
    dropAfterMs: collect.dropAfterMs,
  });
  const watches = config.accounts.map(account => openWatch(account, history, config));
  try {
    for (const { poller } of watches) await readAll(poller);
    while (history.upkeep(recordedAt));
    const reader = new UsageReader(historyFile, accounts);
    const calculator = new UsageCalculator(usageOptionsOf(config), reader);
    calculator.analyze();
    const usage = calculator.calculate()?.view;
    reader.close();
    const groups = selectFamilies(catalog, { ...series, collectors: collect.collectors });
    return publishPage(groups, viewAll(history, recordedAt), usage).text;
  } finally {
    for (const watch of watches) await watch.close();
    history.close();
  }
}

async function readAll(poller: AccountWatch['poller']): Promise<void> {
  const { signal } = new AbortController();
  await Promise.all([poller.pollProjectList(signal), poller.pollApiKeys(signal)]);
  poller.beginRound(signal);
  await poller.idle();
}

function openWatch(account: Config['accounts'][number], history: History, { collect }: Config): AccountWatch {
  return watchAccount(
    { ...account, requestsPerMinute: 600_000 },
    {
      client: { userAgent: 'dbpm-exporter/test' },
      scheduleMs: scheduleIntervalMs(collect.schedule),
      idleRefreshMs: collect.idleRefreshMs,
      dropAfterMs: 600_000,
      apiKeysRefreshMs: collect.apiKeysRefreshMs,
      now: () => recordedAt,
      commit: async reading => history.commitOne(reading),
      collectors: collect.collectors,
      knownProjects: () => history.knownProjects(account.name),
      budget: undefined,
      onImport: () => {},
      onProblem({ error }) {
        throw error;
      },
    },
  );
}
