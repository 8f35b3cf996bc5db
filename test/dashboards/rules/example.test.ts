import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { select } from '../../../dashboards/promql.ts';
import { account, describedProject, named, project, target } from '../../../dashboards/rules/alert.ts';
import { alertGroups, alerts } from '../../../dashboards/rules/alert-catalog.ts';
import { parseDuration } from '../../../src/config/duration.ts';
import { settings } from '../../../src/config/setting.ts';
import { accountFamilies } from '../../../src/resources/account.ts';
import { operationFamilies } from '../../../src/resources/operation.ts';
import { budgetUsageFamilies } from '../../../src/resources/usage/budget.ts';
import { reconstructionFamilies } from '../../../src/resources/usage/ledger-drift.ts';
import { describeWithPeers } from '../../support/peer.ts';
import { listLabels, ofTarget, readQuery } from '../query-reader.ts';
import { askExamples, describeFiring, findAlert, testRules } from './promtool-test.ts';

const ruleFile = new URL('../../../dashboards/rules/dbpm.rules.yml', import.meta.url).pathname;

test('every alert of the rule file has an example that fires and one that does not', () => {
  const written = readFileSync(ruleFile, 'utf8').matchAll(/^ +- alert: (\w+)$/gm);
  expect([...written].map(([, name]) => name)).toEqual(alerts.map(({ name }) => name));
  const asked = alerts.map(alert => Map.groupBy(askExamples(alert), ({ series }) => series).values());
  const answers = asked.map(each => [
    ...each.map(questions => questions.map(({ expected }) => expected.length)),
  ]);
  const both = [[0, 1, 0], [0]];
  expect(answers).toEqual(alerts.map(({ examples }) => (examples.compact ? [...both, ...both] : both)));
});

test.each(alerts)('the examples of $name have series of a page, with all their labels', alert => {
  const names = askExamples(alert).flatMap(({ series }) => Object.keys(series));
  const series = names.flatMap(name => readQuery(name).selectors);
  const labelsOf = ({ labels }: (typeof series)[number]) =>
    labels.filter(label => !ofTarget.includes(label)).toSorted();
  expect(series.map(each => [each.name, labelsOf(each)])).toEqual(
    series.map(({ name }) => [name, listLabels(name)]),
  );
});

describeWithPeers(['promtool'], 'the examples of the alerts', ({ promtool }) => {
  let said: readonly string[];

  beforeAll(() => {
    const tests = alerts.map(alert => ({
      questions: askExamples(alert),
      every: alert.examples.evaluatedEvery,
    }));
    said = testRules(promtool, ruleFile, tests);
  });

  test.each(alerts.map(({ name }, index) => ({ name, index })))(
    '$name is quiet before, fires with its labels and annotations, resolves, and knows what is no fault',
    ({ index }) => expect(said[index]).toBe(''),
  );

  test('an account that cannot be read is told before the age of its keys, which were read minutes before', () => {
    const { up, authOk, collectorLastSuccessTimestamp } = accountFamilies;
    const series = {
      [select(up, account)]: '1x9 0x60',
      [select(authOk, account)]: '1x69',
      [select(collectorLastSuccessTimestamp, { ...account, collector: 'projects' })]: '0+60x9 540x60',
      [select(collectorLastSuccessTimestamp, { ...account, collector: 'api_keys' })]: '300x69',
    };
    const [failing, old] = [findAlert('DbpmAccountFailing'), findAlert('DbpmDataStale')];
    const labels = { ...account, collector: 'api_keys' };
    const questions = [
      { alertname: old.name, series, at: '23m', expected: [] },
      {
        ...{ alertname: failing.name, series, at: '23m' },
        expected: [describeFiring(failing, { labels: account })],
      },
      {
        ...{ alertname: old.name, series, at: '27m' },
        expected: [describeFiring(old, { labels, value: '22m 0s' })],
      },
    ];
    expect(testRules(promtool, ruleFile, [{ questions }])).toEqual(['']);
  });

  test('attempts at an operation that then failed for good are not told, nor once that is no news any longer', () => {
    const { attemptFailures, lastFailureTimestamp } = operationFamilies;
    const series = {
      ...named,
      [select(attemptFailures, { ...project, action: 'start_compute' })]: '0x9 4x200',
      [select(lastFailureTimestamp, { ...project, action: 'start_compute' })]: '_x12 720x200',
    };
    const alertname = 'DbpmOperationAttemptsFail';
    const questions = ['20m', '72m', '80m'].map(at => ({ alertname, series, at, expected: [] }));
    expect(testRules(promtool, ruleFile, [{ questions }])).toEqual(['']);
  });

  test('an alert on the fleet outlasts series that vanish, until what kept them away is told', () => {
    const msOf = (text = '0s') => Number(parseDuration(text));
    // What fails is noticed, scraped and judged within a minute and a half.
    const downMs = msOf(findAlert('DbpmExporterDown').for) + 90_000;
    const failingMs = msOf(findAlert('DbpmAccountFailing').for) + 90_000;
    const { operations, endpoints, projects } = alertGroups;
    const short = [operations, endpoints, projects].flatMap(group =>
      (group ?? []).filter(({ keepFiringFor }) => {
        const keptMs = msOf(keepFiringFor);
        return keptMs < downMs || msOf(settings['collect.drop_after'].default) + keptMs < failingMs;
      }),
    );
    expect(short.map(({ name }) => name)).toEqual([]);
  });

  test('a budget that is overrun two thousand times is told in whole percents', () => {
    const { usedRatio, projectedRatio, projectedBoundRatio, thresholdRatio } = budgetUsageFamilies;
    const over = { ...target, budget: 'web' };
    const spent = { ...over, kind: 'spent', threshold: '80%' };
    const projected = { ...over, kind: 'projected', threshold: '80%' };
    const ask = (name: string, labels: Readonly<Record<string, string>>, used: string) => {
      const alert = findAlert(name);
      const series = {
        [select(usedRatio, over)]: used,
        [select(projectedRatio, over)]: '2082x800',
        [select(projectedBoundRatio, { ...over, bound: 'low80' })]: '2082x800',
        [select(thresholdRatio, spent)]: '0.8x800',
        [select(thresholdRatio, projected)]: '0.8x800',
      };
      const expected = [describeFiring(alert, { labels, value: '208200%' })];
      return { questions: [{ alertname: name, series, at: '400m', expected }] };
    };
    const tests = [
      ask('DbpmBudgetExhausted', over, '2082x800'),
      ask('DbpmBudgetThresholdReached', spent, '2082x800'),
      ask('DbpmBudgetWillRunOut', { ...over, bound: 'low80' }, '0.5x800'),
      ask('DbpmBudgetBurnsSlow', projected, '0.5x800'),
    ];
    expect(testRules(promtool, ruleFile, tests)).toEqual(['', '', '', '']);
  });

  test('use that is reported too low raises DbpmUsageDrift as use that is reported too high', () => {
    const { reportedComputeSeconds, reconstructedComputeSeconds } = reconstructionFamilies;
    const alert = findAlert('DbpmUsageDrift');
    const question = {
      alertname: alert.name,
      series: {
        [select(reportedComputeSeconds, account)]: '18000x9 14400x200',
        [select(reconstructedComputeSeconds, { ...account, bound: 'lower' })]: '18000x230',
        [select(reconstructedComputeSeconds, { ...account, bound: 'upper' })]: '19000x230',
      },
    };
    const firing = describeFiring(alert, { labels: account, value: '1h 0m 0s' });
    const questions = [
      { ...question, at: '189m', expected: [] },
      { ...question, at: '190m', expected: [firing] },
    ];
    expect(testRules(promtool, ruleFile, [{ questions }])).toEqual(['']);
  });

  test('a failure of the time when nobody watched is news once it is counted', () => {
    const action = 'apply_config';
    const question = {
      alertname: 'DbpmOperationFailed',
      series: {
        ...named,
        [select(operationFamilies.ended, { ...project, action, status: 'error' })]: '0x5 _x3 1x50',
        [select(operationFamilies.lastFailureTimestamp, { ...project, action })]: '_x9 -7200x50',
      },
    };
    const alert = findAlert('DbpmOperationFailed');
    const labels = { ...project, project_name: describedProject.project_name, action };
    const firing = describeFiring(alert, { labels, value: '1969-12-31 22:00:00 +0000 UTC' });
    const questions = [
      { ...question, at: '9m', expected: [] },
      { ...question, at: '10m', expected: [firing] },
    ];
    expect(testRules(promtool, ruleFile, [{ questions }])).toEqual(['']);
  });
});
