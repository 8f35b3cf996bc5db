import { beforeAll, describe, expect, test } from 'vitest';
import { bucketsOf, select } from '../../../dashboards/promql.ts';
import { type Alert, describedProject, type Series } from '../../../dashboards/rules/alert.ts';
import { alerts, listMetrics } from '../../../dashboards/rules/alert-catalog.ts';
import { selfFamilies } from '../../../src/metrics/self/self-family.ts';
import { accountFamilies } from '../../../src/resources/account.ts';
import { operationDurationFamilies, operationFamilies } from '../../../src/resources/operation.ts';
import { projectFamilies } from '../../../src/resources/project.ts';
import { budgetUsageFamilies } from '../../../src/resources/usage/budget.ts';
import { describeWithPeers } from '../../support/peer.ts';
import { describeFiring, findAlert, testRules } from './promtool-test.ts';

const ruleFile = new URL('../../../dashboards/rules/dbpm.rules.yml', import.meta.url).pathname;
const { shardInfo } = selfFamilies;

const shards = 8;
/** Parts have so few digits that their sum is exact: it is never below the whole. */
const digits = 2 ** 30;
const one = 'dbpm:10062';
const instanceOf = (shard: number) => `dbpm-${shard}:10062`;
const tellShard = (shard: number): Series => ({
  [select(shardInfo, {
    job: 'dbpm',
    instance: instanceOf(shard),
    shard: String(shard),
    shards: String(shards),
  })]: '1x20000',
});

/** What each shard shows as it is. */
const same = [budgetUsageFamilies.thresholdRatio.name, accountFamilies.up.name];

/** The part of samples that one of the shards has, in the same notation. */
function partOf(series: Series): Series {
  const part = (value: string) => String(Math.ceil((Number(value) / shards) * digits) / digits);
  const shown = (name: string, values: string) =>
    same.some(each => name.startsWith(`${each}{`))
      ? values
      : values.replaceAll(
          /(?<=^| )(-?[\d.]+)(?:\+([\d.]+))?x/g,
          (_, first: string, step?: string) => `${part(first)}${step === undefined ? '' : `+${part(step)}`}x`,
        );
  return Object.fromEntries(
    Object.entries(series).map(([name, values]) => [name, shown(name, values)] as const),
  );
}

function onShard(series: Series, shard: number): Series {
  return Object.fromEntries(
    Object.entries(series).map(
      ([name, values]) => [name.replace(`"${one}"`, `"${instanceOf(shard)}"`), values] as const,
    ),
  );
}

const ofAccounts = alerts.filter(
  ({ examples: { fires } }) =>
    ('account' in fires.labels || 'budget' in fires.labels) &&
    !['project_id', 'key_id'].some(label => label in fires.labels),
);
const ofAllShards = ofAccounts.filter(alert => listMetrics(alert).has(shardInfo.name));

describe('alerts on accounts and budgets', () => {
  test('judge all shards together, but for those that are right of each', () => {
    const ofEachShard = {
      DbpmPollingStalled: 'work of one exporter',
      DbpmAccountFailing: 'as one exporter sees the account',
      DbpmKeyRejected: 'as one exporter sees the account',
      DbpmRateLimited: 'a share, and that of all is never above the greatest',
      DbpmValuesImplausible: 'any at all',
      DbpmDataStale: 'the age of what one exporter shows',
      DbpmProjectUnreadable: 'the age of what one exporter shows',
      DbpmProjectsUnavailable: 'any at all, of the same list',
      DbpmRequestBudgetTooSmall: 'the budget of one exporter',
      DbpmUsageStale: 'the age of what one exporter shows',
      DbpmMeterStopped: 'the age of what one exporter shows',
    };
    const others = ofAccounts.filter(alert => !ofAllShards.includes(alert));
    expect(others.map(({ name }) => name)).toEqual(Object.keys(ofEachShard));
    expect(ofAllShards.map(({ name }) => name)).toEqual([
      ...['DbpmCollectorFailing', 'DbpmFieldsLost'],
      ...['DbpmBudgetExhausted', 'DbpmBudgetThresholdReached', 'DbpmBudgetWillRunOut'],
      ...['DbpmBudgetBurnsFast', 'DbpmBudgetBurnsSlow'],
      ...['DbpmUsageUnpriced', 'DbpmUsageDrift', 'DbpmLedgersDisagree', 'DbpmFindingsCostly'],
    ]);
  });
});

describeWithPeers(['promtool'], 'alerts over several shards', ({ promtool }) => {
  const askShards = (alert: Alert) => {
    const { fires, evaluatedEvery: every } = alert.examples;
    const part = partOf(fires.series);
    const all = Array.from({ length: shards }, (_, shard) => ({
      ...tellShard(shard),
      ...onShard(part, shard),
    }));
    const together: Series = Object.assign({}, ...all);
    const firing = describeFiring(alert, { ...fires, labels: { ...fires.labels, instance: 'shards' } });
    const asked = { alertname: alert.name, series: together };
    const questions = [
      { ...asked, at: fires.quietAt, expected: [] },
      { ...asked, at: fires.firesAt, expected: [firing] },
      { ...asked, at: fires.resolvedAt, expected: [] },
      { alertname: alert.name, series: part, at: fires.firesAt, expected: [] },
    ];
    return { questions, every };
  };
  let said: readonly string[];

  beforeAll(() => {
    said = testRules(promtool, ruleFile, ofAllShards.map(askShards));
  });

  test.each(ofAllShards.map(({ name }, index) => ({ name, index })))(
    '$name fires for all of them when it fires for none alone',
    ({ index }) => expect(said[index]).toBe(''),
  );

  test('a fault in a list that each of them reads is not taken for several', () => {
    const errors = (collector: string) =>
      Array.from({ length: 3 }, (_, shard) => [
        select(accountFamilies.collectorErrors, {
          ...{ job: 'dbpm', instance: instanceOf(shard), account: 'main' },
          ...{ collector, reason: 'malformed' },
        }),
        // As many as are no accident alone, each time until they are old.
        '0x4 1x9 2x9 3x9 4x9 5x9',
      ]);
    const told = Object.assign({}, ...[0, 1, 2].map(tellShard));
    const ask = (collector: string) => ({
      questions: [
        {
          ...{ alertname: 'DbpmCollectorFailing', at: '40m', expected: [] },
          series: { ...told, ...Object.fromEntries(errors(collector)) },
        },
      ],
    });
    const [sameList, ownLists] = testRules(promtool, ruleFile, [ask('projects'), ask('operations')]);
    expect(sameList).toBe('');
    expect(ownLists).toContain('DbpmCollectorFailing');
  });

  test('an operation takes unusually long by what other shards know of its action', () => {
    const account = { job: 'dbpm', account: 'main' } as const;
    const project = { ...account, instance: instanceOf(0), project_id: 'p1' } as const;
    const action = 'apply_config';
    const bucket = (shard: number, le: string, values: string) => ({
      [select(bucketsOf(operationDurationFamilies.duration), {
        ...{ ...account, instance: instanceOf(shard) },
        ...{ action, le },
      })]: values,
    });
    const observed = (shard: number) => ({
      ...bucket(shard, '60', '0x100'),
      ...bucket(shard, '300', '0+1x100'),
      ...bucket(shard, '+Inf', '0+1x100'),
    });
    const series = {
      ...Object.assign({}, ...[0, 1, 2].map(tellShard)),
      ...{ ...observed(1), ...observed(2) },
      [select(projectFamilies.info, { ...describedProject, ...project })]: '1x100',
      [select(operationFamilies.inProgress, { ...project, action, status: 'running' })]: '_x10 1x90',
      [select(projectFamilies.lastRefreshTimestamp, project)]: '0+60x100',
      [select(operationFamilies.oldestInProgressTimestamp, project)]: '_x10 600x90',
    };
    const alert = findAlert('DbpmOperationUnusuallyLong');
    const { fires } = alert.examples;
    const firing = describeFiring(alert, { ...fires, labels: { ...fires.labels, instance: instanceOf(0) } });
    const asked = { alertname: alert.name, series };
    const questions = [
      { ...asked, at: fires.quietAt, expected: [] },
      { ...asked, at: fires.firesAt, expected: [firing] },
    ];
    expect(testRules(promtool, ruleFile, [{ questions }])).toEqual(['']);
  });
});
