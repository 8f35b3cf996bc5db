import { describeApiFaults } from './api-fault-suite.ts';
import { valueFaults } from './value-fault.ts';

describeApiFaults('values and dates that cannot be true', valueFaults, { mostMegabytes: 450 });
