import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createProjectFilter } from '../../src/resources/project-filter.ts';
import { findShard, isOfShard, parseShard, shareOfRate } from '../../src/resources/shard.ts';

describe('the shard of a project', () => {
  // Histories of users rest on these: no version may say otherwise.
  test.each([
    ['shop', [0, 0, 0, 6, 41]],
    ['blog', [0, 0, 0, 0, 8]],
    ['prj-1', [1, 2, 3, 3, 30]],
    ['0', [1, 1, 1, 1, 84]],
    ['ü😀', [1, 2, 3, 5, 57]],
    ['dawn-river-12345678', [0, 2, 2, 5, 27]],
  ])('is the same in every version: %s', (id, shards) => {
    expect([2, 3, 4, 7, 100].map(count => findShard(id, count))).toEqual(shards);
  });

  test('is exactly one, whatever its id', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 20 }), (id, count) => {
        const owners = Array.from({ length: count }, (_, index) => isOfShard(id, { index, count }));
        expect(owners.filter(Boolean)).toHaveLength(1);
      }),
    );
  });

  test('stays when a shard is added, unless it is the new one, and an equal part of the projects moves', () => {
    for (const [spell, count] of [
      [(n: number) => `dawn-river-${n}`, 3],
      [(n: number) => String(n), 3],
      [(n: number) => `prj-${(n * 7919).toString(36)}`, 9],
    ] as const) {
      const ids = Array.from({ length: 20_000 }, (_, index) => spell(index));
      const moved = ids.filter(id => findShard(id, count) !== findShard(id, count + 1));
      expect(moved.every(id => findShard(id, count + 1) === count)).toBe(true);
      expect(Math.abs((moved.length / ids.length) * (count + 1) - 1)).toBeLessThan(0.05);
      for (let index = 0; index < count; index += 1) {
        const own = ids.filter(id => isOfShard(id, { index, count }));
        expect(Math.abs((own.length / ids.length) * count - 1)).toBeLessThan(0.05);
      }
    }
  });
});

test('a filter keeps the projects of a shard that its globs are for', () => {
  const projects = ['a', 'b', 'c', 'l', 'm', 'n'].map(id => ({ project_id: id, project_name: `shop ${id}` }));
  const kept = (index: number, exclude: readonly string[] = []) =>
    projects
      .filter(createProjectFilter({ include: ['shop *'], exclude, shard: { index, count: 2 } }))
      .map(({ project_id }) => project_id);
  expect([...kept(0), ...kept(1)].sort()).toEqual(['a', 'b', 'c', 'l', 'm', 'n']);
  expect(kept(0).length).toBeGreaterThan(0);
  expect(kept(1).length).toBeGreaterThan(0);
  expect([...kept(0, ['c']), ...kept(1, ['c'])]).not.toContain('c');
});

test.each(['', '3', '0/0', '3/3', '-1/3', '0/1001', '0 / 3', '0x0/3', '1/3/', '01234/3'])(
  '"%s" is no shard',
  text => expect(parseShard(text)).toBeUndefined(),
);

test('the shares of a rate are never more than the rate, but one a minute each', () => {
  expect(shareOfRate(10, undefined)).toBe(10);
  expect(shareOfRate(10, { index: 0, count: 3 })).toBe(3);
  expect(shareOfRate(10, { index: 0, count: 30 })).toBe(1);
});
