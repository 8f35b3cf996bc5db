import { defineConfig } from 'vitest/config';

/** Tests that wait for real alerts or a request limit, or live through weeks of simulated fleets: minutes in all. */
export const longTests = [
  'test/e2e/{drill,rate-limit,expression,billed-months}.test.ts',
  'test/e2e/*.endurance.test.ts',
  'test/docs/command.test.ts',
  'test/e2e/{backfill,clock-step,cost-backfill,crash-loop,first-failure,import,judged-request}.test.ts',
  'test/e2e/{compiled-code,reader,salvaged-history,scrape-scale,web-access}.test.ts',
  'test/e2e/console/*.test.ts',
  'test/metrics/{page,page-set}.property.test.ts',
  'test/{cli,e2e}/*-canary.test.ts',
  'test/history/{awake-truth,backfill,done-finding,endpoint-history,gap-truth,salvage-truth,size-estimate,spread-bound,usage-truth}.test.ts',
  'test/report/{branch-sprawl,hour-agreement,metered-sum.property}.test.ts',
  'test/bill/early-month.test.ts',
  'test/console/page/{cost,cost-truth,finding}.test.ts',
  'test/poll/meter-truth.test.ts',
  'test/daemon/meter-quarter.test.ts',
  'test/usage/metered-anomaly.test.ts',
  'test/console/page/overview.test.ts',
  'test/cost/{difference/why-quality,finding/saving-quality,forecast-quality,metered-band}.test.ts',
  'test/scheduler/scheduler-simulation.test.ts',
  'test/daemon/{clock,cpu-source,damage,import,series,slow-project,stall}.test.ts',
  'test/package/package.test.ts',
  'test/e2e/service-manager.test.ts',
  'test/oracle/many-bills.test.ts',
  'test/oracle/metered-bill.test.ts',
  'test/deploy/chart/chart-*.test.ts',
  'test/container/image-root.test.ts',
];

/** Tests that break what the daemon depends on, or its surroundings, or kill it, and wait for all to be right again. */
export const faultTests = [
  'test/e2e/fault/*.test.ts',
  'test/e2e/{truth,truth-hundred,truth-later}.test.ts',
  'test/daemon/fault.test.ts',
];

/** Tests with several daemons, several histories or as much as one machine holds, and those that measure. */
export const scaleTests = [
  'test/e2e/{lent-shares,recovery,shards,standby,twin-scrape,twins,two-daemons}.test.ts',
  'test/e2e/{remote-write,shipped-series}.test.ts',
  'test/report/split-account.test.ts',
  'test/console/several/*.test.ts',
  'test/history/shard.test.ts',
  'test/cli/console.test.ts',
  'test/lake/{agreement,clickhouse,interruption}.test.ts',
  'test/history/load/*.test.ts',
  'test/{scheduler/shard-simulation,usage/shard-cost}.test.ts',
  'test/{bench/bench,soak/soak}.test.ts',
];

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    // `npm run test:long`, `npm run test:faults` and `npm run test:scale` run them.
    exclude: [...longTests, ...faultTests, ...scaleTests],
    // Most of what takes long waits: two at a time keep two cores busy.
    maxWorkers: 2,
    // Every worker thread and every child process loads the whole program again: its compiled code is kept.
    env: { NODE_COMPILE_CACHE: new URL('../node_modules/.cache/compile', import.meta.url).pathname },
    // A busy machine is no failure, and what hangs is seen anyway.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
