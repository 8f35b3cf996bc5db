import { answerFaults } from './answer-fault.ts';
import { describeApiFaults } from './api-fault-suite.ts';
import { listFaults } from './list-fault.ts';

describeApiFaults('documents that are none, or say odd things', [...answerFaults, ...listFaults], {
  mostMegabytes: 450,
});
