import { defineConfig } from 'vitest/config';
import config, { faultTests } from './vitest.config.ts';

/** Every fault of docs/faults.md, and daemons that are killed again and again. */
export default defineConfig({
  test: { ...config.test, include: faultTests, exclude: [] },
});
