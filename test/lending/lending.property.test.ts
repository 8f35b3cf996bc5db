import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Fault, LendingWorld } from './lending-world.ts';

const fault: fc.Arbitrary<Fault> = fc.record({
  kind: fc.constantFrom('kill', 'stop', 'outage', 'late'),
  shard: fc.nat(4),
  seconds: fc.integer({ min: 1, max: 60 }),
});
const step = fc.record({
  seconds: fc.integer({ min: 1, max: 60 }),
  /** By shard. */
  busy: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
  faults: fc.array(fault, { maxLength: 3 }),
});
/** Hosts never agree on the time, and their clocks run at speeds that differ a little. */
const clock = fc.record({
  offMs: fc.integer({ min: -1e9, max: 1e9 }),
  drift: fc.double({ min: -0.002, max: 0.002, noNaN: true }),
});

/** Numbers in [0, 1) from a seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test('shards never use the same part, nor send more than the ceiling in any minute, whoever is killed or stopped, whatever is read late', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 10, max: 200 }),
      fc.array(clock, { minLength: 2, maxLength: 5 }),
      fc.array(step, { minLength: 6, maxLength: 12 }),
      fc.nat(),
      (share, clocks, script, seed) => {
        const world = new LendingWorld({ share, clocks, random: randomFrom(seed) });
        for (const { seconds, busy, faults } of script) {
          for (const [index, each] of world.shards.entries()) each.isBusy = busy[index] ?? false;
          for (const each of faults) world.happen(each);
          world.pass(seconds);
        }
        expect(world.leastLeft).toBe(0);
        expect(world.mostInMinute()).toBeLessThanOrEqual(share * clocks.length);
      },
    ),
    { numRuns: 150 },
  );
});

test('a backlog is read with what the others do not need, until they need it again', () => {
  const clocks = [0, 5e8, -5e8].map(offMs => ({ offMs, drift: 0 }));
  const world = new LendingWorld({ share: 100, clocks, random: randomFrom(1) });
  const [busy, ...idle] = world.shards;
  if (busy === undefined) throw new Error('there are shards');
  busy.isBusy = true;
  const countIn = (minutes: number) => {
    const before = busy.sent;
    world.pass(60 * minutes);
    return (busy.sent - before) / minutes;
  };
  countIn(2);
  expect(countIn(3)).toBeGreaterThan(240);
  for (const each of idle) each.isBusy = true;
  countIn(1);
  expect(countIn(3)).toBeLessThanOrEqual(100);
  expect(world.mostInMinute()).toBeLessThanOrEqual(300);
});
