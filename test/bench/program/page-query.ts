import Database from 'better-sqlite3';
import { loadCheckedConfig } from '../../../src/check-config/loaded-config.ts';
import { Console } from '../../../src/console/console.ts';
import { consoleConfigOf } from '../../../src/console/console-config.ts';
import type { LiveState } from '../../../src/console/live-state.ts';
import { PageProblem } from '../../../src/console/page-problem.ts';
import { HistoryBrowser } from '../../../src/history/browse/history-browser.ts';
import { serveTasks } from '../process/task.ts';

/** A statement that a page ran, with the values that it was given. */
export interface AskedQuery {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** The queries of a page, and the milliseconds that they took together. */
export interface AskedPage {
  readonly queries: readonly AskedQuery[];
  readonly ms: number;
}

let console: Console | undefined;
let history: HistoryBrowser | undefined;
let asked: AskedQuery[] = [];
let tookMs = 0;

watchStatements();

async function open(file: string): Promise<void> {
  const flags = { 'history.file': file };
  const { config } = await loadCheckedConfig({ flags, env: {}, isOffline: true });
  history = new HistoryBrowser(file);
  // Queries are those of pages themselves: reports are never ready.
  const refuse = async () => {
    throw new PageProblem(503, 'not here', '');
  };
  const sources = {
    config: consoleConfigOf(config),
    history,
    reports: { ask: refuse, askWithin: refuse },
    fleet: { failing: [], read: refuse },
    usage: () => undefined,
  };
  console = new Console({ sources, version: '0' });
}

async function askPage({ path, search, now }: { path: string; search: string; now: number }) {
  const live: LiveState = {
    ...{ now, startedAt: now, overviews: [], accounts: [], problems: [], stalled: [] },
    historySizeBytes: 0,
  };
  const question = { path, search, acceptsGzip: true, showsPersonal: true };
  return measure(() => console?.answer(question, live));
}

/** The table of all projects, which is joined in a thread of its own. */
function askFleet({ now }: { now: number }) {
  const month = 30 * 86_400_000;
  return measure(() =>
    history?.look(({ fleet, failures }) => [[...fleet.projects()], failures.byProject(now - month, now)]),
  );
}

async function measure(work: () => unknown): Promise<AskedPage> {
  asked = [];
  tookMs = 0;
  await work();
  return { queries: asked, ms: tookMs };
}

/** Notes each statement of this process that is run. */
function watchStatements(): void {
  const database = new Database(':memory:');
  const prototype = Object.getPrototypeOf(database.prepare('SELECT 1'));
  database.close();
  for (const name of ['get', 'all'] as const) {
    const run = prototype[name];
    prototype[name] = function watched(this: { source: string }, ...values: unknown[]) {
      const startedAt = performance.now();
      const rows = run.apply(this, values);
      tookMs += performance.now() - startedAt;
      asked.push({ sql: this.source, values });
      return rows;
    };
  }
  const { iterate } = prototype;
  prototype.iterate = function* watched(this: { source: string }, ...values: unknown[]) {
    asked.push({ sql: this.source, values });
    let startedAt = performance.now();
    for (const row of iterate.apply(this, values)) {
      tookMs += performance.now() - startedAt;
      yield row;
      startedAt = performance.now();
    }
    tookMs += performance.now() - startedAt;
  };
}

const tasks = { open, askPage, askFleet };
export type QueryTasks = typeof tasks;

serveTasks(tasks);
