import { answerFaults } from './answer-fault.ts';
import { describeApiFaults } from './api-fault-suite.ts';
import { certificateFaults } from './certificate-fault.ts';
import { connectionFaults } from './connection-fault.ts';
import { listFaults } from './list-fault.ts';
import { describeMachineFaults } from './machine-fault-suite.ts';
import { processFaults } from './process-fault.ts';
import { statusFaults } from './status-fault.ts';
import { valueFaults } from './value-fault.ts';

const groups = [
  connectionFaults,
  certificateFaults,
  statusFaults.slice(2, 6),
  answerFaults,
  listFaults,
  valueFaults,
];

/** A dozen rows of the table of faults, of each kind some; `npm run endurance` brings all of them about. */
describeApiFaults(
  'some faults of each kind',
  groups.flatMap(rows => [rows[0], rows[Math.floor(rows.length / 2)]].filter(row => row !== undefined)),
  { mostMegabytes: 450 },
);
describeMachineFaults('what happens to a process', processFaults.slice(0, 2));
