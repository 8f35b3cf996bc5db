import { describeApiFaults } from './api-fault-suite.ts';
import { statusFaults } from './status-fault.ts';
import { valueFaults } from './value-fault.ts';

describeApiFaults(
  'what a service answers in place of a document, or with values that cannot be true',
  [...statusFaults, ...valueFaults],
  { mostMegabytes: 450 },
);
