import { expect, onTestFinished, test, vi } from 'vitest';
import { BenchRun } from './bench-run.ts';
import { benchmarks } from './benchmark-list.ts';

// The pages of a console are drawn by a browser, once all of them are worked out.
vi.setConfig({ testTimeout: 240_000 });

test.for(benchmarks)('the benchmark $name measures and compares', async benchmark => {
  const run = new BenchRun();
  onTestFinished(() => run.end());
  const rows = await benchmark.run('tiny', run);
  const names = rows.map(({ what }) => what);
  const isBaselineMissing = run.remarks.some(line => line.startsWith('skipped: '));
  expect(rows.length + run.remarks.length).toBeGreaterThan(0);
  expect(new Set(names).size).toBe(names.length);
  for (const { what, value, ratioTo } of rows) {
    expect(value, what).toBeGreaterThanOrEqual(0);
    if (ratioTo !== undefined && !isBaselineMissing) expect(names).toContain(ratioTo);
  }
});
