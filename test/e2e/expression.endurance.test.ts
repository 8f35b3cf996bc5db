import { isLeftOut } from '../dashboards/boards/left-out.ts';
import { allFaults, describeExpressions } from './expression-suite.ts';

describeExpressions('full', { faults: allFaults });

/** Flags a compact page has only where they are set: the column is empty and the panel says so until one is. */
const notSet = [
  ['Locked', 'dbpm_project_locked'],
  ['Endpoints', 'dbpm_endpoint_disabled'],
] as const;

describeExpressions('compact', {
  faults: allFaults,
  isEmpty: each =>
    isLeftOut(each) ||
    notSet.some(([panel, metric]) => each.panel === panel && each.expression.includes(metric)),
});
