import { expect, test } from 'vitest';
import { alerts } from '../../dashboards/rules/alert-catalog.ts';
import { drillFaults } from './drill-fault.ts';
import { describeDrill } from './drill-suite.ts';

/** What befalls the daemon itself is tried on its own, one after the other, when all else is over. */
const ownTests = [
  'DbpmHistoryWriteFailed',
  'DbpmHistoryDamaged',
  'DbpmHistorySetAside',
  'DbpmConfigReloadFailed',
  'DbpmNoActiveExporter',
  'DbpmPollingStalled',
  'DbpmSeriesDropped',
  'DbpmShardMissing',
  'DbpmKeyRejected',
  'DbpmExporterDown',
  'DbpmExporterAbsent',
  'DbpmUsageUnpriced',
  'DbpmBudgetExhausted',
  'DbpmBudgetThresholdReached',
  'DbpmBudgetWillRunOut',
  'DbpmBudgetBurnsFast',
  'DbpmBudgetBurnsSlow',
  'DbpmFindingsCostly',
  'DbpmUsageDrift',
  'DbpmUsageUnusual',
  'DbpmUsageStale',
  'DbpmMeterStopped',
  'DbpmLedgersDisagree',
  'DbpmMeterUnusual',
];

test('every alert has a drill', () => {
  const drilled = drillFaults.map(({ alert }) => alert);
  expect([...drilled, ...ownTests].toSorted()).toEqual(alerts.map(({ name }) => name).toSorted());
});

describeDrill('full');
