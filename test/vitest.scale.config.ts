import { defineConfig } from 'vitest/config';
import config, { scaleTests } from './vitest.config.ts';

/** Tests that one daemon on one machine is not enough for, or only just. */
export default defineConfig({
  test: {
    ...config.test,
    // Of these, `npm test` runs a short form.
    include: [...scaleTests, 'test/history/sharded-page.property.test.ts', 'test/e2e/resumed-daemon.test.ts'],
    exclude: [],
    env: { ...config.test?.env, SHARDED_PAGE_RUNS: '12', RESUMED_ROUNDS: '10' },
  },
});
