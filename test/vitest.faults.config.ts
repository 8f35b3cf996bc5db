import { defineConfig } from 'vitest/config';
import config, { faultTests } from './vitest.config.ts';

/** Every fault of docs/faults.md, one after the other. */
export default defineConfig({
  test: { ...config.test, include: faultTests, exclude: [] },
});
