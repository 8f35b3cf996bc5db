import { expect, test } from 'vitest';
import { findCircle, readSources } from './import-graph.ts';

const sources = readSources();

/**
 * The rooms by floor, the lowest first. A room imports rooms of floors below it, and none of its own floor: rooms above pass
 * one to another.
 */
const floors: readonly (readonly string[])[] = [
  ['resources'],
  // Each wraps one technology, or is pure.
  ['api', 'config', 'cost', 'history', 'http', 'log', 'metrics', 'poll', 'simulator', 'thread'],
  ['report'],
  ['check', 'console', 'export'],
  ['daemon'],
  ['cli'],
];
/** Rooms that join others into something a user asks for. */
const useCases = new Set(floors.slice(2, -1).flat());
const floorOf = new Map(floors.flatMap((rooms, floor) => rooms.map(room => [room, floor] as const)));

/** The folder that wraps each package; no other may import it. */
const owners: Readonly<Record<string, string | readonly string[]>> = {
  undici: 'api',
  'node-cron': 'poll',
  'better-sqlite3': 'history',
  'prom-client': 'metrics',
  express: 'http',
  bcrypt: 'http',
  pino: 'log',
  // Schemas read what a configuration says, what an address asks and what a manifest has, and check what an answer has.
  valibot: ['config', 'console', 'export'],
  '@valibot/to-json-schema': 'console',
  htm: 'console',
  marked: 'console',
  preact: 'console',
  'preact-render-to-string': 'console',
  yaml: 'config',
  '@bomb.sh/tab/commander': 'cli',
  commander: 'cli',
  'big.js': 'cost',
  '@bufbuild/protobuf/wire': 'export',
  snappyjs: 'export',
  'csv-parse/sync': 'report',
  'hyparquet-writer': 'export',
  'temporal-polyfill': 'cost',
};

/** Pure folders: the same arguments give the same result, and nothing outside is touched; time is an argument. */
const pureFolders = [
  'api/message/',
  'api/pacing/',
  'report/bill/comparison/',
  'console/part/',
  'cost/',
  'history/ledger/',
  'http/content/',
  'metrics/page/',
  'check/plan/format/',
  'report/format/',
  'export/remote-write/',
  'resources/',
  'poll/scheduler/',
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

test('every file lies in a room, but the entry', () => {
  const loose = sources.filter(({ folder }) => folder === '').map(({ path }) => path);
  expect(loose).toEqual(['main.ts']);
  expect(new Set(sources.map(({ folder }) => folder).filter(folder => folder !== ''))).toEqual(
    new Set(floorOf.keys()),
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

test('no room imports a room of its own floor or of one above', () => {
  const strays = sources.flatMap(({ path, folder, imports }) =>
    imports
      .filter(target => folder !== '' && !target.startsWith('../dashboards/'))
      .filter(target => {
        const room = target.split('/')[0] ?? '';
        return room !== folder && (floorOf.get(room) ?? Infinity) >= (floorOf.get(folder) ?? 0);
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
      called: new Set(
        imports
          .filter(target => !target.startsWith('check/config/'))
          .map(target => target.split('/')[0] ?? '')
          .filter(room => useCases.has(room)),
      ),
    }))
    .filter(({ called }) => called.size > 1);
  expect(strays).toEqual([]);
});

test('only the check of a configuration and the rules command know the alerts', () => {
  const knowing = sources.filter(({ imports }) =>
    imports.some(target => target.startsWith('../dashboards/')),
  );
  expect(new Set(knowing.map(({ folder }) => folder))).toEqual(new Set(['check', 'cli']));
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
