import { describe, expect, test } from 'vitest';
import { planPolls } from '../../../src/poll/scheduler/poll-plan.ts';
import { collectors } from '../../../src/resources/collector.ts';
import { findShard } from '../../../src/resources/shard.ts';
import { fleetOf5000, minuteMs, simulate } from './freshness-simulation.ts';

const shards = 4;
const projects = 100_000;
const pageSize = 400;

/** Projects of each shard of an account. */
const sizes = Array.from({ length: projects }, (_, index) => findShard(`p${index}`, shards)).reduce(
  (counts, shard) => counts.with(shard, (counts[shard] ?? 0) + 1),
  Array.from({ length: shards }, () => 0),
);

/** A shard sees its part of every page. */
const shardOf = (size: number, seed: number, latencyMs: number) => ({
  ...fleetOf5000,
  ...{ seed, projects: size, latencyMs, pageSize: pageSize / shards },
  requestsPerMinute: 5000,
  warmUpMs: 40 * minuteMs,
  durationMs: 52 * minuteMs,
});

const near = (planned: number, measured: number) => Math.abs(planned / 1000 / measured - 1);

describe('each of 4 shards of 100,000 projects under 20,000 requests a minute', { timeout: 120_000 }, () => {
  test.each(sizes.map((size, index) => [index, size] as const))(
    'shard %i of %i projects is as fresh as the goals say, where a page of the list takes 30 ms',
    (index, size) => {
      const outcome = simulate('scheduler', shardOf(size, index, 30));
      expect(outcome.start.p50).toBeLessThanOrEqual(8.6);
      expect(outcome.start.p99).toBeLessThanOrEqual(16);
      expect(outcome.wrong).toBeLessThanOrEqual(0.000_7);
      expect(outcome.busyAge.p50).toBeLessThanOrEqual(33);
      expect(outcome.busyAge.p99).toBeLessThanOrEqual(70);
      expect(outcome.idleAge.p99).toBeLessThanOrEqual(62 * 60);
      expect(outcome.requestsPerMinute).toBeLessThanOrEqual(5000);
    },
  );

  test('is as fresh as the plan says where a page takes 100 ms: the pages come one after another', () => {
    const terms = shardOf(sizes[0] ?? 0, 1, 100);
    const outcome = simulate('scheduler', terms);
    const plan = planPolls({
      ...terms,
      ...{ pageSize, listed: projects, busyShare: 0.05, apiKeysRefreshMs: 5 * minuteMs, collectors },
    });
    expect(near(plan.startNoticedMs.p50, outcome.start.p50)).toBeLessThan(0.2);
    expect(near(plan.startNoticedMs.p99, outcome.start.p99)).toBeLessThan(0.2);
    expect(outcome.busyAge.p99).toBeLessThanOrEqual(plan.busyAgeMs.p99 / 1000);
    expect(outcome.idleAge.p99).toBeLessThanOrEqual(plan.idleIntervalMs / 1000);
  });
});
