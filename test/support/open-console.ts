import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { loadCheckedConfig } from '../../src/check/config/loaded-config.ts';
import { answerAsset } from '../../src/console/asset.ts';
import { Console } from '../../src/console/console.ts';
import { consoleConfigOf, reportConfigOf, shownFileOf } from '../../src/console/console-config.ts';
import type { LiveState } from '../../src/console/live-state.ts';
import type { PageQuestion } from '../../src/console/page.ts';
import { PageProblem } from '../../src/console/page-problem.ts';
import { ReportCache } from '../../src/console/report-cache/report-cache.ts';
import { ReportMaker } from '../../src/console/report-cache/report-maker.ts';
import { HistoryBrowser } from '../../src/history/browse/history-browser.ts';
import { followHistories } from '../../src/history/merge/joined-history.ts';
import { UsageReader, usageOfReport } from '../../src/history/usage/usage-history.ts';
import { UsageCalculator } from '../../src/report/usage-view/calculator.ts';
import { usageOptionsOf } from '../../src/report/usage-view/options.ts';
import { makeReport } from '../../src/report/written-report.ts';
import type { AccountOverview } from '../../src/resources/account.ts';
import { Failure } from '../../src/resources/failure.ts';

interface ConsoleSetting {
  /** The history it shows; it need not be there. */
  readonly file: string;
  /** In its place, histories that somebody else writes, as the command `console` shows them. */
  readonly files?: readonly string[];
  /** Epoch milliseconds. */
  readonly now: number;
  /** The YAML of a configuration, without accounts. */
  readonly yaml?: string;
  readonly accounts?: readonly string[];
  readonly live?: Partial<LiveState>;
  /** Whether use and cost were worked out already, as they are by default. */
  readonly isWorkedOut?: boolean;
  /** Whether the past of its accounts counts as read, as it does by default. */
  readonly isImported?: boolean;
}

interface PageOptions extends Partial<Omit<PageQuestion, 'path' | 'search'>> {
  /** What the page may fail with; every other failure is thrown. */
  readonly mayFail?: boolean;
}

/** A console over a history, in this thread and at a given instant, with what its figures are compared with. */
export async function openConsole({
  file,
  files,
  now,
  yaml = '',
  accounts = ['main'],
  live,
  isWorkedOut = true,
  isImported = true,
}: ConsoleSetting) {
  const configFile = join(dirname(file), 'console.yaml');
  writeFileSync(configFile, yaml);
  const flags = { 'config.file': configFile, 'history.file': files?.join('\n') ?? file };
  const { config: read } = await loadCheckedConfig({ flags, env: {}, isOffline: true });
  const config = {
    ...consoleConfigOf(read),
    accounts: accounts.map(name => ({ name, requestsPerMinute: 300, base_url: 'http://127.0.0.1:1/' })),
    ...(files && { joinedFile: join(dirname(file), 'joined.sqlite') }),
  };
  const report = (
    kind: Parameters<ReportCache['ask']>[0],
    options: Parameters<ReportCache['ask']>[1],
    at = now,
  ) =>
    makeReport(
      { kind, options, config: reportConfigOf(config), now: at },
      { onWarning: () => {}, onProgress: () => {} },
    );
  if (isImported) for (const each of files ?? [file]) endImports(each);
  if (files) followHistories(files, shownFileOf(config));
  const history = new HistoryBrowser(shownFileOf(config));
  let calculator: ReturnType<typeof analyzeUsage>;
  const analyzed = () => {
    if (isWorkedOut)
      calculator ??= analyzeUsage({
        ...{ ...usageOptionsOf(read), accounts, historyFile: shownFileOf(config) },
        ...(files && { histories: files }),
      });
    return calculator;
  };
  const maker = new ReportMaker(config, {
    view: (look, at) => analyzed()?.view(usageOfReport(look), at),
    get reviewed() {
      return analyzed()?.reviewed;
    },
  });
  const reports = new ReportCache(
    {
      make: (question, at) =>
        maker.set(question, at).catch(error => {
          throw error instanceof Failure
            ? new PageProblem(400, 'There is no such report', error.message)
            : error;
        }),
      projects: (at, withFigures) => maker.projects(at, withFigures),
    },
    error => {
      throw error;
    },
    () => now,
  );
  const sources = { config, history, reports };
  // What is worked out in this thread is waited for, however busy the machine is.
  const console = new Console({ sources, version: '1.2.3', patienceMs: 60_000 });
  const state: LiveState = {
    ...{ now, startedAt: now, accounts: [], problems: [], stalled: [], historySizeBytes: 0 },
    overviews: accounts.map(account => readOverview(account, now)),
    ...live,
  };
  async function get(address: string, { mayFail = false, ...options }: PageOptions = {}) {
    const [path = '', query] = address.split('?');
    const search = query === undefined ? '' : `?${query}`;
    const question = { path, search, acceptsGzip: false, showsPersonal: false, ...options };
    const failures: unknown[] = [];
    const answer = await (answerAsset(question) ??
      console.answer(question, state, error => failures.push(error)));
    if (!mayFail && failures.length > 0) throw failures[0];
    const body = answer.headers['Content-Encoding'] === 'gzip' ? gunzipSync(answer.body) : answer.body;
    return { ...answer, text: Buffer.from(body).toString('utf8') };
  }
  return {
    ...{ config, sources, report },
    usage: () => analyzed()?.calculate()?.view,
    get,
    /** The parsed answer of `/api/v1`. */
    json: async (path: string, options?: PageOptions) =>
      JSON.parse((await get(`/api/v1${path}`, options)).text),
    close() {
      maker.close();
      history.close();
    },
  };
}

/** An account whose lists were read. */
function readOverview(account: string, now: number): AccountOverview {
  const collectors = [{ collector: 'projects', success: true, lastSuccessAt: now, errors: {} }] as const;
  const summary = { account, up: true, authOk: true, collectors, operationDurations: [], api_keys: [] };
  return { summary, projects: 1, endpoints: 1 };
}

/** As when the operations of all projects that its accounts had at first are read. */
function endImports(file: string): void {
  if (!existsSync(file)) return;
  const database = new Database(file);
  try {
    database.exec('UPDATE account SET imported_at = coalesce(imported_at, projects_listed_at)');
  } catch {
    // No history, or of another version: that is what is shown.
  } finally {
    database.close();
  }
}

/** What the daemon works use and cost out with, once the whole history was analyzed. */
function analyzeUsage(options: ReturnType<typeof usageOptionsOf>) {
  if (options.histories === undefined && !existsSync(options.historyFile)) return undefined;
  const reader = new UsageReader(options.historyFile, options.accounts);
  const calculator = new UsageCalculator(options, reader);
  calculator.analyze();
  return calculator;
}
