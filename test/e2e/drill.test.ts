import { drillFaults } from './drill-fault.ts';
import { describeDrill } from './drill-suite.ts';

/** One of each kind: of what is watched, of the key it is watched with, and of the daemon itself. */
const chosen = ['DbpmOperationFailed', 'DbpmKeyRejected', 'DbpmExporterDown'];

describeDrill(
  'full',
  drillFaults.filter(({ alerts }) => alerts.some(alert => chosen.includes(alert))),
);
