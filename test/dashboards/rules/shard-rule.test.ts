import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { describeWithPeers } from '../../support/peer.ts';
import { testRules } from './promtool-test.ts';

const ruleFile = new URL('../../../dashboards/rules/dbpm.rules.yml', import.meta.url).pathname;

/** Series by name and labels, all the same for ten minutes. */
type Values = Readonly<Record<string, number>>;

const shard = (index: number, instance = `dbpm-${index}:10062`) =>
  `{job="dbpm",instance="${instance}",pod="dbpm-${index}",shard="${index}",shards="2"}`;
const of = (name: string, index: number, labels: string, instance = `dbpm-${index}:10062`) =>
  `${name}{job="dbpm",instance="${instance}",pod="dbpm-${index}",${labels}}`;

describeWithPeers(['promtool'], 'figures of all shards', ({ promtool }) => {
  /** The samples of a query after five minutes. */
  function expectSamples(values: Values, query: string, expected: Values): void {
    const folder = mkdtempSync(join(tmpdir(), 'dbpm-shard-rule-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'test.yml');
    const series = Object.entries(values).map(([name, value]) => ({ series: name, values: `${value}x10` }));
    const samples = Object.entries(expected).map(([labels, value]) => ({ labels, value }));
    const questions = [{ expr: query, eval_time: '5m', exp_samples: samples }];
    const tests = [{ interval: '1m', input_series: series, promql_expr_test: questions }];
    writeFileSync(file, stringify({ rule_files: [ruleFile], evaluation_interval: '1m', tests }));
    expect(execFileSync(promtool, ['test', 'rules', file], { encoding: 'utf8' })).toContain('SUCCESS');
  }

  const used = (index: number, value: number, instance?: string): Values => ({
    [`dbpm_exporter_shard_info${shard(index, instance)}`]: 1,
    [of('dbpm_budget_used_ratio', index, 'budget="web"', instance)]: value,
    [of('dbpm_budget_threshold_ratio', index, 'budget="web",kind="spent",threshold="50%"', instance)]: 0.5,
  });
  const recorded = 'budget:dbpm_budget_used_ratio:sum';

  test('are the sum of their parts, and thresholds are what they are', () => {
    const values = { ...used(0, 0.25), ...used(1, 0.5) };
    expectSamples(values, recorded, { [`${recorded}{job="dbpm",instance="shards",budget="web"}`]: 0.75 });
    const threshold = 'budget:dbpm_budget_threshold_ratio:max';
    expectSamples(values, threshold, {
      [`${threshold}{job="dbpm",instance="shards",budget="web",kind="spent",threshold="50%"}`]: 0.5,
    });
  });

  test('count two exporters for one shard once', () => {
    const values = { ...used(0, 0.25), ...used(1, 0.5), ...used(1, 0.375, 'twin:10062') };
    expectSamples(values, recorded, { [`${recorded}{job="dbpm",instance="shards",budget="web"}`]: 0.75 });
  });

  test('are those of each exporter where there are no shards', () => {
    const labels = 'job="dbpm",instance="a:10062",budget="web"';
    const values = { [`dbpm_budget_used_ratio{${labels}}`]: 0.25 };
    expectSamples(values, recorded, { [`${recorded}{${labels}}`]: 0.25 });
  });

  test('know a project that moved from one shard to another, which is not gone', () => {
    const target = (instance: string) => `job="dbpm",instance="${instance}",account="main"`;
    const info = (instance: string) =>
      `dbpm_project_info{${target(instance)},project_id="p1",project_name="shop"}`;
    const series = (newShard: string) => ({
      [info('dbpm-0:10062')]: '1x9 stale',
      [info('dbpm-1:10062')]: newShard,
      [`dbpm_collector_last_success_timestamp_seconds{${target('dbpm-0:10062')},collector="projects"}`]:
        '0+60x60',
      // Another project of the old shard was deleted in the same hour.
      [`dbpm_account_last_project_gone_timestamp_seconds{${target('dbpm-0:10062')}}`]: '_x4 300x60',
    });
    const ask = (newShard: string) => ({
      questions: [{ alertname: 'DbpmProjectGone', series: series(newShard), at: '20m', expected: [] }],
    });
    const [moved, deleted] = testRules(promtool, ruleFile, [ask('_x10 1x50'), ask('_x60')]);
    expect(moved).toBe('');
    expect(deleted).toContain('DbpmProjectGone');
  });

  test('save money by finding', () => {
    const saved = (index: number, value: number): Values => ({
      [`dbpm_exporter_shard_info${shard(index)}`]: 1,
      [of(
        'dbpm_account_findings_cost_per_month',
        index,
        'account="main",finding="idle_tail",currency="EUR"',
      )]: value,
    });
    const name = 'account:dbpm_account_findings_cost_per_month:sum';
    expectSamples({ ...saved(0, 60), ...saved(1, 45) }, name, {
      [`${name}{job="dbpm",instance="shards",account="main",finding="idle_tail",currency="EUR"}`]: 105,
    });
  });
});
