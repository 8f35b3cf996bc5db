import { seriesModes } from '../../src/resources/family-selection.ts';
import { drillFaults } from './drill-fault.ts';
import { describeDrill } from './drill-suite.ts';

for (const mode of seriesModes) describeDrill(mode, drillFaults);
