import { expect, test } from 'vitest';
import { alerts } from '../../dashboards/rules/alert-catalog.ts';
import { drillFaults } from './drill-fault.ts';
import { describeDrill } from './drill-suite.ts';

/** What befalls the daemon itself is tried on its own, one after the other, when all else is over. */
const ownTests = [
  'DbpmHistoryWriteFailed',
  'DbpmSeriesDropped',
  'DbpmKeyRejected',
  'DbpmExporterDown',
  'DbpmExporterAbsent',
  'DbpmUsageUnpriced',
  'DbpmBudgetExhausted',
  'DbpmBudgetBurnsFast',
  'DbpmBudgetBurnsSlow',
  'DbpmFindingsCostly',
  'DbpmUsageDrift',
  'DbpmUsageUnusual',
  'DbpmUsageStale',
];

/** Not to be had end to end: the daemon reads its configuration once. The examples of the rule show that it fires. */
const untried = ['DbpmConfigReloadFailed'];

test('every alert has a drill, or a reason why not', () => {
  const drilled = drillFaults.map(({ alert }) => alert);
  expect([...drilled, ...ownTests, ...untried].toSorted()).toEqual(alerts.map(({ name }) => name).toSorted());
});

describeDrill('full');
