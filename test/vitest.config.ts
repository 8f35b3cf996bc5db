import { defineConfig } from 'vitest/config';

/** Tests that wait for real alerts or a request limit, live through weeks of simulated fleets, or measure: minutes in all. */
export const longTests = [
  'test/e2e/{drill*,rate-limit,expression,compact-expression,truth,truth-hundred,billed-months}.test.ts',
  'test/e2e/{backfill,clock-step,cost-backfill,crash-loop,first-failure,first-queries,import,judged-request}.test.ts',
  'test/e2e/{reader,salvaged-history,scrape-scale,two-daemons,web-access}.test.ts',
  'test/metrics/{page,page-set}.property.test.ts',
  'test/{cli,e2e}/*-canary.test.ts',
  'test/history/{backfill,done-finding,endpoint-history,gap-truth,salvage-truth,size-estimate,spread-bound,usage-truth}.test.ts',
  'test/report/hour-agreement.test.ts',
  'test/poll/meter-truth.test.ts',
  'test/daemon/meter-quarter.test.ts',
  'test/bench/bench.test.ts',
  'test/cost/{difference/why-quality,finding/saving-quality,forecast-quality}.test.ts',
  'test/scheduler/scheduler-simulation.test.ts',
  'test/daemon/{clock,cpu-source,damage,import,series,slow-project,stall}.test.ts',
  'test/package/package.test.ts',
  'test/e2e/service-manager.test.ts',
  'test/oracle/many-bills.test.ts',
  'test/oracle/metered-bill.test.ts',
  'test/soak/soak.test.ts',
  'test/deploy/chart/chart-*.test.ts',
  'test/container/image-root.test.ts',
];

/** Tests that break what the daemon depends on, or its surroundings, and wait for it to be right again. */
export const faultTests = ['test/e2e/fault/*.test.ts', 'test/daemon/fault.test.ts'];

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    // `npm run test:long` and `npm run test:faults` run them.
    exclude: [...longTests, ...faultTests],
    // Most of what takes long waits: two at a time keep two cores busy.
    maxWorkers: 2,
    // Every worker thread and every child process loads the whole program again: its compiled code is kept.
    env: { NODE_COMPILE_CACHE: new URL('../node_modules/.cache/compile', import.meta.url).pathname },
    reporters: ['default', './test/support/closing-line-reporter.ts'],
    testTimeout: 20_000,
  },
});
