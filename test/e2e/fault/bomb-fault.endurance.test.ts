import { bombFaults } from './answer-fault.ts';
import { describeApiFaults } from './api-fault-suite.ts';

describeApiFaults('answers meant to use up the memory', bombFaults, { mostMegabytes: 640, atOnce: 1 });
