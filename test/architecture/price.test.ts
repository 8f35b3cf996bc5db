import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { alerts } from '../../dashboards/rules/alert-catalog.ts';
import { reportCommand } from '../../src/cli/report.ts';
import { settings } from '../../src/config/setting.ts';
import { addressParameters } from '../../src/console/page/report/report-parameter.ts';
import { reportKinds } from '../../src/report/kind.ts';
import { flagOf, keyOf, type ParameterName, parameterNames } from '../../src/report/parameter.ts';
import { branchItem } from '../../src/resources/branch.ts';
import { partCollectors } from '../../src/resources/collector.ts';
import type { FieldTable } from '../../src/resources/declared-field.ts';
import { endpointItem } from '../../src/resources/endpoint.ts';
import { projectItem } from '../../src/resources/project.ts';
import { makeFakeIo } from '../cli/fake-io.ts';

const root = new URL('../..', import.meta.url);

/** The source as it runs: what only a comment says costs nothing. */
const sources = globSync(['src/**/*.{ts,sql}', 'dashboards/rules/*.ts'], { cwd: root.pathname })
  .toSorted()
  .map(path => {
    const text = readFileSync(new URL(path, root), 'utf8');
    return { path, code: text.replace(/\/\*[\s\S]*?\*\/|^\s*(?:\/\/|--).*$/gm, '') };
  });

/** The files below some folders in which something is written, without the files that are named. */
function filesWith(what: RegExp, below: readonly string[], besides: readonly string[] = []) {
  return sources
    .filter(({ path, code }) => below.some(folder => path.startsWith(folder)) && what.test(code))
    .map(({ path }) => path)
    .filter(path => !besides.includes(path));
}

function quoted(text: string): RegExp {
  return new RegExp(`['"\`]${RegExp.escape(text)}['"\`]`);
}

/** The way of an answer to the page: what is behind it makes something of a resource, which is a change of its own. */
const wayToPage = ['src/api/', 'src/config/', 'src/daemon/', 'src/history/', 'src/metrics/', 'src/poll/'];

test('a resource of projects is six files: these, and the format of the history, which another table changes', () => {
  const branch =
    /\bbranch(?:Part|Item|List|Families)\b|\bHasBranches\b|'branches'|collect\.branches|TABLE branch\b/;
  const files = filesWith(
    branch,
    ['src/resources/', 'src/check/', ...wayToPage],
    [
      // A limit of the project is compared with its largest branch.
      'src/resources/later-project.ts',
      // Since when a branch is not used, for findings.
      'src/history/usage/branch-use-query.ts',
      'src/resources/usage/catalog.ts',
      // A line of the bill, and a limit of a plan, which have the same name.
      'src/config/plan-reader.ts',
      'src/resources/price-book.ts',
      'src/resources/usage/line-cost.ts',
    ],
  );
  expect(files).toEqual([
    'src/history/schema.sql',
    'src/resources/branch.ts',
    'src/resources/catalog.ts',
    'src/resources/collector.ts',
    'src/resources/project.ts',
  ]);
});

describe.each<readonly [string, FieldTable]>([
  ['project', projectItem.fields],
  ['endpoint', endpointItem.fields],
  ['branch', branchItem.fields],
])('a remembered field of a %s', (_, fields) => {
  // One that queries need has a column besides.
  const names = Object.entries(fields)
    .filter(([, { isLater, isColumn, remembers }]) => isLater && !isColumn && remembers !== 'nothing')
    .map(([name]) => name);

  test.each(names)('that only later versions send is three files at most: %s', name => {
    const files = filesWith(new RegExp(`\\b${name}\\b`), ['src/resources/', ...wayToPage]);
    expect(files.length, files.join(' ')).toBeLessThanOrEqual(3);
  });
});

test('a setting is one file: flag, variable, YAML key, help and document follow from its row', () => {
  // Commands that have another default, or another name for it.
  const besides = ['console', 'demo', 'history-command', 'setting-option'].map(name => `src/cli/${name}.ts`);
  // Those of resources follow from their names, and how long rows are kept is checked for all kinds together.
  const others = new Set(['history.keep_samples', 'history.keep_hours', 'history.keep_days']);
  for (const name of partCollectors) others.add(`collect.${name}`);
  const own = Object.keys(settings).filter(key => !others.has(key));
  const spread = own
    .map(key => [key, ...filesWith(quoted(key), ['src/config/', 'src/cli/'], besides)])
    .filter(({ length }) => length !== 2);
  expect(spread).toEqual([]);
});

test('a parameter of a report is one file: its flag, its address and its field follow from its entry', () => {
  const flags = reportCommand(makeFakeIo().io).options.map(({ long }) => long);
  const possible = reportKinds.flatMap(kind => Object.keys(addressParameters(kind)));
  expect(parameterNames.filter(name => !flags.includes(flagOf(name)))).toEqual([]);
  expect(parameterNames.filter(name => !possible.includes(keyOf(name)))).toEqual(['whatIf']);
  // Files are named by these and bounded by them, and a project is an axis as well.
  const known = new Set<ParameterName>(['period', 'by', 'format', 'account', 'step', 'project']);
  const faces = ['src/cli/report.ts', 'src/console/api/', 'src/console/page/report/'];
  const spread = parameterNames
    .filter(name => !known.has(name))
    .flatMap(name => [quoted(name), quoted(keyOf(name)), new RegExp(flagOf(name))])
    .flatMap(spelling => filesWith(spelling, faces));
  expect(spread).toEqual([]);
});

test('an alert is one file: settings, rule file and table follow from its row', () => {
  // The help has two of them as examples; conditions and operations in the console lead to the runbook of theirs.
  const pages = ['condition/condition', 'page/operation/incident-word'].map(name => `src/console/${name}.ts`);
  const besides = ['src/cli/rules.ts', ...pages];
  const spread = alerts
    .map(({ name }) => [
      name,
      ...filesWith(new RegExp(`\\b${name}\\b`), ['dashboards/rules/', 'src/'], besides),
    ])
    .filter(({ length }) => length !== 2);
  expect(spread).toEqual([]);
});

test('a column of a report is one file: no format knows what is in it', () => {
  const formats = ['csv', 'json', 'markdown', 'rendering', 'shown-cell', 'table', 'value-kind'];
  const reports = sources.filter(({ path }) => /^src\/report\/(?!format\/)/.test(path));
  const keys = reports.flatMap(({ code }) =>
    [...code.matchAll(/\b(?:key: |column\()'(\w+)'/g)].map(([, key = '']) => key),
  );
  expect(keys.length).toBeGreaterThan(100);
  const known = [...new Set(keys)]
    .map(key => [
      key,
      ...filesWith(
        quoted(key),
        formats.map(format => `src/report/format/${format}.ts`),
      ),
    ])
    .filter(({ length }) => length > 1);
  // CSV has a column of its own for the currency of the report.
  expect(known).toEqual([['currency', 'src/report/format/csv.ts']]);
});
