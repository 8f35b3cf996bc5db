import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findShard } from '../../../src/resources/shard.ts';
import { exportText, readTimedSamples, type TimedSample } from '../../support/backfill-export.ts';
import { minute, startAt } from '../../support/reading-builder.ts';
import { isLong } from '../../support/seed.ts';
import { FleetLife, fleetIds, fleetStep, ShardedFleet } from '../../support/sharded-fleet.ts';

/** More by hand. */
const numRuns = isLong ? 100 : 4;

/** A new shard begins them anew: it has not seen what they rest on. */
const remembered = /^dbpm_project_cpu_used|^dbpm_endpoint_state/;
const ofAccount = /^dbpm_operation_duration_seconds/;

interface Sample extends TimedSample {
  readonly series: string;
  readonly shard: string;
}

function readSamples(text: string): readonly Sample[] {
  return readTimedSamples(text).map(sample => {
    const [, shard = ''] = /shard="(\d*)"/.exec(sample.labels) ?? [];
    return { ...sample, shard, series: `${sample.name}{${sample.labels.replace(/,?shard="\d*"/, '')}}` };
  });
}

/** What each project shows by series and instant; of a project that moved what a new shard can know. */
function valuesOf(samples: readonly Sample[], stayed: ReadonlySet<string>): ReadonlyMap<string, number> {
  const values = new Map<string, number>();
  const shown = new Set<string>();
  for (const { name, series, at, value, labels } of samples) {
    const [, id] = /project_id="([^"]*)"/.exec(labels) ?? [];
    if (id === undefined) continue;
    const key = `${series} ${at}`;
    if (shown.has(key)) throw new Error(`${key} is shown twice`);
    shown.add(key);
    if (stayed.has(id) || !remembered.test(name)) values.set(key, value);
  }
  return new Map([...values].sort());
}

/** What counters of an account grew by until each instant, by series; those of several shards added up. */
function increasesOf(samples: readonly Sample[]): ReadonlyMap<string, number> {
  const increases = new Map<string, number>();
  const firsts = new Map<string, number>();
  for (const { name, series, shard, at, value } of samples) {
    if (!ofAccount.test(name)) continue;
    const first = firsts.get(`${series} ${shard}`) ?? value;
    firsts.set(`${series} ${shard}`, first);
    const key = `${series} ${at}`;
    increases.set(key, Number(((increases.get(key) ?? 0) + value - first).toFixed(6)));
  }
  return new Map([...increases].filter(([, value]) => value > 0).sort());
}

const steps = fc.array(fleetStep, { maxLength: 12 });
const count = fc.constantFrom(1, 2, 3, 4);

test('what shards export adds up to what one exporter exports, each project shown by one at a time', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ count, steps }), { minLength: 1, maxLength: 3 }), stages => {
      using fleet = new ShardedFleet(stages[0]?.count ?? 1);
      const life = new FleetLife(fleet, false);
      for (const [index, stage] of stages.entries()) {
        if (index > 0) fleet.shard(stage.count);
        life.readAll();
        // What a shard was never told of a project it cannot show.
        life.go([...stage.steps, { kind: 'list', gone: [], used: 0 }]);
        life.readAll();
      }
      const range = { fromAt: startAt, untilAt: life.now, stepMs: minute / 2 };
      const whole = readSamples(exportText(fleet.wholeFile, range));
      const shards = readSamples(exportText(fleet.shardFiles, { ...range, labels: { shard: '{shard}' } }));
      const stayed = new Set(
        fleetIds.filter(id => new Set(stages.map(stage => findShard(id, stage.count))).size === 1),
      );
      expect(valuesOf(shards, stayed)).toEqual(valuesOf(whole, stayed));
      expect(increasesOf(shards)).toEqual(increasesOf(whole));
      const keysOf = (samples: readonly Sample[]) =>
        samples.filter(({ name }) => name.startsWith('dbpm_api_key')).map(({ series, at }) => [series, at]);
      expect(keysOf(shards)).toEqual(keysOf(whole));
    }),
    { numRuns },
  );
});
