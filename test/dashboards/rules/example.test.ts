import { expect, test } from 'vitest';
import { alerts } from '../../../dashboards/rules/alert-catalog.ts';
import { describeWithPeers } from '../../support/peer.ts';
import { askExamples, testRules } from './promtool-test.ts';

const ruleFile = new URL('../../../dashboards/rules/dbpm.rules.yml', import.meta.url).pathname;

describeWithPeers(['promtool'], 'the examples of the alerts', ({ promtool }) => {
  test.each(alerts)(
    '$name is quiet before, fires with its labels and annotations, resolves, and knows what is no fault',
    alert => {
      const every = alert.examples.evaluatedEvery;
      expect(testRules(promtool, ruleFile, { questions: askExamples(alert), every })).toBe('');
    },
  );
});
