import { expect, test } from 'vitest';
import type { Series } from '../../../dashboards/rules/alert.ts';
import { alerts } from '../../../dashboards/rules/alert-catalog.ts';
import { buildRuleGroups } from '../../../dashboards/rules/rule-file.ts';
import { loadCheckedRules } from '../../../src/check/config/loaded-config.ts';
import { catalog } from '../../../src/resources/catalog.ts';
import { readQuery } from '../query-reader.ts';

const families = catalog.flatMap(group => Object.values(group.families));
const leftOut = families.filter(({ whenCompact }) => whenCompact === 'omit').map(({ name }) => name);
const different = families.filter(({ whenCompact }) => whenCompact !== undefined).map(({ name }) => name);
const rules = buildRuleGroups(await loadCheckedRules({ flags: {}, env: {} })).flatMap(group => group.rules);

const named = (series: Series, names: readonly string[]) =>
  Object.keys(series).filter(each => names.includes(each.split('{')[0] ?? ''));

test('no rule asks for what a compact page leaves out', () => {
  const asked = rules.flatMap(({ expr }) => readQuery(expr).selectors.map(({ name }) => name));
  expect(asked).toContain('dbpm_endpoint_state');
  expect(asked.filter(name => leftOut.includes(name))).toEqual([]);
});

test('alerts about what a compact page shows differently have examples of it', () => {
  const needing = alerts.filter(({ examples: { fires, quiet } }) =>
    [fires, quiet].some(({ series }) => named(series, different).length > 0),
  );
  expect(needing.map(({ name }) => name)).toEqual([
    'DbpmOperationFailed',
    'DbpmOperationAttemptsFail',
    'DbpmEndpointNeverSuspends',
    'DbpmEndpointStuckInTransition',
    'DbpmEndpointDisabledButActive',
  ]);
  expect(needing.filter(({ examples }) => examples.compact === undefined)).toEqual([]);
});

test('those examples have only series that a compact page can have', () => {
  const series = alerts.flatMap(({ examples: { compact } }) =>
    compact === undefined ? [] : [compact.fires.series, compact.quiet.series],
  );
  expect(series.flatMap(each => named(each, leftOut))).toEqual([]);
  const counted = series.flatMap(each =>
    named(each, ['dbpm_operations_total', 'dbpm_operation_attempt_failures_total']),
  );
  expect(counted.filter(each => !each.includes('action="any"'))).toEqual([]);
  const zeros = series.flatMap(each => {
    const shown = named(each, ['dbpm_endpoint_state', 'dbpm_endpoint_disabled', 'dbpm_project_locked']);
    return shown.filter(name => /\b0x/.test(each[name] ?? ''));
  });
  expect(zeros).toEqual([]);
});
