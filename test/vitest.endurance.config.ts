import { defineConfig } from 'vitest/config';
import { common, enduranceTests, simulation, simulations } from './vitest.config.ts';

/** Tests of the other tiers that have a longer form, besides the simulations. */
const longerForms = [
  'test/fuzz/*.test.ts',
  'test/**/*.property.test.ts',
  'test/config/{price-book,value-schema,setting}.test.ts',
  'test/history/{hostile-input,roll-up,backfill,endpoint-history,gap-truth,size-estimate,spread-bound,usage-truth}.test.ts',
  'test/e2e/{standby,truth}.system.test.ts',
];

/** Globs of all files. */
export const enduranceFiles = [enduranceTests, ...longerForms, simulations];

/** `npm run endurance`: all that waits, repeats or measures. */
export default defineConfig({
  test: {
    ...common,
    env: { ...common.env, FUZZ: 'long' },
    projects: [
      {
        extends: true,
        test: {
          name: 'endurance',
          include: [enduranceTests, ...longerForms],
          exclude: [simulations],
          setupFiles: ['test/support/property-seed.ts'],
        },
      },
      // Two hundred takeovers are hours of virtual time.
      { ...simulation, test: { ...simulation.test, testTimeout: 1_800_000 } },
    ],
  },
});
