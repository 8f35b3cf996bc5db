import { expect, test } from 'vitest';
import { alerts } from '../../dashboards/rules/alert-catalog.ts';
import { drillFaults } from './drill-fault.ts';

test('every alert has a drill', () => {
  const drilled = [...drillFaults.together, ...drillFaults.alone].flatMap(fault => fault.alerts);
  expect(drilled.toSorted()).toEqual(alerts.map(({ name }) => name).toSorted());
});
