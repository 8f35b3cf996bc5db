import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLong } from '../support/seed.ts';
import {
  FleetLife,
  fallenCounters,
  fleetStep,
  onlyComparable,
  ShardedFleet,
  seriesOf,
} from '../support/sharded-fleet.ts';

const numRuns = isLong ? 12 : 1;
const counts = [1, 2, 3, 7] as const;
const steps = fc.array(fleetStep, { maxLength: 14 });

test.each(counts)(
  'the pages of %i shards together are the page of one daemon for all, over changes and restarts',
  count => {
    fc.assert(
      fc.property(steps, each => {
        using fleet = new ShardedFleet(count);
        const life = new FleetLife(fleet, false);
        life.readAll();
        life.go(each);
        expect(seriesOf(fleet.shards, life.now)).toEqual(seriesOf([fleet.whole], life.now));
      }),
      { numRuns },
    );
  },
);

test.each(counts)(
  'they are it again after %i have become another number and read everything, over kills, but for what only a former shard saw',
  first => {
    fc.assert(
      fc.property(fc.constantFrom(...counts), steps, steps, (second, before, after) => {
        using fleet = new ShardedFleet(first);
        const life = new FleetLife(fleet, true);
        life.readAll();
        life.go(before);
        life.readAll();
        const former = seriesOf(fleet.shards, life.now);
        fleet.shard(second);
        life.readAll();
        life.go(after);
        life.readAll();
        const whole = seriesOf([fleet.whole], life.now);
        const parts = seriesOf(fleet.shards, life.now);
        expect(onlyComparable(parts)).toEqual(onlyComparable(whole));
        expect(fallenCounters(former, parts)).toEqual([]);
      }),
      { numRuns },
    );
  },
);
