import { defineConfig } from 'vitest/config';
import config, { scaleTests } from './vitest.config.ts';

/** Tests that one daemon on one machine is not enough for, or only just. */
export default defineConfig({
  test: {
    ...config.test,
    // Of this one, `npm test` runs a short form.
    include: [...scaleTests, 'test/history/sharded-page.property.test.ts'],
    exclude: [],
    env: { ...config.test?.env, SHARDED_PAGE_RUNS: '12' },
  },
});
