import { describeApiFaults } from './api-fault-suite.ts';
import { statusFaults } from './status-fault.ts';

describeApiFaults('what a service answers in place of a document', statusFaults, { mostMegabytes: 450 });
