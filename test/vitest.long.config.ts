import { defineConfig } from 'vitest/config';
import config, { longTests } from './vitest.config.ts';

/** The tests that are left out of `npm test` for the time they take. */
export default defineConfig({
  test: {
    ...config.test,
    // Those with random input run in both suites, here with many more cases.
    include: [...longTests, 'test/fuzz/*.test.ts', 'test/console/page-truth.property.test.ts'],
    exclude: [],
    env: { ...config.test?.env, FUZZ: 'long' },
  },
});
