import { expect, test } from 'vitest';
import { alerts } from '../../dashboards/rules/alert-catalog.ts';
import { seriesModes } from '../../src/resources/family-selection.ts';
import { drillFaults } from './drill-fault.ts';
import { describeDrill } from './drill-suite.ts';

test('every alert has a drill', () => {
  const drilled = [...drillFaults.together, ...drillFaults.alone].flatMap(fault => fault.alerts);
  expect(drilled.toSorted()).toEqual(alerts.map(({ name }) => name).toSorted());
});

for (const mode of seriesModes) describeDrill(mode, drillFaults);
