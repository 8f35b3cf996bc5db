import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { alerts } from '../../dashboards/rules/alert-catalog.ts';
import { recordingRules } from '../../dashboards/rules/recording-rule.ts';
import { makeCommands } from '../../src/cli/command-list.ts';
import { accountSettings } from '../../src/config/account-setting.ts';
import { configFileSetting, globalSettings, ignoreKey, webFileSetting } from '../../src/config/setting.ts';
import { selfFamilies } from '../../src/metrics/self/self-family.ts';
import { catalog } from '../../src/resources/catalog.ts';
import { matchesGlob } from '../../src/resources/glob.ts';
import { makeFakeIo } from '../cli/fake-io.ts';
import { documents, inlineCode } from './document.ts';

const settings = [configFileSetting, ...Object.values(accountSettings), ...globalSettings, webFileSetting];
const keys = [...settings.map(({ key }) => key.replace('accounts[].', '')), ignoreKey];
const commands = makeCommands(makeFakeIo().io);
const flags = [
  '--help',
  '--version',
  ...commands.flatMap(({ options }) => options.flatMap(({ long }) => long ?? [])),
];
/** Flags of scripts and of other programs that pages speak of. */
const foreignFlags = [
  ...['--full', '--omit', '--only', '--write', '--profile', '--build'],
  ...[
    '--storage.tsdb.retention.time',
    '--web.enable-remote-write-receiver',
    '--tsdb.out-of-order.time-window',
    '--query.replica-label',
    '--compact.enable-vertical-compaction',
  ],
];
const { scripts }: { readonly scripts: object } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);
const metrics = [
  ...catalog.flatMap(({ families }) => Object.values(families)),
  ...Object.values(selfFamilies),
].map(({ name }) => name);
const thresholds = alerts.flatMap(alert => Object.keys(alert.thresholds));

const codes = documents.flatMap(document =>
  inlineCode(document).map(code => ({ page: document.path, code })),
);

/** Names in the inline code of pages that match a pattern, each with its page. */
function named(pattern: RegExp) {
  return codes.flatMap(({ page, code }) => Array.from(code.matchAll(pattern), ([name]) => ({ page, name })));
}

test('every flag that is named is one of a command', () => {
  const found = named(/(?<![\w-])--[a-z][\w.-]*/g);
  expect(found.length).toBeGreaterThan(20);
  expect(found.filter(({ name }) => ![...flags, ...foreignFlags].includes(name))).toEqual([]);
});

test('every setting that is named is one', () => {
  const sections = [...new Set(keys.flatMap(key => (key.includes('.') ? [key.split('.')[0]] : [])))];
  const found = named(
    new RegExp(
      `(?<![\\w./-])(?:${sections.join('|')}|accounts\\[\\])\\.[a-z_]+(?:\\.[a-z_]+)?(?![\\w*])`,
      'g',
    ),
  );
  const isKnown = (key: string) =>
    keys.some(each => each === key || each.startsWith(`${key}.`)) || /^rules\.(labels|alerts)/.test(key);
  expect(found.length).toBeGreaterThan(30);
  expect(found.filter(({ name }) => !isKnown(name.replace('accounts[].', '')))).toEqual([]);
});

test('every variable that is named is read', () => {
  const variables = settings.map(({ env }) => env);
  expect(named(/\bDBPM_\w+/g).filter(({ name }) => ![...variables, 'DBPM_API_KEY'].includes(name))).toEqual(
    [],
  );
});

test('every metric that is named is declared', () => {
  const found = named(/(?<![\w:])dbpm_[a-z0-9_*]+/g);
  expect(found.length).toBeGreaterThan(60);
  expect(found.filter(({ name }) => !metrics.some(metric => matchesGlob(name, metric)))).toEqual([]);
});

test('every alert, recording rule and threshold that is named is declared', () => {
  const names = alerts.map(({ name }) => name);
  expect(named(/\bDbpm[A-Z]\w+/g).filter(({ name }) => !names.includes(name))).toEqual([]);
  const rules = recordingRules.map(({ name }) => name);
  expect(named(/\b[a-z]+:dbpm_\w+:\w+/g).filter(({ name }) => !rules.includes(name))).toEqual([]);
  expect(thresholds.length).toBeGreaterThan(20);
});

test('every command that is named with its words is one', () => {
  const found = named(/(?:dbpm-exporter|npm start(?: --silent)? --) ([a-z][a-z-]*)/g);
  const names = commands.map(command => command.name());
  expect(
    found
      .map(({ page, name }) => ({ page, name: name.split(' ').at(-1) ?? '' }))
      .filter(({ name }) => !names.includes(name)),
  ).toEqual([]);
});

test('every script of npm that is named is one', () => {
  const found = named(/npm (?:run )?(?!ci\b)[a-z][a-z:]*/g);
  const scriptNames = found.map(({ page, name }) => ({ page, name: name.split(' ').at(-1) ?? '' }));
  expect(found.length).toBeGreaterThan(10);
  expect(scriptNames.filter(({ name }) => !(name in scripts))).toEqual([]);
});
