import fc from 'fast-check';
import { testSeed } from './seed.ts';

/** Properties draw their cases from the seed of the run as well; a setup file of vitest. */
fc.configureGlobal({ seed: testSeed() });
