import { describeTruth } from './truth-suite.ts';

describeTruth(30, 'later');
