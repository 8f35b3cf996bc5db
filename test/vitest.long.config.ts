import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';

/** The tests that are left out of `npm test` for the time they take. */
export default defineConfig({
  test: {
    ...config.test,
    include: ['test/e2e/{drill*,rate-limit,compact-expression,truth-hundred}.test.ts'],
    exclude: [],
  },
});
