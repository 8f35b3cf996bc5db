import { expect, test } from 'vitest';
import type { Shard } from '../../src/resources/shard.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import { minute, projectsReading, startAt } from '../support/reading-builder.ts';
import { FleetLife, onlyComparable, ShardedFleet, seriesOf } from '../support/sharded-fleet.ts';

const shard = (index: number, count: number): Shard => ({ index, count });

test('a history stays that of one shard, however many there are', () => {
  using folder = new HistoryFolder();
  folder.close(folder.open());
  for (const count of [3, 4, 3, 1]) folder.close(folder.open({ shard: shard(0, count) }));
});

test.each([
  [shard(2, 3), 'is the history of shard 1/3: give shard 2/3 another history.file'],
  [shard(0, 4), 'is the history of shard 1/3: give shard 0/4 another history.file'],
  [undefined, 'is the history of shard 1/3: start it with --shard 1/3, or with another history.file'],
])('a history of shard 1/3 is refused to %j, and stays as it was', (other, problem) => {
  using folder = new HistoryFolder();
  folder.close(folder.open({ shard: shard(1, 3) }));
  expect(() => folder.open(other && { shard: other })).toThrow(`${folder.file} ${problem}`);
  folder.close(folder.open({ shard: shard(1, 3) }));
});

test('a standby of another shard takes no history from its shard, and is not counted', () => {
  using folder = new HistoryFolder();
  const first = folder.open({ shard: shard(0, 2) });
  first.commitOne(projectsReading(startAt, []));
  expect(() => folder.open({ shard: shard(1, 2), takeover: 'held' })).toThrow('is the history of shard 0/2');
  first.commitOne(projectsReading(startAt + minute, []));
  expect(first.takeovers()).toBe(0);
});

test('the pages of three shards are the page of one daemon for all, and those of four after it', () => {
  using fleet = new ShardedFleet(3);
  const life = new FleetLife(fleet, false);
  life.readAll();
  life.go([
    { kind: 'poll', id: 'prj-1', awake: true, ended: 2 },
    { kind: 'kill', index: 1, loses: false },
    { kind: 'list', gone: ['prj-2'], used: 40 },
  ]);
  expect(seriesOf(fleet.shards, life.now)).toEqual(seriesOf([fleet.whole], life.now));
  fleet.shard(4);
  life.readAll();
  life.go([{ kind: 'poll', id: 'prj-3', awake: true, ended: 3 }]);
  const whole = onlyComparable(seriesOf([fleet.whole], life.now));
  expect(onlyComparable(seriesOf(fleet.shards, life.now))).toEqual(whole);
});

/** Counters by series, of each shard. */
const countersOf = ({ shards }: ShardedFleet, now: number) =>
  shards.map(
    each =>
      new Map(
        [...seriesOf([each], now)].filter(([series]) => /^\w+_(total|bucket|count|sum)\b/.test(series)),
      ),
  );

test('from three shards to four no counter of any shard falls, and what happens then is counted once', () => {
  using fleet = new ShardedFleet(3);
  const life = new FleetLife(fleet, false);
  const operate = (count: number) =>
    life.go(
      Array.from({ length: 9 }, (_, index) => ({
        ...({ kind: 'poll', id: `prj-${index}`, awake: index % 2 === 0, ended: count } as const),
      })),
    );
  life.readAll();
  operate(2);
  const before = countersOf(fleet, life.now);
  fleet.shard(4);
  life.readAll();
  const moved = countersOf(fleet, life.now);
  const [wholeBefore, newcomer] = [seriesOf([fleet.whole], life.now), moved[3] ?? new Map()];
  operate(3);
  const after = countersOf(fleet, life.now);
  const wholeAfter = seriesOf([fleet.whole], life.now);

  for (const [index, series] of before.entries()) {
    const found = [...series].filter(([name]) => moved[index]?.has(name));
    expect(found).not.toEqual([]);
    for (const [name, value] of found) expect(moved[index]?.get(name), name).toBeGreaterThanOrEqual(value);
  }
  for (const [index, series] of moved.entries()) {
    for (const [name, value] of series) expect(after[index]?.get(name), name).toBeGreaterThanOrEqual(value);
  }
  // The newcomer knows from the log what its projects did before it came.
  const operations = [...newcomer].filter(([name]) => name.startsWith('dbpm_operations_total'));
  expect(operations.length).toBeGreaterThan(0);
  for (const [name, value] of operations) expect(value, name).toBe(wholeBefore.get(name));
  const increase = (from: ReadonlyMap<string, number>, to: ReadonlyMap<string, number>) =>
    [...to]
      .filter(([name]) => /^dbpm_operation(s_total|_duration_seconds_count)/.test(name))
      .reduce((sum, [name, value]) => sum + value - (from.get(name) ?? 0), 0);
  const increases = moved.map((from, index) => increase(from, after[index] ?? new Map()));
  expect(increases[3]).toBeGreaterThan(0);
  expect(increases.reduce((sum, each) => sum + each, 0)).toBe(increase(wholeBefore, wholeAfter));
});
