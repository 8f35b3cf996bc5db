import { describeApiFaults } from './api-fault-suite.ts';
import { certificateFaults } from './certificate-fault.ts';
import { connectionFaults } from './connection-fault.ts';

describeApiFaults('what networks and certificates do', [...connectionFaults, ...certificateFaults], {
  mostMegabytes: 450,
});
