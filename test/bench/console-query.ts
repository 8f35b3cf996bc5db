import { spawnSync } from 'node:child_process';
import Database from 'better-sqlite3';
import { loadCheckedConfig } from '../../src/check/config/loaded-config.ts';
import { Console } from '../../src/console/console.ts';
import { consoleConfigOf } from '../../src/console/console-config.ts';
import type { LiveState } from '../../src/console/live-state.ts';
import { PageProblem } from '../../src/console/page-problem.ts';
import { HistoryBrowser } from '../../src/history/browse/history-browser.ts';
import { findPeer } from '../support/peer.ts';
import type { BenchRun } from './bench-run.ts';
import type { Row } from './benchmark.ts';
import { median } from './percentile.ts';
import { serveTasks, startChild } from './process/child.ts';

/** Pages whose own queries are compared; all others show reports alone. */
const pages = ['/', '/operations', '/keys'];
/** The program runs the queries of a page for so long in one go: its own start is much longer than most of them. */
const turnMs = 100;
const mostRepeats = 1000;
const rounds = 7;

/** The queries of pages beside the `sqlite3` program on the same SQL, in turns. */
export async function compareQueries(
  run: BenchRun,
  { file, project }: { readonly file: string; readonly project: string },
): Promise<readonly Row[]> {
  const program = findPeer('sqlite3');
  if (program === undefined) {
    run.remark('skipped: the comparison of queries needs sqlite3 (Debian package sqlite3)');
    return [];
  }
  const now = Date.now();
  const child = startChild<typeof tasks>(run, import.meta.url);
  await child.ask('open', file);
  const askPage = (address: string) => () => {
    const [path = '', query] = address.split('?');
    return child.ask('askPage', { path, search: query === undefined ? '' : `?${query}`, now });
  };
  const asks: readonly (readonly [string, () => Promise<AskedPage>])[] = [
    ...pages.map(page => [page, askPage(page)] as const),
    ['/projects/…', askPage(project)],
    ['/projects/…?range=1y', askPage(`${project}?range=1y`)],
    ['the table of all projects', () => child.ask('askFleet', { now })],
  ];
  const rows: Row[] = [];
  for (const [what, ask] of asks) rows.push(...(await compare(what, ask, { program, file })));
  await child.stop();
  return rows;
}

async function compare(
  what: string,
  ask: () => Promise<AskedPage>,
  place: { readonly program: string; readonly file: string },
): Promise<readonly Row[]> {
  await ask();
  const { queries, ms } = await ask();
  if (queries.length === 0) throw new Error(`${what} asks nothing of the history`);
  const repeats = Math.min(mostRepeats, Math.ceil(turnMs / ms));
  const once = queries.map(writeQuery).join('\n');
  const own: number[] = [];
  const program: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const times: number[] = [];
    for (let turn = 0; turn < repeats; turn += 1) times.push((await ask()).ms);
    own.push(median(times));
    const startMs = runProgram(place, 'SELECT 1;');
    program.push(Math.max(0, runProgram(place, once.repeat(repeats)) - startMs) / repeats);
  }
  const baseline = `sqlite3, the same ${queries.length} queries (${what})`;
  return [
    { what: baseline, value: median(program), unit: 'ms' },
    {
      what: `queries of ${what}`,
      value: median(own),
      unit: 'ms',
      ratioTo: baseline,
      goal: { of: 'ratio', atMost: 1.5 },
    },
  ];
}

/** Milliseconds from its start to its end; rows go nowhere. */
function runProgram(
  { program, file }: { readonly program: string; readonly file: string },
  sql: string,
): number {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(program, ['-readonly', file], {
    input: `${sql}\n`,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  if (status !== 0) throw new Error(`sqlite3: ${stderr}`);
  return performance.now() - startedAt;
}

/** A statement with its values written into it. */
function writeQuery({ sql, values }: AskedQuery): string {
  const named: Record<string, unknown> = {};
  const inOrder: unknown[] = [];
  for (const value of values) {
    if (typeof value === 'object' && value !== null) Object.assign(named, value);
    else inOrder.push(value);
  }
  const written = sql.replaceAll(/\?|@(\w+)/g, (_, name?: string) =>
    writeValue(name === undefined ? inOrder.shift() : named[name]),
  );
  return `${written};\n`;
}

function writeValue(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  // SQL has no word for infinity, but a number that is so large.
  if (typeof value === 'number') return String(value).replace('Infinity', '9e999');
  return `'${String(value).replaceAll("'", "''")}'`;
}

/** A statement that a page ran, with the values that it was given. */
interface AskedQuery {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** The queries of a page, and the milliseconds that they took together. */
interface AskedPage {
  readonly queries: readonly AskedQuery[];
  readonly ms: number;
}

let console: Console | undefined;
let history: HistoryBrowser | undefined;
let asked: AskedQuery[] = [];
let tookMs = 0;

/** The program begins: it answers pages of this history. */
async function open(file: string): Promise<void> {
  watchStatements();
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
    reports: { ask: refuse, askTogether: refuse, askSoon: refuse, projects: refuse },
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
if (import.meta.main) serveTasks(tasks);
