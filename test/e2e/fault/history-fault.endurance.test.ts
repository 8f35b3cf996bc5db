import { historyFaults } from './history-fault.ts';
import { describeMachineFaults } from './machine-fault-suite.ts';

describeMachineFaults('what happens to the history', historyFaults);
