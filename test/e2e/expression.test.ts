import { describeExpressions } from './expression-suite.ts';

describeExpressions('full', () => false);
