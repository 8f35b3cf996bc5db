import { expect, test } from 'vitest';
import { select } from '../../../dashboards/promql.ts';
import { alerts } from '../../../dashboards/rules/alert-catalog.ts';
import { operationFamilies } from '../../../src/resources/operation.ts';
import { projectFamilies } from '../../../src/resources/project.ts';
import { reconstructionFamilies } from '../../../src/resources/usage/reconstruction.ts';
import { describeWithPeers } from '../../support/peer.ts';
import { askExamples, describeFiring, testRules } from './promtool-test.ts';

const ruleFile = new URL('../../../dashboards/rules/dbpm.rules.yml', import.meta.url).pathname;

describeWithPeers(['promtool'], 'the examples of the alerts', ({ promtool }) => {
  test.each(alerts)(
    '$name is quiet before, fires with its labels and annotations, resolves, and knows what is no fault',
    alert => {
      const every = alert.examples.evaluatedEvery;
      expect(testRules(promtool, ruleFile, { questions: askExamples(alert), every })).toBe('');
    },
  );

  test('use that is reported too low raises DbpmUsageDrift as use that is reported too high', () => {
    const labels = { job: 'dbpm', instance: 'dbpm:10062', account: 'main' };
    const { reportedComputeSeconds, reconstructedComputeSeconds } = reconstructionFamilies;
    const alert = alerts.find(({ name }) => name === 'DbpmUsageDrift');
    if (alert === undefined) throw new Error('there is no such alert');
    const question = {
      alertname: alert.name,
      series: {
        [select(reportedComputeSeconds, labels)]: '18000x9 14400x200',
        [select(reconstructedComputeSeconds, { ...labels, bound: 'lower' })]: '18000x230',
        [select(reconstructedComputeSeconds, { ...labels, bound: 'upper' })]: '19000x230',
      },
    };
    const headline =
      'The service reports 1h 0m 0s of compute a day more or less than endpoints of account main can have used.';
    const description = alert.examples.fires.description.replace('4h', '1h');
    const firing = describeFiring(alert, { labels, headline, description });
    const questions = [
      { ...question, at: '189m', expected: [] },
      { ...question, at: '190m', expected: [firing] },
    ];
    expect(testRules(promtool, ruleFile, { questions })).toBe('');
  });

  test('a failure of the time when nobody watched is news once it is counted', () => {
    const labels = { job: 'dbpm', instance: 'dbpm:10062', account: 'main', project_id: 'p1' };
    const action = 'apply_config';
    const named = { ...labels, project_name: 'shop' };
    const question = {
      alertname: 'DbpmOperationFailed',
      series: {
        [select(projectFamilies.info, named)]: '1x60',
        [select(operationFamilies.ended, { ...labels, action, status: 'error' })]: '0x5 _x3 1x50',
        [select(operationFamilies.lastFailureTimestamp, { ...labels, action })]: '_x9 -7200x50',
      },
    };
    const description =
      'An operation apply_config of project shop (p1) failed, the last one at 1969-12-31 22:00:00 +0000 UTC. See its error in the console of the service, then do again what asked for it.';
    const alert = alerts.find(({ name }) => name === 'DbpmOperationFailed');
    if (alert === undefined) throw new Error('there is no such alert');
    const headline = 'Operation apply_config of project shop failed.';
    const firing = describeFiring(alert, { labels: { ...named, action }, headline, description });
    const questions = [
      { ...question, at: '9m', expected: [] },
      { ...question, at: '10m', expected: [firing] },
    ];
    expect(testRules(promtool, ruleFile, { questions })).toBe('');
  });
});
