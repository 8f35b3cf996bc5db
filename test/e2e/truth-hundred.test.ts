import { describeTruth } from './truth-suite.ts';

describeTruth(100);
