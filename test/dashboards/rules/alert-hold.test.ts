import { expect, test } from 'vitest';
import { select } from '../../../dashboards/promql.ts';
import { budgetUsageFamilies } from '../../../src/resources/usage/budget.ts';
import { createRandom } from '../../../src/simulator/model/random.ts';
import { holdAlert } from '../../quality/alert-hold.ts';
import { describeWithPeers } from '../../support/peer.ts';
import { describeFiring, findAlert, testRules } from './promtool-test.ts';

const ruleFile = new URL('../../../dashboards/rules/dbpm.rules.yml', import.meta.url).pathname;
const hourMs = 3_600_000;
const hold = { forMs: 6 * hourMs, keepFiringForMs: 24 * hourMs };

test('an alert fires after its time, and outlasts its cause', () => {
  const firing = (hours: string) =>
    holdAlert(
      [...hours].map((_, hour) => hour * hourMs),
      [...hours].map(hour => hour === 'x'),
      { forMs: 2 * hourMs, keepFiringForMs: 3 * hourMs },
    )
      .map(fires => (fires ? 'F' : '.'))
      .join('');
  expect(firing('.xx.xxxx..x....xxx')).toBe('......FFFFFFFF...F');
});

describeWithPeers(['promtool'], 'what judges alerts', ({ promtool }) => {
  test('holds them as Prometheus does', () => {
    const labels = { job: 'dbpm', instance: 'dbpm:10062', budget: 'web' };
    const bound = { ...labels, bound: 'low80' };
    const alert = findAlert('DbpmBudgetWillRunOut');
    const random = createRandom(7, 'hold');
    const hasResult: boolean[] = [];
    while (hasResult.length < 300) {
      const next = !hasResult.at(-1);
      const hours = random.pick(next ? [1, 5, 6, 7, 20] : [1, 3, 23, 24, 25, 40]);
      hasResult.push(...new Array<boolean>(hours).fill(next));
    }
    const firing = holdAlert(
      hasResult.map((_, hour) => hour * hourMs),
      hasResult,
      hold,
    );
    const series = {
      [select(budgetUsageFamilies.projectedBoundRatio, bound)]: hasResult
        .map(has => (has ? '1.02x59' : '0.98x59'))
        .join(' '),
    };
    const expected = describeFiring(alert, { labels: bound, value: '102%' });
    const questions = firing.map((fires, hour) => ({
      alertname: alert.name,
      series,
      at: `${hour}h`,
      expected: fires ? [expected] : [],
    }));
    expect(new Set(firing)).toEqual(new Set([true, false]));
    expect(testRules(promtool, ruleFile, [{ questions, every: '1h' }])).toEqual(['']);
  });
});
