import { defineConfig } from 'vitest/config';
import config, { longTests } from './vitest.config.ts';

/** The tests that are left out of `npm test` for the time they take. */
export default defineConfig({
  test: {
    ...config.test,
    include: longTests,
    exclude: [],
  },
});
