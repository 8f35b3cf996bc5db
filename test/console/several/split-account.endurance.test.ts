import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backupHistory } from '../../../src/history/file/backup.ts';
import { shardOf } from '../../report/split-history.ts';
import { LivedHistory } from '../../support/lived-history.ts';
import {
  expectSame,
  expectSameLists,
  fleetAddresses,
  projectAddresses,
  withBoth,
  yaml,
} from './compared-page.ts';

const day = 86_400;
const begin = Date.UTC(2026, 9, 5) / 1000;
const pace = { listEverySeconds: 3600, projectsEvery: 2 };

/** A fleet of nine projects whose readings `files` shards have, too. */
function liveIn(shards: number, watches: (id: string, now: number, shard: number) => boolean) {
  const life = new LivedHistory({ now: begin, seed: 1, projects: 9, historyDays: 4 });
  const files = Array.from({ length: shards }, (_, shard) => join(life.folder.path, `shard-${shard}.sqlite`));
  for (const [shard, file] of files.entries())
    life.parts.push({
      history: life.folder.open({ file }),
      watches: (id, now) => watches(id, now, shard),
    });
  return { life, files };
}

/** Those that another shard takes over. */
function isMoved(id: string): boolean {
  return shardOf(`${id}.`, 3) === 0;
}

function settle(life: LivedHistory) {
  for (const { history } of [life, ...life.parts]) while (history.upkeep(life.now));
  return { file: life.folder.file, now: life.now, yaml };
}

test('an account split over three histories has the pages of the whole account', async () => {
  const { life, files } = liveIn(3, (id, _now, shard) => shardOf(id, 3) === shard);
  using _life = life;
  life.watch(3 * day, pace);
  await withBoth(settle(life), files, async (whole, split) => {
    await expectSame(whole, split, [...fleetAddresses, ...(await projectAddresses(whole))]);
    await expectSameLists(whole, split);
  });
}, 120_000);

test('a history beside an earlier copy of it has the pages that it has alone', async () => {
  using life = new LivedHistory({ now: begin, seed: 1, projects: 9, historyDays: 4 });
  const copy = join(life.folder.path, 'a-copy.sqlite');
  life.watch(day, pace);
  await backupHistory({ from: life.folder.file, to: copy });
  life.watch(day, pace);
  await withBoth(settle(life), [copy, life.folder.file], async (whole, split) => {
    await expectSame(whole, split, [...fleetAddresses, ...(await projectAddresses(whole))]);
    await expectSameLists(whole, split);
  });
}, 120_000);

test('projects that moved from one history to another have all of their operations and states, each once', async () => {
  const movedAt = (begin + 1.5 * day) * 1000;
  const { life, files } = liveIn(3, (id, now, shard) => {
    const former = shardOf(id, 2);
    return shard === (now >= movedAt && isMoved(id) ? 2 : former);
  });
  using _life = life;
  life.watch(3 * day, pace);
  await withBoth(settle(life), files, async (whole, split) => {
    const { projects } = await whole.json('/projects');
    const ids: string[] = projects.map(({ project_id }: { project_id: string }) => project_id);
    expect(ids.filter(isMoved).length).toBeGreaterThan(1);
    const lists = ids.map(id => `/operations?project=${id}&status=all&range=30d`);
    await expectSame(whole, split, [...lists, '/operations', '/operations?range=30d&status=failed', '/keys']);
    await expectSameLists(whole, split, 'failed');
    expect((await split.json('/overview')).running).toEqual((await whole.json('/overview')).running);
    for (const id of ids) {
      const [wanted, found] = await Promise.all(
        [whole, split].map(each => each.json(`/projects/main/${id}?range=7d`)),
      );
      if (!isMoved(id)) expect(found.timeline).toEqual(wanted.timeline);
      expect(found.timeline.operations).toEqual(wanted.timeline.operations);
      for (const lane of found.timeline.endpoints) {
        const same = wanted.timeline.endpoints.find(
          (each: { endpoint_id: string }) => each.endpoint_id === lane.endpoint_id,
        );
        // Nobody read it from the last reading of one history to the first of the other.
        expect(lane.unknown_ms - same.unknown_ms).toBeLessThanOrEqual(2 * 3_600_000);
        expect(same.awake_ms - lane.awake_ms).toBeLessThanOrEqual(2 * 3_600_000);
        expect(lane.awake_ms).toBeLessThanOrEqual(same.awake_ms);
        expect(lane.asleep_ms).toBeLessThanOrEqual(same.asleep_ms);
      }
    }
  });
}, 120_000);
