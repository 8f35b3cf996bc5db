import { copyFileSync, globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { History } from '../../../src/history/history.ts';
import { collectors } from '../../../src/resources/collector.ts';
import { findShard } from '../../../src/resources/shard.ts';
import { createRandom } from '../../../src/simulator/model/random.ts';
import { HistoryFolder } from '../../support/history-folder.ts';
import {
  apiKeysReading,
  day,
  instant,
  minute,
  projectReading,
  projectsReading,
  wireEndpoint,
  wireProject,
} from '../../support/reading-builder.ts';
import { reportOn } from '../../support/report-run.ts';
import { openTables } from './duck.ts';
import { KeyLife } from './key-life.ts';
import { expectKeys } from './report-agreement.ts';
import { exportTo } from './table-run.ts';

const firstDay = Date.UTC(2026, 9, 5);
const accounts = ['main', 'other'];
const projects = ['p1', 'p2', 'p3', 'p4'];
const days = 3;

interface Watcher {
  readonly history: History;
  readonly watches: (project_id: string) => boolean;
  readonly readsKeys: boolean;
}

/** Two accounts whose keys are made, used, renamed and revoked, watched by one exporter and by shards in its place. */
function record(folder: HistoryFolder, files: readonly string[], seed: number): number {
  const lives = accounts.map(account => ({ account, keys: new KeyLife(createRandom(seed, account)) }));
  const whole = { history: folder.open({ accounts }), watches: () => true, readsKeys: true };
  const [firstFile = '', secondFile = ''] = files;
  let first: Watcher = { ...whole, history: folder.open({ accounts, file: firstFile }) };
  const watchers: Watcher[] = [whole, first];
  const untilAt = firstDay + (days + 0.5) * day;
  for (let at = firstDay; at <= untilAt; at += 60 * minute) {
    // From one exporter to two, at noon: the second goes on with a copy, and reads no keys.
    if (at === firstDay + 1.5 * day) {
      folder.close(first.history);
      copyFileSync(firstFile, secondFile);
      const open = (file: string, index: number) => ({
        history: folder.open({
          ...{ accounts, file, shard: { index, count: 2 } },
          collectors: collectors.filter(each => index === 0 || each !== 'api_keys'),
        }),
        watches: (project_id: string) => findShard(project_id, 2) === index,
        readsKeys: index === 0,
      });
      first = open(firstFile, 0);
      watchers.splice(1, 1, first, open(secondFile, 1));
    }
    for (const { account, keys } of lives) {
      if (at < firstDay + days * day) keys.live(at);
      for (const watcher of watchers) read(watcher, account, keys, at);
    }
  }
  for (const { history } of watchers) {
    while (history.upkeep(untilAt));
    folder.close(history);
  }
  return untilAt;
}

function read({ history, watches, readsKeys }: Watcher, account: string, keys: KeyLife, at: number): void {
  const options = { account };
  const watched = projects.filter(watches);
  const cpu_used_sec = (at - firstDay) / minute;
  const created_at = instant(firstDay - day);
  const listed = watched.map(id => wireProject(`${account}-${id}`, { cpu_used_sec, created_at }));
  history.commitOne(projectsReading(at, listed, options));
  for (const id of watched) {
    const endpoints = [wireEndpoint(`ep-${account}-${id}`, { created_at })];
    history.commitOne(projectReading(at, `${account}-${id}`, { endpoints, operations: [] }, options));
  }
  if (readsKeys) history.commitOne(apiKeysReading(at, keys.list(), options));
}

test.each([1, 2, 3])(
  'API keys over the tables of all shards and accounts are those of the report (seed %i)',
  async seed => {
    using folder = new HistoryFolder();
    const configFile = join(folder.path, 'dbpm.yaml');
    writeFileSync(configFile, 'usage: {timezone: UTC}\nkeys: {stale_after: 1d}\n');
    const files = [0, 1].map(shard => join(folder.path, `shard-${shard}.sqlite`));
    const now = record(folder, files, seed);
    const report = async (histories: readonly string[]) =>
      JSON.parse(
        await reportOn(configFile, histories, 'keys --format json --period 2026-10-05..2026-10-08', now),
      );
    const whole = await report([folder.file]);
    expect(whole.rows.length).toBeGreaterThan(10);
    const exported = async (name: string, histories: readonly string[]) => {
      const out = join(folder.path, name);
      const { exitCode, stderr } = await exportTo(out, configFile, histories, '--personal');
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      return out;
    };
    const expectAgreement = async (folders: readonly string[]) => {
      using ask = await openTables(folders, ['key_uses']);
      await expectKeys(ask, whole, '2026-10-08T00:00:00Z');
    };
    // Whichever is named first.
    for (const [name, histories] of [
      ['whole', [folder.file]],
      ['together', files],
      ['turned', files.toReversed()],
    ] as const) {
      expect(await report(histories)).toMatchObject({ rows: whole.rows, partial: false });
      await expectAgreement([await exported(name, histories)]);
    }
    // Apart, shard 0 alone writes them: what the other one has of them is a copy.
    await expectAgreement([await exported('first', files.slice(0, 1))]);
    expect(globSync('key_uses/**', { cwd: await exported('second', files.slice(1)) })).toEqual([]);
  },
  120_000,
);
