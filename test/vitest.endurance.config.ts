import { defineConfig } from 'vitest/config';
import config, { faultTests, longTests, scaleTests } from './vitest.config.ts';

/** Tests that wait, repeat or measure, for `npm run endurance`. */
export const enduranceTests = [
  ...longTests,
  ...faultTests,
  ...scaleTests,
  // Of these, `npm test` runs a short form.
  'test/fuzz/*.test.ts',
  'test/console/page-truth.property.test.ts',
  'test/history/sharded-page.property.test.ts',
  'test/backfill/several-histories.property.test.ts',
  'test/e2e/resumed-daemon.test.ts',
];

export default defineConfig({
  test: {
    ...config.test,
    include: enduranceTests,
    exclude: [],
    setupFiles: ['test/support/property-seed.ts'],
    env: {
      ...config.test?.env,
      FUZZ: 'long',
      SHARDED_PAGE_RUNS: '12',
      SEVERAL_HISTORIES_RUNS: '100',
      RESUMED_ROUNDS: '10',
    },
  },
});
