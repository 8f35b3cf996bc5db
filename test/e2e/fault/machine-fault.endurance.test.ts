import { clockFaults } from './clock-fault.ts';
import { describeMachineFaults } from './machine-fault-suite.ts';
import { processFaults } from './process-fault.ts';

describeMachineFaults('what happens to the process and to the clock', [...processFaults, ...clockFaults]);
