import { expect, test } from 'vitest';
import { findCircle, readSources } from './import-graph.ts';

const sources = readSources();

/** The folder that wraps each package; nobody else may import it. */
const owners: Readonly<Record<string, string>> = {
  undici: 'api',
  'node-cron': 'poll',
  'better-sqlite3': 'history',
  'prom-client': 'metrics',
  express: 'http',
  pino: 'log',
  yaml: 'config',
  commander: 'cli',
  'big.js': 'cost',
};

/** Decimal numbers do no input or output. */
const purePackages: ReadonlySet<string> = new Set(['big.js']);

/** Pure: no packages but pure ones, no input or output; the time comes in as an argument. */
const pureFiles = [
  /^cost\//,
  /^report\//,
  /^resources\//,
  /^simulator\/model\//,
  /^api\/(retry-timing|request-budget|http-date|base-url|list-page)\.ts$/,
  /^poll\/(budget-advice|budget-share|change-watch|lane|lane-share|list-diff|list-lag|operation-mark|pressure|project-lanes|project-selection|refresh-plan|refresh-scheduler|rest-lanes|retry-queue|round|start-record|turn|watch-list|watched-project)\.ts$/,
  /^history\/(cpu-counter|project-standing|state-ledger|freshness|replay)\.ts$/,
  /^metrics\/(exposition|family-text|past-text|sample-comparison|arrangement|checksum|series-cap|block-share|self-family|process-family)\.ts$/,
  /^http\/(negotiation|landing-page)\.ts$/,
];
const pure = sources.filter(({ path }) => pureFiles.some(pattern => pattern.test(path)));

test('every package has one owner, and nobody else imports it', () => {
  const strays = sources.flatMap(({ path, folder, packages }) =>
    packages
      .filter(name => !name.startsWith('node:') && owners[name] !== folder)
      .map(name => `${path} imports ${name}`),
  );
  expect(strays).toEqual([]);
});

test('siblings never import each other: only resources is shared, and only the roots and the commands wire', () => {
  const strays = sources.flatMap(({ path, folder, imports }) =>
    imports
      .filter(() => folder !== '' && folder !== 'cli')
      .filter(target => !target.startsWith(`${folder}/`) && !target.startsWith('resources/'))
      .map(target => `${path} imports ${target}`),
  );
  expect(strays).toEqual([]);
});

test('the pure cores import no package that does anything outside, and read no clock', () => {
  expect(pure.length).toBeGreaterThan(25);
  expect(
    pure.flatMap(({ path, packages }) =>
      packages.filter(name => !purePackages.has(name)).map(name => `${path} imports ${name}`),
    ),
  ).toEqual([]);
  const clocks = /Date\.now|new Date\(\)|performance\.now|Math\.random|setTimeout|process\./;
  expect(pure.filter(({ text }) => clocks.test(text)).map(({ path }) => path)).toEqual([]);
});

test('no file needs itself through others', () => {
  expect(findCircle(sources)).toEqual([]);
});

test('the vocabulary all folders share has no circle, not even of types', () => {
  const shared = sources.filter(({ folder }) => folder === 'resources');
  expect(findCircle(shared, 'imports')).toEqual([]);
});

test('only main and the program touch the process', () => {
  const touching = sources.filter(({ text }) => /process\.(env|argv|exit|on\()/.test(text));
  expect(touching.map(({ path }) => path)).toEqual(['cli/program.ts', 'main.cjs', 'main.ts']);
});

test('every file can be read on a few screens, and none is a drawer', () => {
  const long = sources.filter(({ text }) => text.split('\n').length > 260).map(({ path }) => path);
  expect(long).toEqual([]);
  const drawers = sources.filter(({ path }) => /(^|\/)(utils|helpers|common|types|index)\b/.test(path));
  expect(drawers.map(({ path }) => path)).toEqual([]);
});
