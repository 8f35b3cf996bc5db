import { describeExpressions } from './expression-suite.ts';

describeExpressions('full', {
  // Of what recording rules need, and what is there from the beginning; the others take a minute more.
  faults: [
    'service metered',
    'meter priced',
    'operation ended',
    'operation failed',
    'operation stuck',
    'attempts failed',
  ],
});
