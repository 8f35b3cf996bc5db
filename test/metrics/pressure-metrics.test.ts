import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { declarePressure } from '../../src/metrics/self/scrape-metrics.ts';
import type { RequestPressure } from '../../src/resources/request-budget.ts';
import { readExposition, type Sample } from '../support/exposition-reader.ts';

const calm: RequestPressure = {
  demandPerMinute: 20,
  skippedListPolls: 1,
  lateIdle: 0,
  listPollIntervalMs: 10_000,
  listLagMs: 0,
  partialPolls: false,
};

test('what was overdue leaves no sample behind once nothing is, and what was counted stays', async () => {
  const registry = new Registry();
  let pressure: RequestPressure = { ...calm, oldestDueAt: 5000, lateIdle: 2 };
  declarePressure(registry, () => [['main', pressure]]);
  const read = async (name: string) => {
    const samples: readonly Sample[] = readExposition(await registry.metrics());
    return samples.filter(sample => sample.name === name).map(({ value }) => value);
  };
  expect(await read('dbpm_exporter_oldest_due_timestamp_seconds')).toEqual([5]);
  expect(await read('dbpm_exporter_work_skipped_total')).toEqual([1, 2]);
  pressure = { ...calm, lateIdle: 2 };
  expect(await read('dbpm_exporter_oldest_due_timestamp_seconds')).toEqual([]);
  expect(await read('dbpm_exporter_work_skipped_total')).toEqual([1, 2]);
});
