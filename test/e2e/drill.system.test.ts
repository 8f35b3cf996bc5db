import { drillFaults } from './drill-fault.ts';
import type { DrillFault } from './drill-injection.ts';
import { describeDrill } from './drill-suite.ts';

/** One of each kind: of what is watched, of the key it is watched with, and of the daemon itself. */
const chosen = ['DbpmOperationFailed', 'DbpmKeyRejected', 'DbpmExporterDown'];
const isChosen = ({ alerts }: DrillFault) => alerts.some(alert => chosen.includes(alert));

describeDrill('full', {
  together: drillFaults.together.filter(isChosen),
  alone: drillFaults.alone.filter(isChosen),
});
