import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { loadCheckedConfig } from '../../src/check-config/loaded-config.ts';
import { Console } from '../../src/console/console.ts';
import { consoleConfigOf, reportConfigOf } from '../../src/console/console-config.ts';
import { DeskMaker } from '../../src/console/desk/desk-maker.ts';
import { FleetDesk } from '../../src/console/desk/fleet-desk.ts';
import { RenewalPace } from '../../src/console/desk/renewal-pace.ts';
import { ReportDesk } from '../../src/console/desk/report-desk.ts';
import type { LiveState } from '../../src/console/live-state.ts';
import type { PageQuestion } from '../../src/console/message.ts';
import { figuresOf } from '../../src/console/page/fleet/sheet/fleet-figure.ts';
import { PageProblem } from '../../src/console/page-problem.ts';
import { openBrowser } from '../../src/console/shown-history.ts';
import { SeveralUsageReader } from '../../src/history/merge/several-usage.ts';
import { UsageReader } from '../../src/history/usage/usage-history.ts';
import { makeReport } from '../../src/report/maker.ts';
import { Failure } from '../../src/resources/failure.ts';
import { UsageCalculator } from '../../src/usage/calculator.ts';
import { usageOptionsOf } from '../../src/usage/options.ts';

export interface ConsoleSetting {
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
}

export interface PageOptions extends Partial<Omit<PageQuestion, 'path' | 'search'>> {
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
}: ConsoleSetting) {
  const configFile = join(dirname(file), 'console.yaml');
  writeFileSync(configFile, yaml);
  const flags = { 'config.file': configFile, 'history.file': files?.join('\n') ?? file };
  const { config: read } = await loadCheckedConfig({ flags, env: {}, isOffline: true });
  const config = {
    ...consoleConfigOf(read),
    accounts: accounts.map(name => ({ name, requestsPerMinute: 300, base_url: 'http://127.0.0.1:1/' })),
    ...(files && { histories: files }),
  };
  const report = (
    kind: Parameters<ReportDesk['ask']>[0],
    options: Parameters<ReportDesk['ask']>[1],
    at = now,
  ) =>
    makeReport(
      { kind, options, config: reportConfigOf(config), now: at },
      { onWarning: () => {}, onProgress: () => {} },
    );
  const make: ConstructorParameters<typeof ReportDesk>[0] = (kind, options, at) =>
    report(kind, options, at).catch(error => {
      throw error instanceof Failure ? new PageProblem(400, 'There is no such report', error.message) : error;
    });
  const history = openBrowser(config);
  let view: ReturnType<typeof calculateUsage>;
  const usage = () => {
    if (isWorkedOut)
      view ??= calculateUsage({ ...usageOptionsOf(read), accounts, ...(files && { histories: files }) });
    return view;
  };
  const maker = new DeskMaker(config);
  const pace = new RenewalPace();
  const fleet = new FleetDesk(
    {
      take: (name, at) => maker.figure({ name, now: at }),
      join: async (groupings, figures) => maker.fleet({ groupings, figures }),
      onFailure: error => {
        throw error;
      },
    },
    figuresOf(config),
    pace,
    () => now,
  );
  const sources = { config, history, reports: new ReportDesk(make, pace, () => now), fleet, usage };
  // What is worked out in this thread is waited for, however busy the machine is.
  const console = new Console({ sources, version: '1.2.3', patienceMs: 60_000 });
  const state: LiveState = {
    ...{ now, startedAt: now, overviews: [], accounts: [], problems: [], stalled: [] },
    historySizeBytes: 0,
    ...live,
  };
  async function get(address: string, { mayFail = false, ...options }: PageOptions = {}) {
    const [path = '', query] = address.split('?');
    const search = query === undefined ? '' : `?${query}`;
    const question = { path, search, acceptsGzip: false, showsPersonal: false, ...options };
    const failures: unknown[] = [];
    const answer = await console.answer(question, state, error => failures.push(error));
    if (!mayFail && failures.length > 0) throw failures[0];
    const body = answer.headers['Content-Encoding'] === 'gzip' ? gunzipSync(answer.body) : answer.body;
    return { ...answer, text: Buffer.from(body).toString('utf8') };
  }
  return {
    ...{ config, sources, report, usage },
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

/** Use and cost as the daemon works them out, analysis included. */
function calculateUsage(options: ReturnType<typeof usageOptionsOf>) {
  if (options.histories === undefined && !existsSync(options.historyFile)) return undefined;
  const { historyFile, accounts, histories } = options;
  const reader =
    histories === undefined
      ? new UsageReader(historyFile, accounts)
      : new SeveralUsageReader(histories, accounts);
  const calculator = new UsageCalculator(options, reader);
  calculator.calculate();
  calculator.analyze();
  return calculator.calculate()?.view;
}
