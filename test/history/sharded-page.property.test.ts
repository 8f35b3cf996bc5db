import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { FleetLife, fleetStep, onlyComparable, ShardedFleet, seriesOf } from '../support/sharded-fleet.ts';

vi.setConfig({ testTimeout: 120_000 });

const numRuns = Number(process.env.SHARDED_PAGE_RUNS ?? 2);
const counts = fc.constantFrom(1, 2, 3, 7);
const steps = fc.array(fleetStep, { maxLength: 14 });

test('the pages of all shards together are the page of one daemon for all, over changes and kills', () => {
  fc.assert(
    fc.property(counts, steps, (count, each) => {
      using fleet = new ShardedFleet(count);
      const life = new FleetLife(fleet);
      life.readAll();
      life.go(each);
      expect(seriesOf(fleet.shards, life.now)).toEqual(seriesOf([fleet.whole], life.now));
    }),
    { numRuns },
  );
});

test('they are it again after another number of shards has read everything, but for what only its former shard saw', () => {
  fc.assert(
    fc.property(counts, counts, steps, steps, (first, second, before, after) => {
      using fleet = new ShardedFleet(first);
      const life = new FleetLife(fleet);
      life.readAll();
      life.go(before);
      fleet.shard(second);
      life.readAll();
      life.go(after);
      life.readAll();
      const whole = seriesOf([fleet.whole], life.now);
      const parts = seriesOf(fleet.shards, life.now);
      expect(onlyComparable(parts)).toEqual(onlyComparable(whole));
    }),
    { numRuns },
  );
});
