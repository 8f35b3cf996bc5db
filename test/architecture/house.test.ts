import { expect, test } from 'vitest';
import { findCircle, readSources } from './import-graph.ts';

const sources = readSources();

/** Each wraps one technology or is pure, and stands on the shared vocabulary alone. */
const capabilities: Readonly<Record<string, readonly string[]>> = {
  api: [],
  config: [],
  cost: [],
  history: [],
  http: [],
  log: [],
  metrics: [],
  // When to ask is decided apart from asking.
  poll: ['scheduler'],
  'remote-write': [],
  scheduler: [],
  simulator: [],
};

/** Use cases: each joins capabilities, and starts the other use cases listed here. */
const applications: Readonly<Record<string, readonly string[]>> = {
  // A backfill shows what the usage worker would have shown.
  backfill: ['usage'],
  // A bill is a report of one billing period, to be closed or compared with an invoice.
  bill: ['report'],
  // A plan tells whether a request budget is large enough.
  check: ['plan'],
  'check-config': ['plan'],
  // Pages show reports, and views of use and cost as they were last worked out.
  console: ['report', 'usage'],
  // The daemon starts the workers that work out use and cost, and that make pages.
  daemon: ['usage', 'console'],
  // A demo is a daemon on a configuration that is checked like any other.
  demo: ['check-config', 'daemon'],
  // Tables are what reports are made of.
  lake: ['report'],
  plan: [],
  report: [],
  usage: [],
  // The console over histories of daemons is served as a daemon serves its own.
  viewer: ['usage', 'console', 'daemon'],
};

/** The capabilities a command may call itself, where there is nothing to join. */
const calledByCommands = ['config', 'history', 'log', 'simulator'];

const folders = new Map<string, ReadonlySet<string>>([
  ['resources', new Set()],
  ...Object.entries(capabilities).map(([folder, more]) => [folder, new Set(['resources', ...more])] as const),
  ...Object.entries(applications).map(
    ([folder, more]) => [folder, new Set(['resources', ...Object.keys(capabilities), ...more])] as const,
  ),
  ['cli', new Set(['resources', ...calledByCommands, ...Object.keys(applications)])],
]);

/** The folder that wraps each package; nobody else may import it. */
const owners: Readonly<Record<string, string | readonly string[]>> = {
  undici: 'api',
  'node-cron': 'poll',
  'better-sqlite3': 'history',
  'prom-client': 'metrics',
  express: 'http',
  bcrypt: 'http',
  pino: 'log',
  // Schemas read what a configuration says, what an address asks and what a manifest has, and check what an answer has.
  valibot: ['config', 'console', 'lake'],
  '@valibot/to-json-schema': 'console',
  htm: 'console',
  preact: 'console',
  'preact-render-to-string': 'console',
  yaml: 'config',
  '@bomb.sh/tab/commander': 'cli',
  commander: 'cli',
  'big.js': 'cost',
  '@bufbuild/protobuf/wire': 'remote-write',
  snappyjs: 'remote-write',
  'csv-parse/sync': 'bill',
  'hyparquet-writer': 'lake',
  'temporal-polyfill': 'cost',
};

/** Pure folders: the same arguments give the same result, and nothing outside is touched; time is an argument. */
const pureFolders = [
  'api/message/',
  'api/pacing/',
  'bill/comparison/',
  'console/part/',
  'cost/',
  'history/ledger/',
  'http/content/',
  'metrics/page/',
  'plan/format/',
  'report/format/',
  'remote-write/',
  'resources/',
  'scheduler/',
  'simulator/model/',
];
/** Arithmetic, calendars, digests, compression in memory, and markup. */
const purePackages: ReadonlySet<string> = new Set([
  '@bufbuild/protobuf/wire',
  'big.js',
  'htm',
  'node:crypto',
  'node:zlib',
  'preact',
  'snappyjs',
  'temporal-polyfill',
]);
const isPure = (path: string) => pureFolders.some(folder => path.startsWith(folder));
const pure = sources.filter(({ path }) => isPure(path));

test('every file lies in a folder with a name, but the entry', () => {
  const loose = sources.filter(({ folder }) => folder === '').map(({ path }) => path);
  expect(loose).toEqual(['main.ts']);
  expect(new Set(sources.map(({ folder }) => folder).filter(folder => folder !== ''))).toEqual(
    new Set(folders.keys()),
  );
});

test('every package has one owner, and nobody else imports it', () => {
  const strays = sources.flatMap(({ path, folder, packages }) =>
    packages
      .filter(name => !name.startsWith('node:') && ![owners[name]].flat().includes(folder))
      .map(name => `${path} imports ${name}`),
  );
  expect(strays).toEqual([]);
});

test('capabilities stand on resources alone, and application folders join capabilities, not each other', () => {
  const strays = sources.flatMap(({ path, folder, imports }) =>
    imports
      .filter(target => folder !== '' && !target.startsWith('../dashboards/'))
      .filter(target => {
        const wanted = target.split('/')[0] ?? '';
        return wanted !== folder && folders.get(folder)?.has(wanted) !== true;
      })
      .map(target => `${path} imports ${target}`),
  );
  expect(strays).toEqual([]);
});

test('a command calls one use case, besides the check of its configuration', () => {
  const strays = sources
    .filter(({ folder }) => folder === 'cli')
    .map(({ path, imports }) => ({
      path,
      called: new Set(imports.map(target => target.split('/')[0] ?? '')),
    }))
    .map(({ path, called }) => ({
      path,
      called: [...called].filter(folder => folder !== 'check-config' && folder in applications),
    }))
    .filter(({ called }) => called.length > 1);
  expect(strays).toEqual([]);
});

test('only the check of a configuration and the rules command know the alerts', () => {
  const knowing = sources.filter(({ imports }) =>
    imports.some(target => target.startsWith('../dashboards/')),
  );
  expect(new Set(knowing.map(({ folder }) => folder))).toEqual(new Set(['check-config', 'cli']));
});

test('pure folders import pure folders and nothing that acts, and read no clock', () => {
  for (const folder of pureFolders) {
    expect(
      pure.filter(({ path }) => path.startsWith(folder)),
      folder,
    ).not.toEqual([]);
  }
  expect(
    pure.flatMap(({ path, packages, needs }) => [
      ...packages.filter(name => !purePackages.has(name)).map(name => `${path} imports ${name}`),
      ...needs.filter(target => !isPure(target)).map(target => `${path} imports ${target}`),
    ]),
  ).toEqual([]);
  const clocks =
    /Date\.now|Temporal\.Now|new Date\(\)|performance\.now|Math\.random|random(Bytes|UUID|Int)|setTimeout|process\./;
  expect(pure.filter(({ text }) => clocks.test(text)).map(({ path }) => path)).toEqual([]);
});

test('no file imports itself through others, not even for a type', () => {
  expect(findCircle(sources, 'imports')).toEqual([]);
});

test('only main touches the process', () => {
  const touching = sources.filter(({ text }) => /process\.(env|argv|exit|on\()/.test(text));
  expect(touching.map(({ path }) => path)).toEqual(['main.ts']);
});

test('every file can be read on a few screens, and none is a drawer', () => {
  const long = sources.filter(({ text }) => text.split('\n').length > 260).map(({ path }) => path);
  expect(long).toEqual([]);
  const drawers = sources.filter(({ path }) => /(^|\/)(utils|helpers|common|types|index)\b/.test(path));
  expect(drawers.map(({ path }) => path)).toEqual([]);
});
